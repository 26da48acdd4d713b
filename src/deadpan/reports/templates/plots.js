const tip = document.getElementById("tip");
const showTip = (_handler, event, _item, value) => {
  if (value === null || value === undefined || value === "") {
    tip.hidden = true;
    return;
  }
  tip.replaceChildren(...Object.entries(value).map(([key, text]) => {
    const line = make("div");
    line.append(make("span", "", key), make("bdi", "", text));
    return line;
  }));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(event.clientX + 14, innerWidth - box.width - 8))}px`;
  tip.style.top = `${Math.max(8, Math.min(event.clientY + 14, innerHeight - box.height - 8))}px`;
};

// The plot for a page of little room: names of rows are cut, those of legends stand below each other.
const narrowed = (spec, room) => JSON.parse(JSON.stringify(spec, (key, value) => {
  if (key === "axis" && value?.labelLimit > 130) return { ...value, labelLimit: 130 };
  if (!value?.legend || !value.scale?.domain) return value;
  const longest = Math.max(...value.scale.domain.map((name) => String(name).length));
  const columns = Math.max(1, Math.floor((room - 110) / (7 * longest + 40)));
  const { columns: most = columns, ...legend } = value.legend;
  return { ...value, legend: { ...legend, columns: Math.min(columns, most), labelLimit: room - 40 } };
}));

const drawPlot = async (figure) => {
  const { chapter, plot, narrow } = figure.dataset;
  const { plots } = chapter === "" ? data : data.chapters[chapter];
  const canvas = figure.querySelector(".canvas");
  const room = figure.clientWidth;
  const isSqueezed = narrow && room < Number(canvas.dataset.narrowest);
  if (!isSqueezed) canvas.style.minWidth = `${canvas.dataset.narrowest}px`;
  const spec = plots[isSqueezed ? narrow : plot];
  const { title: _title, ...untitled } = room < 480 ? narrowed(spec, room) : spec;
  const fits = () => Math.max(1, Math.floor(canvas.clientWidth / Number(figure.dataset.panel)));
  if (untitled.concat) untitled.columns = Math.min(untitled.concat.length, fits());
  // `ast` has Vega interpret its expressions, so that the page needs no eval.
  const options = { ast: true, actions: false, renderer: "svg", tooltip: showTip, defaultStyle: false };
  const result = await window.vegaEmbed(canvas, untitled, options);
  for (const button of figure.querySelectorAll("[data-save]")) {
    button.addEventListener("click", async () => {
      const link = make("a");
      link.href = await result.view.toImageURL(button.dataset.save, 2);
      link.download = `${figure.dataset.name}.${button.dataset.save}`;
      link.click();
    });
  }
};


// Those in view first; the page may be read and used between any two.
const drawAll = async () => {
  const figures = [...document.querySelectorAll("figure.plot")];
  const away = (figure) => Math.abs(figure.getBoundingClientRect().top - innerHeight / 2);
  while (figures.length) {
    const nearest = figures.reduce((a, b) => (away(b) < away(a) ? b : a));
    figures.splice(figures.indexOf(nearest), 1);
    try {
      await drawPlot(nearest);
    } catch (error) {
      nearest.querySelector(".canvas").textContent = `This plot cannot be drawn: ${error.message}`;
    }
    await new Promise((resume) => { setTimeout(resume); });
  }
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
};
