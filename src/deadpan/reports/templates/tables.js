// Tables that can be sorted: our rows among ours, published ones among themselves.
const bare = (name) => name.replace(/\s[\u2021\u00a7]$/, "");
// The number that a cell leads with, as it is printed.
const printed = (cell) => {
  const first = cell?.querySelector("b, .value") ?? cell?.firstChild;
  return (first?.textContent ?? "").replace(/,/g, "").replace("−", "-").match(/-?\d+(\.\d+)?/)?.[0] ?? "";
};
const numberOf = (cell) => {
  const text = cell?.dataset.value ?? printed(cell);
  return text === "" ? NaN : Number(text);
};

// What moves as one: a body of its own for each of our models, else a row.
const unitsOf = (table) => {
  const bodies = [...table.tBodies];
  const ours = bodies.filter((body) => body.classList.contains("ours"));
  const others = bodies.filter((body) => !body.classList.contains("ours"));
  const rows = others.map((body) => [...body.rows].filter((row) => !row.classList.contains("label")));
  return [ours, ...rows].filter((units) => units.length > 1);
};
const cellOf = (unit, column) => (unit.tagName === "TBODY" ? unit.rows[0] : unit).cells[column];

const sortTable = (table, column, order) => {
  const compare = (a, b) => {
    const [x, y] = [cellOf(a, column), cellOf(b, column)];
    if (column === 0) return order * (x?.textContent ?? "").localeCompare(y?.textContent ?? "", undefined, { numeric: true });
    const [left, right] = [numberOf(x), numberOf(y)];
    if (Number.isNaN(left) || Number.isNaN(right)) return Number.isNaN(left) - Number.isNaN(right);
    return order * (left - right);
  };
  for (const units of table.units) {
    const sorted = order ? [...units].sort(compare) : units;
    const end = make("tbody"); // where they go: behind the last of them as they stand
    const last = units.reduce((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? b : a));
    last.after(end);
    for (const unit of sorted) end.before(unit);
    end.remove();
  }
};

for (const table of document.querySelectorAll("table[data-sortable]")) {
  const units = unitsOf(table);
  if (!units.length || table.querySelector("tbody [rowspan]:not(.ours *)")) continue;
  table.units = units;
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  heads.forEach((head, column) => {
    const place = head.querySelector("[data-sort]") ?? head;
    if (!place.textContent.trim() || head.classList.contains("bar-cell")) return;
    const button = make("button", "sort");
    button.type = "button";
    button.append(...place.childNodes);
    place.append(button);
    const first = column === 0 || head.dataset.better === "lower" ? 1 : -1;
    button.addEventListener("click", () => {
      const now = { ascending: 1, descending: -1 }[head.getAttribute("aria-sort")] ?? 0;
      const next = now === 0 ? first : now === first ? -first : 0;
      for (const other of heads) other.removeAttribute("aria-sort");
      if (next) head.setAttribute("aria-sort", next > 0 ? "ascending" : "descending");
      sortTable(table, column, next);
    });
  });
}

// The differences to one model, beside every score of the others; kept in the address.
const reference = document.getElementById("reference");
const signed = (value, digits) => {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? `±${text}` : `${value < 0 ? "−" : "+"}${text}`;
};
const digitsOf = (cell) => (printed(cell).split(".")[1] ?? "").length;

// What was tested, where it was: `[difference, low, high, sure]` of two models in a benchmark.
const tested = (model, other, column) => data.differences?.[column]?.[`${model}\n${other}`] ?? null;

// How far a cell is above another, as `[difference, low, high, sure, items]`: as it was tested, else
// on the items that both have, else by their numbers where these are over the same items. Null where
// a cell has no number; no difference where they are over different items and nothing more is known.
const difference = (cell, base, test, wanted) => {
  if (test) return test;
  const value = numberOf(cell) - numberOf(base);
  if (Number.isNaN(value)) return null;
  if (cell.dataset.over === base.dataset.over) return [value, null, null, false];
  const shared = new Map(Object.entries(JSON.parse(cell.dataset.apart ?? "{}"))).get(wanted);
  return shared ? [shared[0], null, null, false, shared[1]] : [null];
};

const deltaOf = (cell, base, test, wanted, better) => {
  const found = difference(cell, base, test, wanted);
  if (!found) return null;
  const [value, low, high, sure, items] = found;
  if (value === null) {
    const none = make("small", "delta none", "–");
    none.title = `no difference: this score and that of ${wanted} are over different items`;
    return none;
  }
  const digits = digitsOf(cell);
  const side = value > 0 === (better === "higher") ? "ahead" : "behind";
  const delta = make("small", `delta ${sure ? side : ""}`, signed(value, digits));
  if (low !== null) delta.title = `95 % interval of the difference: ${signed(low, digits)} to ${signed(high, digits)}`;
  if (items !== undefined) {
    delta.title = `on the ${items.toLocaleString("en")} items that both have; the scores themselves are over different ones`;
    delta.append(make("span", "", `${items.toLocaleString("en")} shared`));
  }
  if (test && !sure) delta.append(make("span", "", "too close to call"));
  return delta;
};

const compareTable = (table, wanted) => {
  const rows = [...table.querySelectorAll("[data-model]")].map((one) => (one.tagName === "TBODY" ? one.rows[0] : one));
  const nameOf = (row) => bare((row.dataset.model ?? row.parentElement.dataset.model));
  const base = rows.find((row) => nameOf(row) === wanted);
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  for (const row of rows) {
    const unit = row.parentElement.hasAttribute("data-model") ? [...row.parentElement.rows] : [row];
    for (const line of unit) line.classList.toggle("reference-row", row === base);
    [...row.cells].forEach((cell, column) => {
      cell.querySelector(".delta")?.remove();
      const better = heads[column]?.dataset.better;
      if (!base || row === base || column === 0 || !better || heads[column].hasAttribute("data-plain")) return;
      const test = table.classList.contains("matrix") ? tested(nameOf(row), wanted, column - 1) : null;
      const delta = deltaOf(cell, base.cells[column], test, wanted, better);
      if (delta) cell.append(delta);
    });
  }
};

const compareWith = (wanted) => {
  for (const table of document.querySelectorAll("table:has([data-model])")) compareTable(table, wanted);
  document.documentElement.classList.toggle("compared", wanted !== "");
};
if (reference) {
  reference.addEventListener("change", () => {
    compareWith(reference.value);
    address.write({ ref: reference.value });
  });
}
const readReference = () => {
  const wanted = address.read().get("ref");
  if (!reference || wanted === null || wanted === reference.value) return;
  reference.value = [...reference.options].some((one) => one.value === wanted) ? wanted : "";
  compareWith(reference.value);
};
