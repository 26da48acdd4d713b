const LONG_QUESTION = 420;
const SENSITIVE = ".picture, .question, .gold, .answer";
const MARKS = { right: "✓", partly: "◐", wrong: "✗", judged: "", open: "·", unscored: "–" };

class Browser {
  constructor(root) {
    this.root = root;
    this.chapter = data.chapters[root.dataset.chapter];
    this.data = this.chapter.browser;
    this.form = root.querySelector(".filters");
    this.card = root.querySelector(".card");
    this.place = root.querySelector(".place");
    this.reset = root.querySelector("[data-reset]");
    this.steps = [...root.querySelectorAll("[data-step]")];
    this.searchable = []; // made when something is searched for
    this.at = 0;
    this.whole = false; // whether all tasks of an item are shown together
    this.asked = new Set(); // harmful items that are shown because somebody asked for them
    this.siblings = new Map(); // the questions about each item
    for (const card of this.data.cards) {
      if (!this.siblings.has(card.item)) this.siblings.set(card.item, []);
      this.siblings.get(card.item).push(card);
    }
    this.fillFilters();
    this.form.addEventListener("input", () => this.filter());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.reset.addEventListener("click", () => { this.form.reset(); this.filter(); });
    for (const button of this.steps) {
      button.addEventListener("click", () => this.step(Number(button.dataset.step)));
    }
    this.filter();
  }

  textOf(card) {
    const judged = (a) => a.judgements.flatMap((j) => [j.summary, j.reason, ...j.flags]);
    const answers = card.answers.flatMap((a) => [a.model, a.answer, a.parsed, a.reason, ...judged(a)]);
    return [card.item, card.question, card.gold, ...card.attributes.flat(), ...answers]
      .filter((part) => part).join("\n").toLocaleLowerCase();
  }

  fillFilters() {
    const cards = this.data.cards;
    const answers = cards.flatMap((card) => card.answers);
    const options = (name, pairs) => this.addOptions(this.form.elements[name], pairs);
    const present = (names, key) => names.filter((name) => answers.some((a) => a[key] === name));
    options("model", present(this.data.models, "model").map((name) => [name, name]));
    options("task", Object.entries(this.data.tasks));
    options("outcome", present(this.data.outcomes, "outcome").map((name) => [name, spaced(name)]));
    this.fillDuel(answers);
    options("verdict", present(Object.keys(VERDICTS), "verdict").map((name) => [name, VERDICTS[name]]));
    const languages = [...new Set(cards.map((card) => card.language))].filter((code) => code);
    options("language", languages.map((code) => [code, LANGUAGES[code] ?? code]));
    this.fillAttributes(cards);
  }

  // Which model is right where another is wrong: where rules can tell, and there are two models.
  fillDuel(answers) {
    const told = new Set(answers.filter((a) => a.verdict === "right" || a.verdict === "wrong").map((a) => a.model));
    const models = this.data.models.filter((name) => told.has(name)).map((name) => [name, name]);
    for (const name of ["right", "wrong"]) {
      this.addOptions(this.form.elements[name], models);
      this.form.elements[name].closest("label").hidden = models.length < 2;
    }
  }

  fillAttributes(cards) {
    const values = new Map();
    for (const [key, value] of cards.flatMap((card) => card.attributes)) {
      if (!values.has(key)) values.set(key, new Set());
      values.get(key).add(value);
    }
    const select = this.form.elements.attribute;
    const keys = [...values.keys()].sort((a, b) => (b === "source") - (a === "source"));
    for (const key of keys) {
      const found = [...values.get(key)];
      if (found.length < 2 || found.length > 40) continue;
      found.sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
      const group = make("optgroup");
      group.label = key;
      this.addOptions(group, found.map((value) => [JSON.stringify([key, value]), value]));
      select.append(group);
    }
    select.closest("label").hidden = select.options.length < 2;
  }

  addOptions(parent, pairs) {
    for (const [value, label] of pairs) {
      const option = make("option", "", label.length > 60 ? `${label.slice(0, 60)}…` : label);
      option.value = value;
      parent.append(option);
    }
  }

