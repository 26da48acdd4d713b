"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const VERDICTS = {
    right: "right", partly: "partly right", wrong: "wrong",
    judged: "graded by a judge", open: "no right or wrong", unscored: "not scored",
  };
  const LONG_QUESTION = 420;
  const SENSITIVE = ".picture, .question, .gold, .answer";
  const LANGUAGES = { en: "English", zh: "Chinese" };

  // Every text from the data reaches the page through this function and nothing else.
  const make = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined && text !== null) node.textContent = String(text);
    return node;
  };
  const spaced = (name) => name.replace(/_/g, " ");

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

  const drawPlot = async (figure) => {
    const spec = data.chapters[figure.dataset.chapter].plots[figure.dataset.plot];
    const { title: _title, ...untitled } = spec;
    const canvas = figure.querySelector(".canvas");
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

  class Browser {
    constructor(root) {
      this.root = root;
      this.data = data.chapters[root.dataset.chapter].browser;
      this.form = root.querySelector(".filters");
      this.card = root.querySelector(".card");
      this.place = root.querySelector(".place");
      this.reset = root.querySelector("[data-reset]");
      this.steps = [...root.querySelectorAll("[data-step]")];
      this.searchable = this.data.cards.map((card) => this.textOf(card));
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
      options("verdict", present(Object.keys(VERDICTS), "verdict").map((name) => [name, VERDICTS[name]]));
      const languages = [...new Set(cards.map((card) => card.language))].filter((code) => code);
      options("language", languages.map((code) => [code, LANGUAGES[code] ?? code]));
      this.fillAttributes(cards);
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
      if (wanted.text && !this.searchable[index].includes(wanted.text.toLocaleLowerCase())) return false;
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
      while (this.whole && this.found[at]?.item === item) at += by;
      return this.found[at] ? at : this.at;
    }

    step(by) {
      this.at = this.next(by);
      this.show();
    }

    // Shows a question about the same item, whatever the filters; the model stays chosen.
    open(card) {
      this.whole = false;
      if (!this.found.includes(card)) {
        const model = this.form.elements.model.value;
        this.form.reset();
        this.form.elements.model.value = card.answers.some((a) => a.model === model) ? model : "";
        this.filter();
      }
      this.at = this.found.indexOf(card);
      this.show();
      this.card.querySelector(".siblings [aria-pressed=true]")?.focus();
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
      this.card.classList.toggle("harmful", card.harmful);
      this.card.classList.toggle("veiled", veiled);
      for (const part of this.card.querySelectorAll(SENSITIVE)) part.inert = veiled;
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
      const nav = make("nav", "siblings");
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
        this.whole = !this.whole;
        this.show();
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
      image.addEventListener("click", () => this.card.classList.toggle("wide"));
      figure.append(image);
      return figure;
    }

    // What is asked, right and answered; of an item shown whole, `first` has what all share.
    wordsOf(card, first = card) {
      const words = make("div", "words");
      const isFirst = !this.whole || card === this.siblings.get(first.item)[0];
      words.append(make("h3", "", this.data.tasks[card.task]));
      if (isFirst) words.append(make("p", "where", card.item), ...this.siblingsOf(first));
      else if (card.picture !== first.picture) words.append(this.pictureOf(card));
      const tags = make("ul", "tags");
      if (card.language) tags.append(make("li", "", LANGUAGES[card.language] ?? card.language));
      for (const [key, value] of card.attributes) tags.append(make("li", "", `${key} ${value}`));
      const gold = make("div", "gold");
      gold.append(make("span", "", "Gold"), this.block(card.gold || "none", card.language));
      if (isFirst) words.append(tags);
      if (card.question) words.append(this.questionOf(card));
      words.append(gold);
      const wanted = this.wanted();
      for (const answer of card.answers) {
        if (wanted.model && answer.model !== wanted.model) continue;
        words.append(this.answerOf(answer, card, this.answerMatches(answer, wanted)));
      }
      return words;
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

  // Another page of samples names the item it is opened for after the #.
  const asked = new URLSearchParams(location.hash.slice(1)).get("item");
  if (asked) {
    const browser = browsers.find((one) => one.data.cards.some((card) => card.item === asked));
    if (browser) {
      browser.form.elements.text.value = asked;
      browser.filter();
    }
  }
  for (const form of document.querySelectorAll(".find")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { pages } = data.chapters[form.closest(".browser").dataset.chapter];
      const name = form.elements.wanted.value.trim();
      const page = pages.find(([, items]) => items.includes(name))
        ?? pages.find(([, items]) => items.some((item) => item.includes(name)));
      if (!name || !page) {
        form.querySelector("output").textContent = name ? "no such item" : "";
        return;
      }
      const item = page[1].find((one) => one === name) ?? page[1].find((one) => one.includes(name));
      location.href = `${page[0]}#${new URLSearchParams({ item })}`;
    });
  }

  const inView = (root) => {
    const box = root.getBoundingClientRect();
    return box.top < innerHeight * 0.6 && box.bottom > innerHeight * 0.4;
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, .scroll")) return;
    const by = { ArrowLeft: -1, k: -1, ArrowRight: 1, j: 1 }[event.key];
    const browser = by && browsers.find((candidate) => inView(candidate.root));
    if (!browser) return;
    event.preventDefault();
    browser.step(by);
  });

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", (event) => {
      event.preventDefault();
      const block = document.getElementById(button.dataset.copy);
      block.closest("details").open = true;
      getSelection().selectAllChildren(block);
      button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
      setTimeout(() => { button.textContent = "Copy"; }, 1800);
    });
  }

  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });

  const drawAll = async () => {
    for (const figure of document.querySelectorAll("figure.plot")) {
      try {
        await drawPlot(figure);
      } catch (error) {
        figure.querySelector(".canvas").textContent = `This plot cannot be drawn: ${error.message}`;
      }
    }
    document.documentElement.dataset.ready = "true";
  };
  drawAll();
})();