  wanted() {
    const entries = [...new FormData(this.form)].map(([name, value]) => [name, value.trim()]);
    return Object.fromEntries(entries);
  }

  answerMatches(answer, wanted) {
    return ["model", "outcome", "verdict"].every((key) => !wanted[key] || answer[key] === wanted[key]);
  }

  cardMatches(card, index, wanted) {
    if (wanted.task && card.task !== wanted.task) return false;
    if (wanted.language && card.language !== wanted.language) return false;
    if (wanted.attribute) {
      const [key, value] = JSON.parse(wanted.attribute);
      if (!card.attributes.some(([k, v]) => k === key && v === value)) return false;
    }
    const has = (model, verdict) => {
      const own = card.answers.filter((answer) => answer.model === model);
      return own.length > 0 && own.every((answer) => answer.verdict === verdict);
    };
    if (wanted.right && !has(wanted.right, "right")) return false;
    if (wanted.wrong && !has(wanted.wrong, "wrong")) return false;
    if (wanted.text) {
      this.searchable[index] ??= this.textOf(card);
      if (!this.searchable[index].includes(wanted.text.toLocaleLowerCase())) return false;
    }
    return card.answers.some((answer) => this.answerMatches(answer, wanted));
  }

  filter() {
    const wanted = this.wanted();
    this.found = this.data.cards.filter((card, index) => this.cardMatches(card, index, wanted));
    for (const control of this.form.elements) control.classList.toggle("chosen", control.value !== "");
    this.reset.hidden = Object.values(wanted).every((value) => !value);
    this.at = 0;
    this.show();
  }

  // The place of the next question, or, where items are shown whole, of the next item.
  next(by) {
    const item = this.found[this.at]?.item;
    let at = this.at + by;
    while (this.whole && this.found[at] && this.found[at].item === item) at += by;
    return this.found[at] ? at : this.at;
  }

  step(by) {
    this.at = this.next(by);
    this.show();
    this.remember();
  }

  // The address of what is shown: of a question, or of an item with all of its questions.
  shownAt() {
    const card = this.found[this.at];
    if (!card) return { item: null, in: null, task: null };
    return { item: card.item, in: this.chapter.name, task: this.whole ? null : card.task };
  }

  remember() {
    address.write({ at: null, ...this.shownAt() });
  }

  turn() {
    this.whole = !this.whole;
    this.show();
    this.remember();
  }

  // Shows a question about the same item, whatever the filters; the model stays chosen.
  open(card, whole = false) {
    this.whole = whole;
    if (!this.found.includes(card)) {
      const model = this.form.elements.model.value;
      this.form.reset();
      this.form.elements.model.value = card.answers.some((a) => a.model === model) ? model : "";
      this.filter();
    }
    this.at = this.found.indexOf(card);
    this.show();
    this.remember();
    this.card.querySelector(".siblings [aria-pressed=true]")?.focus({ preventScroll: true });
  }

  placed() {
    if (!this.found.length) return "no questions";
    if (!this.whole) return `${this.at + 1} of ${this.found.length} questions`;
    const items = [...new Set(this.found.map((card) => card.item))];
    return `${items.indexOf(this.found[this.at].item) + 1} of ${items.length} items`;
  }

  show() {
    const total = this.found.length;
    this.place.textContent = this.placed();
    this.steps[0].disabled = this.next(-1) === this.at;
    this.steps[1].disabled = this.next(1) === this.at;
    if (!total) {
      this.card.replaceChildren(make("p", "", "No sample matches these filters."));
      return;
    }
    const card = this.found[this.at];
    const [, width, height] = this.data.pictures[card.picture] ?? [];
    this.card.classList.toggle("wide", !width || (width > 720 && width >= 1.6 * height));
    const words = this.whole ? make("div", "all") : this.wordsOf(card);
    if (this.whole) {
      for (const one of this.siblings.get(card.item)) words.append(this.wordsOf(one, card));
    }
    this.card.replaceChildren(...this.veilOf(card), this.pictureOf(card), words);
    const veiled = card.harmful && !this.asked.has(card.item);
    this.card.classList.remove("zoomed");
    this.card.classList.toggle("harmful", card.harmful);
    this.card.classList.toggle("veiled", veiled);
    for (const part of this.card.querySelectorAll(SENSITIVE)) part.inert = veiled;
    reachable(this.card);
  }

  veilOf(card) {
    if (!card.harmful) return [];
    const bar = make("p", "veil", "This item is marked as potentially harmful. ");
    const shown = this.asked.has(card.item);
    const button = make("button", "quiet", shown ? "Blur it again" : "Show it");
    button.type = "button";
    button.setAttribute("aria-pressed", String(shown));
    button.addEventListener("click", () => {
      if (!this.asked.delete(card.item)) this.asked.add(card.item);
      this.show();
      this.card.querySelector(".veil button").focus();
    });
    bar.append(button);
    return [bar];
  }

  siblingsOf(card) {
    const siblings = this.siblings.get(card.item);
    if (siblings.length < 2) return [];
    const nav = make("div", "siblings");
    nav.setAttribute("role", "group");
    nav.setAttribute("aria-label", "Tasks about this item");
    const add = (label, pressed, act) => {
      const button = make("button", "quiet", label);
      button.type = "button";
      button.setAttribute("aria-pressed", String(pressed));
      button.addEventListener("click", act);
      nav.append(button);
    };
    for (const other of siblings) {
      add(spaced(other.task), !this.whole && other === card, () => this.open(other));
    }
    add("all tasks", this.whole, () => {
      this.turn();
      this.card.querySelector(".siblings button:last-child").focus();
    });
    return [nav];
  }

  pictureOf(card) {
    const figure = make("figure", "picture");
    const picture = this.data.pictures[card.picture];
    if (!picture) {
      figure.append(make("p", "missing", card.note));
      return figure;
    }
    const image = make("img");
    [image.src, image.width, image.height] = picture;
    image.alt = `Picture of ${card.item}`;
    image.addEventListener("click", () => {
      // On a phone a picture is as wide as the page already.
      this.card.classList.toggle(matchMedia("(max-width: 720px)").matches ? "zoomed" : "wide");
      reachable(this.card);
    });
    figure.append(image);
    return figure;
  }

  // What is asked, right and answered; of an item shown whole, `first` has what all share.
  wordsOf(card, first = card) {
    const words = make("div", "words");
    const isFirst = !this.whole || card === this.siblings.get(first.item)[0];
    words.append(make("h3", "", this.data.tasks[card.task]));
    if (isFirst) words.append(this.whereOf(card), ...this.siblingsOf(first));
    else if (card.picture !== first.picture) words.append(this.pictureOf(card));
    const tags = make("ul", "tags");
    if (card.language) tags.append(make("li", "", LANGUAGES[card.language] ?? card.language));
    for (const [key, value] of card.attributes) tags.append(make("li", "", `${key} ${value}`));
    const gold = make("div", "gold");
    gold.append(make("span", "", "Gold"), this.block(card.gold || "none", card.language));
    if (isFirst) words.append(tags, ...(this.whole ? this.verdictsOf(card.item) : []));
    if (card.question) words.append(this.questionOf(card));
    words.append(gold);
    const wanted = this.wanted();
    for (const answer of card.answers) {
      if (wanted.model && answer.model !== wanted.model) continue;
      words.append(this.answerOf(answer, card, this.answerMatches(answer, wanted)));
    }
    return words;
  }

  whereOf(card) {
    const where = make("p", "where");
    const button = make("button", "quiet", "Copy link");
    button.type = "button";
    button.addEventListener("click", () => {
      this.remember();
      const state = new URLSearchParams();
      const link = location.href.split("#")[0] + address.with(this.shownAt(), state);
      say(button, copy(link) ? "Copied" : "It is in the address bar");
    });
    where.append(make("span", "", card.item), " ", button);
    return where;
  }

  // Who was right in what: models by tasks, for an item that is shown whole.
  verdictsOf(item) {
    const cards = this.siblings.get(item);
    const models = this.data.models.filter((name) => cards.some((c) => c.answers.some((a) => a.model === name)));
    if (cards.length < 2 || !models.length) return [];
    const table = make("table", "verdicts");
    const head = make("tr");
    head.append(make("td"), ...cards.map((card) => {
      const cell = make("th", "", spaced(card.task));
      cell.scope = "col";
      return cell;
    }));
    const rows = models.map((name) => {
      const row = make("tr");
      const first = make("th", "", name);
      first.scope = "row";
      row.append(first, ...cards.map((card) => this.verdictCell(card.answers.filter((a) => a.model === name))));
      return row;
    });
    const [thead, tbody, box] = [make("thead"), make("tbody"), make("div", "scroll")];
    thead.append(head);
    tbody.append(...rows);
    table.append(thead, tbody);
    box.append(table);
    return [box];
  }

  verdictCell(answers) {
    const cell = make("td");
    for (const answer of answers) {
      const ended = answer.outcome === "answered" ? "" : spaced(answer.outcome);
      const told = answer.verdict === "judged" ? answer.judged : VERDICTS[answer.verdict];
      const mark = make("span", `verdict ${answer.verdict}`, ended ? `${MARKS[answer.verdict]} ${ended}` : MARKS[answer.verdict] || told);
      mark.title = ended || told;
      cell.append(mark, " ");
    }
    return cell;
  }

  questionOf(card) {
    const text = this.block(card.question, card.language);
    const folds = card.question.length > LONG_QUESTION;
    const box = make(folds ? "details" : "div", "question");
    box.append(make(folds ? "summary" : "span", "", folds ? "Question as asked" : "Question"), text);
    return box;
  }

  judgementOf(judgement, answer, language) {
    const box = make("div", "judgement");
    const head = make("p", "aside");
    // The answer's own line says the same where there is one judgement.
    if (answer.judgements.length > 1) head.append(make("b", "", judgement.summary), " ");
    head.append(answer.judge);
    const parts = make("ul", "tags");
    for (const part of judgement.parts) parts.append(make("li", "", part));
    box.append(head, parts);
    if (judgement.reason) box.append(this.block(judgement.reason, language));
    for (const flag of judgement.flags) box.append(make("p", "aside flag", `flag: ${flag}`));
    return box;
  }

  block(text, language) {
    const block = make("div", "text", text);
    block.dir = "auto";
    if (language) block.lang = language;
    return block;
  }

  answerOf(answer, card, matches) {
    const box = make("div", matches ? "answer" : "answer other");
    const head = make("header");
    head.append(make("b", "", answer.model));
    if (answer.rater) head.append(make("span", "rater", answer.rater));
    else if (this.data.epochs) head.append(make("span", "", `epoch ${answer.epoch}`));
    const outcome = make("span", "outcome");
    outcome.append(make("i", `key ${answer.outcome}`), spaced(answer.outcome));
    head.append(outcome);
    if (answer.outcome === "answered") {
      const told = answer.verdict === "judged" ? answer.judged : VERDICTS[answer.verdict];
      head.append(make("span", `verdict ${answer.verdict}`, told));
      if (answer.scores.length) head.append(make("span", "own", answer.scores.join(" · ")));
    }
    box.append(head);
    const picture = this.data.pictures[answer.picture];
    if (picture) {
      const image = make("img", "edited");
      [image.src, image.width, image.height] = picture;
      image.alt = `answer of ${answer.model}`;
      box.append(image);
    } else box.append(answer.answer === null
      ? make("p", "text none", "no answer")
      : this.block(answer.answer || "(empty)", card.language));
    if (!picture && answer.parsed !== null && answer.parsed !== answer.answer) {
      const by = answer.reader ? `read by ${answer.reader} as: ` : "read as: ";
      box.append(make("p", "aside", `${by}${answer.parsed}`));
    }
    if (answer.reason) box.append(make("p", "aside", answer.reason));
    if (answer.reasoning) {
      const thought = make("details", "aside");
      thought.append(make("summary", "", "reasoning"), this.block(answer.reasoning, card.language));
      box.append(thought);
    }
    for (const one of answer.judgements) box.append(this.judgementOf(one, answer, card.language));
    return box;
  }
}


const browsers = [...document.querySelectorAll(".browser")].map((root) => new Browser(root));

// Opens the sample that the address names: here, or on the page beside this one that holds it.
const openAddressed = () => {
  const state = address.read();
  const item = state.get("item");
  if (!item) return;
  const named = browsers.filter((one) => !state.get("in") || one.chapter.name === state.get("in"));
  for (const browser of named) {
    const cards = browser.siblings.get(item);
    if (!cards) continue;
    const card = cards.find((one) => one.task === state.get("task"));
    browser.open(card ?? cards[0], !card && cards.length > 1);
    browser.root.querySelector(".pager").scrollIntoView({ behavior: "instant" });
    return;
  }
  for (const { chapter } of named) {
    const page = chapter.pages.find(([, items]) => items.includes(item));
    if (page) location.replace(`${page[0]}#${state}`);
  }
};

// Where not all items are here: finding one by its name, or by who was right about it.
const MOST_LINKS = 200;
for (const form of document.querySelectorAll(".find")) {
  const { name: benchmark, pages, index } = data.chapters[form.closest(".browser").dataset.chapter];
  const output = form.querySelector("output");
  const links = form.parentElement.querySelector(".matches");
  const items = pages.flatMap(([page, held]) => held.map((item) => [item, page]));
  const models = [...new Set(Object.values(index).flatMap((own) => Object.keys(own)))];
  const fill = (name, values) => {
    const select = form.elements[name];
    select.append(...values.map(([value, label]) => {
      const option = make("option", "", label);
      option.value = value;
      return option;
    }));
    select.closest("label").hidden = models.length < 2;
  };
  fill("task", Object.keys(index).map((task) => [task, spaced(task)]));
  fill("right", models.map((model) => [model, model]));
  fill("wrong", models.map((model) => [model, model]));

  const tasksOf = (at, right, wrong, only) => Object.keys(index).filter((task) => (!only || task === only)
    && (!right || index[task][right]?.[at] === "r") && (!wrong || index[task][wrong]?.[at] === "w"));
  const linkTo = ([item, page], task) => {
    const link = make("a", "", task ? `${item}, ${spaced(task)}` : item);
    link.href = `${page}#${new URLSearchParams({ item, in: benchmark, ...(task ? { task } : {}) })}`;
    return link;
  };
  const find = () => {
    const wanted = Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, value.trim()]));
    const found = [];
    items.forEach((one, at) => {
      if (wanted.wanted && !one[0].includes(wanted.wanted)) return;
      if (!wanted.right && !wanted.wrong) found.push([one]);
      else for (const task of tasksOf(at, wanted.right, wanted.wrong, wanted.task)) found.push([one, task]);
    });
    const exact = found.findIndex(([one]) => one[0] === wanted.wanted);
    if (exact > 0) found.unshift(...found.splice(exact, 1));
    return Object.values(wanted).some((value) => value) ? found : [];
  };
  const show = () => {
    const found = find();
    const asked = [...new FormData(form)].some(([, value]) => value.trim());
    const more = found.length > MOST_LINKS ? `, the first ${MOST_LINKS} of them` : "";
    output.textContent = asked ? (found.length ? `${found.length.toLocaleString("en")} found${more}` : "no such item") : "";
    links.replaceChildren(...found.slice(0, MOST_LINKS).map(([one, task]) => {
      const line = make("li");
      line.append(linkTo(one, task));
      return line;
    }));
    return found;
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [first] = show();
    if (first) location.href = linkTo(...first).href;
  });
}
