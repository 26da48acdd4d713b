"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const one = (selector, from = document) => from.querySelector(selector);
  const words = JSON.parse(document.body.dataset.words);
  const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);
  const made = (name, about = {}, ...inside) => {
    const element = Object.assign(document.createElement(name), about);
    element.append(...inside);
    return element;
  };
  const random = () => [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // As the server does it: characters that hide or reorder others are spelled out.
  const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu;
  const visible = (text) => text.replace(UNSEEN, (found) =>
    `⟦U+${found.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟧`);

  // ---- Saving. A form's answer is sent when it has changed, one request at a time; one that did
  // not get through is sent again under the same key, so that the server counts it once.
  const states = new WeakMap();
  const keys = new WeakMap();
  const keyOf = (form) => {
    if (!keys.has(form)) keys.set(form, random());
    return keys.get(form);
  };
  const questions = () => all("form.question");
  const asked = () => questions().filter((form) => !form.hidden);
  const values = (form) => new FormData(form).getAll("value").filter((value) => value !== "");
  const written = (form) => {
    const file = one("input[type=file]", form)?.files[0];
    return file ? `${file.name} ${file.size} ${file.lastModified}` : JSON.stringify(values(form));
  };
  const isAnswered = (form) => {
    if (form.dataset.draft !== undefined) return false;
    const file = one("input[type=file]", form);
    if (file) return file.files.length > 0 || file.dataset.hasFile !== undefined;
    return values(form).some((value) => value.trim() !== "");
  };
  const length = (text) => [...text.trim()].length;
  // Too little of something is not sent: the server would refuse it while it is still written.
  const isHeld = (form) => {
    const said = values(form);
    if (!said.length) return false;
    const text = one("[data-text]", form);
    if (text?.dataset.closed !== undefined) {
      return ![...text.list.options].some((option) => option.value === text.value.trim());
    }
    if (text) return length(text.value) > 0 && length(text.value) < Number(text.dataset.least);
    const least = one(".hint[data-least]:not([data-count])", form)?.dataset.least;
    return least !== undefined && said.length < Number(least);
  };
  const errorOf = (form) => one(".error", form);
  const told = (state) => {
    const line = one("#saved");
    if (line) line.replaceChildren(made("span", { textContent: words[state] }));
    if (line) line.firstChild.dataset.state = state;
  };
  // A page may stay open after its item was decided elsewhere: it says so, and where to go on.
  let isEnded = false;
  const end = (isOwn) => {
    if (isEnded) return;
    alarm(isOwn ? words.submitted : words.over);
    one("#alarm").append(" ", made("a", { href: "/work", textContent: words.go_on }));
    isEnded = true;
    told("over_short");
  };
  const isGone = (status) => status === 404 || status === 410;
  const alarm = (text) => {
    if (isEnded) return;
    const line = one("#alarm");
    line.textContent = text;
    line.hidden = !text;
  };
  let waiting = [];
  const tell = () => {
    const now = questions().map((form) => [form, states.get(form)]).filter(([, state]) => state);
    const some = (test) => now.some(([form, state]) => test(state, form));
    const trying = some((state) => state.tries > 0);
    alarm(trying ? words.unsaved : "");
    if (isEnded) told("over_short");
    else if (trying) told("unsaved");
    else if (some((state) => state.busy || state.timer)) told("saving");
    else if (some((state) => state.isMarked)) told("refused");
    else if (some((state) => state.refused !== null)) told("lost");
    else if (some((state, form) => written(form) !== state.kept && isHeld(form))) told("incomplete");
    else if (some((state) => state.was)) told("saved");
    const back = one(".undo button");
    if (back && back.dataset.back === undefined) {
      back.disabled = !some((state, form) => state.was || isAnswered(form));
    }
    if (some((state) => state.busy || state.timer)) return;
    const ready = waiting;
    waiting = [];
    for (const go of ready) go();
  };
  const push = (form, force = false) => {
    const state = states.get(form);
    if (!state || !form.isConnected) return;
    clearTimeout(state.timer);
    state.timer = 0;
    if (state.busy) return;
    const now = written(form);
    const isNew = force || (now !== state.kept && now !== state.refused);
    if (isNew && !isHeld(form)) {
      if (force || now !== state.sent) {
        keys.delete(form);
        state.tries = 0;
      }
      state.sent = now;
      state.busy = true;
      htmx.trigger(form, "save");
    } else if (now === state.kept) {
      Object.assign(state, { tries: 0, refused: null, isMarked: false });
      errorOf(form).textContent = "";
    }
    tell();
  };
  const pushLater = (form) => {
    const state = states.get(form);
    clearTimeout(state.timer);
    state.timer = setTimeout(push, 700, form);
    tell();
  };
  // No length, too large, wrong: what the server says stands at the question.
  const refusals = [411, 413, 422, 507];
  // Who is no longer logged in is led to another page; an answer is not kept there.
  const ledTo = (xhr) => xhr.getResponseHeader("HX-Redirect")
    ?? (xhr.responseURL ? new URL(xhr.responseURL).pathname : "");
  const isElsewhere = (xhr) => ledTo(xhr) === "/login";
  const finished = (form, xhr) => {
    if (!form.isConnected) return; // of a page that is gone
    const state = states.get(form);
    state.busy = false;
    const isLed = xhr.getResponseHeader("HX-Redirect") !== null;
    const status = isElsewhere(xhr) ? 401 : isLed ? 409 : xhr.status;
    if (status >= 200 && status < 300) {
      Object.assign(state, { kept: state.sent, tries: 0, refused: null, isMarked: false, was: true });
      keys.delete(form);
      errorOf(form).textContent = "";
      form.classList.remove("missing", "drafted");
      delete form.dataset.draft;
      one(".draft-note", form)?.remove();
    } else if (status === 0 || status >= 500 || status === 408 || status === 429) {
      state.tries += 1;
      state.timer = setTimeout(push, Math.min(15000, 500 * 2 ** state.tries), form);
    } else {
      Object.assign(state, { refused: state.sent, isMarked: refusals.includes(status), tries: 0 });
      keys.delete(form);
    }
    if (written(form) !== state.sent) push(form);
    tell();
    if (isGone(status)) end(status === 410);
    else if ([401, 403].includes(status)) alarm(words.ended);
    else if (status >= 400 && status < 500 && ![408, 429, ...refusals].includes(status)) {
      alarm(fill(words.failed, { status }));
    }
  };
  const flush = async () => {
    for (const form of questions()) push(form);
    await new Promise((resolve) => {
      waiting.push(resolve);
      tell();
    });
    return asked().find((form) => written(form) !== states.get(form).kept) ?? null;
  };

  const isQuestion = (element) => element.matches?.("form.question");
  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, verb, parameters, triggeringEvent } = event.detail;
    if (verb !== "get") parameters.key = keyOf(elt);
    // htmx knows only of buttons inside the form.
    const button = triggeringEvent?.submitter;
    if (button?.name) parameters[button.name] = button.value;
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { detail } = event;
    const from = detail.requestConfig.elt;
    if (isElsewhere(detail.xhr)) {
      detail.shouldSwap = false;
    } else if (detail.target.id === "main") {
      // What is left tells that it has changed while it is still the page.
      document.activeElement?.blur();
    } else if (isQuestion(from) && refusals.includes(detail.xhr.status)) {
      Object.assign(detail, { shouldSwap: true, isError: false });
      detail.target = errorOf(from);
      detail.swapOverride = "innerHTML";
    } else if (from.dataset.poll !== undefined && detail.xhr.status === 200) {
      const page = new DOMParser().parseFromString(detail.serverResponse, "text/html");
      const ended = one("[data-ended]", page);
      if (ended && !one("[data-ended]")) end(ended.dataset.ended === "own");
      const now = ["#messages", "#compare"].map((part) => one(part, page)?.innerHTML).join();
      if (now === root.dataset.talk) detail.shouldSwap = false;
      root.dataset.talk = now;
    }
  });
  // Nobody is led away from what they have written and is not kept.
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (isQuestion(requestConfig.elt) && xhr.getResponseHeader("HX-Redirect")) event.preventDefault();
  });
  // What comes next takes the place of what is shown. On the way there nothing can be changed here any
  // more, and keys do nothing: they are meant for the next page, and would change what is submitted.
  const isLeaving = () => Boolean(one("form[data-busy][hx-target='#main']"));
  let focused = null;
  const hold = () => {
    if (!isLeaving()) return;
    focused = document.activeElement;
    focused?.blur();
    one("#main").inert = true;
  };
  const release = () => {
    if (!one("#main").inert || isLeaving()) return;
    one("#main").inert = false;
    if (focused?.isConnected) focused.focus({ preventScroll: true });
  };
  // Words of a discussion that were not sent stay on the item's own page, and nowhere else.
  const isForgetting = (form) => {
    const say = one("#say");
    const isLeft = /\/(submit|disagree|skip)$/.test(form.action) && say?.value.trim();
    if (!isLeft || confirm(words.say_unsent)) return false;
    say.focus();
    return true;
  };
  // Everything but an answer waits until the answers are saved, and is sent once.
  document.addEventListener("htmx:confirm", async (event) => {
    const form = event.detail.elt;
    if (!form.matches("form") || isQuestion(form)) return;
    event.preventDefault();
    if (isEnded) one("#alarm a").focus();
    if (isEnded || form.dataset.busy || (form.dataset.sure && !confirm(form.dataset.sure))) return;
    if (form.id === "submit" && !isComplete()) return;
    if (isForgetting(form)) return;
    form.dataset.busy = "true";
    const unsaved = await flush();
    if (!isEnded && !(form.id === "submit" && unsaved)) {
      hold();
      event.detail.issueRequest(true);
      return;
    }
    delete form.dataset.busy;
    if (isEnded) one("#alarm a").focus();
    else turnTo(unsaved);
  });
  // Where a request was led to another page, that page's address is the one to come back to.
  const follow = (xhr, { path, elt }) => {
    const now = new URL(xhr.responseURL).pathname;
    if (elt.getAttribute("hx-target") !== "#main" || now === path || xhr.status >= 300) return;
    if (xhr.getResponseHeader("HX-Push-Url")) return;
    history.replaceState({ htmx: true }, "");
    history.pushState({ htmx: true }, "", now);
  };
  document.addEventListener("htmx:afterRequest", (event) => {
    const { xhr, requestConfig } = event.detail;
    const form = requestConfig.elt;
    if (isQuestion(form)) {
      finished(form, xhr);
      return;
    }
    if (!form.matches("form")) return;
    delete form.dataset.busy;
    release();
    if (isElsewhere(xhr)) {
      location.href = "/login";
    } else if (xhr.status === 0 || xhr.status >= 500) {
      alarm(words.unsent);
    } else {
      keys.delete(form);
      follow(xhr, requestConfig);
      if (isGone(xhr.status) && form.closest(".task")) end(xhr.status === 410);
      alarm(xhr.status >= 400 && xhr.status !== 422 ? fill(words.failed, { status: xhr.status }) : "");
      if (xhr.status < 300 && form.dataset.clears !== undefined) form.reset();
    }
  });
  addEventListener("online", () => questions().forEach((form) => {
    if (states.get(form)?.tries) push(form);
  }));
  addEventListener("pagehide", () => {
    for (const form of questions()) {
      const state = states.get(form);
      const now = written(form);
      const isKept = isEnded || now === state.kept || now === state.refused;
      if (isKept || isHeld(form) || one("input[type=file]", form)) continue;
      if (now !== state.sent) keys.delete(form);
      clearTimeout(state.timer);
      Object.assign(state, { sent: now, timer: 0 });
      const fields = new URLSearchParams(new FormData(form));
      fields.set("key", keyOf(form));
      navigator.sendBeacon(form.action, fields);
    }
  });
  addEventListener("beforeunload", (event) => {
    const isLosing = (form) => written(form) !== states.get(form).kept
      && (isHeld(form) || states.get(form).tries > 0 || states.get(form).refused !== null);
    if (!isEnded && asked().some(isLosing)) event.preventDefault();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) for (const form of questions()) if (states.get(form)?.timer) push(form);
  });
  // A form without htmx is sent once, too.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (isQuestion(form)) {
      event.preventDefault();
      push(form);
      step(1, form);
    } else if (!form.hasAttribute("hx-post") && form.method === "post") {
      // By now the page may show another task than the one that it was loaded with.
      const isWork = /^\/(t\/|work$)/.test(location.pathname);
      if (isWork && form.matches(".languages")) form.elements.back.value = location.pathname;
      const { busy, sure } = form.dataset;
      if (busy || (sure && !confirm(sure))) event.preventDefault();
      else form.dataset.busy = "true";
    }
  });
  addEventListener("pageshow", () => {
    for (const form of all("form[data-busy]")) delete form.dataset.busy;
    release();
    for (const form of questions()) push(form);
  });

  // ---- Which question is asked, and which one keys are for.
  const conditions = () => {
    for (const form of questions()) {
      // What cannot be changed any more says nothing by its fields.
      if (!form.dataset.when || one("[data-ended]") || one("fieldset:disabled", form)) continue;
      const { question, values: wanted } = JSON.parse(form.dataset.when);
      const other = document.getElementById(`q-${question}`);
      form.hidden = !other || !values(other).some((value) => wanted.includes(value));
    }
    asked().forEach((form, at) => {
      one(".nr", form).textContent = at + 1;
    });
  };
  const changed = (form) => {
    conditions();
    if (isAnswered(form)) {
      form.classList.remove("missing");
      if (!states.get(form).refused) errorOf(form).textContent = "";
    }
  };
  let current = null;
  const mark = (form) => {
    one(".question.current")?.classList.remove("current");
    current = form?.id ?? null;
    form?.classList.add("current");
    all(".layer").forEach((layer) => layer.classList.toggle("active", layer.dataset.of === current));
  };
  const currentForm = () => {
    const form = current && document.getElementById(current);
    return form && !form.hidden ? form : asked()[0] ?? null;
  };
  const turnTo = (form) => {
    mark(form);
    const places = "input:checked, .pick button[tabindex='0'], input:not([type=hidden]), textarea, button";
    const place = one("input:checked", form) ?? one(places, form);
    place?.focus({ preventScroll: true });
    form.scrollIntoView({ block: "nearest" });
  };
  const step = (by, from = currentForm()) => {
    const forms = asked();
    const next = forms[forms.indexOf(from) + by];
    if (next) turnTo(next);
    else if (by > 0) one("#submit button")?.focus();
  };
  const isComplete = () => {
    const open = asked().filter((form) => form.dataset.required !== undefined && !isAnswered(form));
    for (const form of open) {
      form.classList.add("missing");
      if (!errorOf(form).textContent) errorOf(form).textContent = words.needs_answer;
    }
    if (open.length) turnTo(open[0]);
    return !open.length;
  };
  document.addEventListener("focusin", (event) => {
    const form = event.target.closest("form.question");
    if (form) mark(form);
  });

  // ---- Fields.
  const count = (text) => {
    const line = one("[data-count]", text.closest("form"));
    if (!line) return;
    const { least, most } = line.dataset;
    const now = length(text.value);
    const isShort = now > 0 && now < Number(least);
    const isEmpty = now === 0 && Number(least) > 1;
    const said = isEmpty ? words.characters_from : isShort ? words.characters_least : words.characters;
    line.textContent = fill(said, { count: now, least, most });
    // A limit is of interest where it is near.
    line.hidden = !isShort && Number(least) < 2 && Number(most) > 300 && now < 0.7 * Number(most);
    line.classList.toggle("over", now > Number(most) || isShort);
  };
  const touch = (range) => {
    range.name = "value";
    range.removeAttribute("aria-valuetext");
    delete range.dataset.untouched;
    const form = range.closest("form");
    one("output", form).textContent = range.value;
    one(".untouched", form)?.remove();
  };
  const tick = (box) => {
    const others = all("input[type=checkbox]", box.closest(".options")).filter((one) => one !== box);
    if (!box.checked) return;
    for (const other of others) {
      if (box.dataset.alone !== undefined || other.dataset.alone !== undefined) other.checked = false;
    }
    const hint = one(".hint[data-most]", box.form);
    if (hint && values(box.form).length > Number(hint.dataset.most)) {
      box.checked = false;
      hint.classList.add("over");
    } else hint?.classList.remove("over");
  };
  const preview = async (input) => {
    const canvas = one(".preview", input.form);
    canvas.hidden = true;
    if (!input.files[0]) return;
    try {
      const picture = await createImageBitmap(input.files[0]);
      const scale = Math.min(1, 640 / Math.max(picture.width, picture.height));
      canvas.width = Math.max(1, picture.width * scale);
      canvas.height = Math.max(1, picture.height * scale);
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
      canvas.hidden = false;
      one(".frame", input.form)?.remove();
    } catch {
      canvas.hidden = true; // the server says what is wrong with the file
    }
  };
  const isWritten = "[data-text], [data-panel], [data-typed], input[type=number]";
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form.question");
    if (!form) return;
    if (event.target.type === "range") touch(event.target);
    if (event.target.matches("[data-text]")) count(event.target);
    started.get(form)?.input?.(event.target);
    if (!event.target.matches(isWritten)) return;
    changed(form);
    pushLater(form);
  });
  document.addEventListener("change", (event) => {
    const { target } = event;
    if (target.closest("#review")) decide();
    const form = target.closest("form.question");
    if (!form) return;
    if (target.type === "checkbox") tick(target);
    if (target.type === "range") touch(target);
    if (target.type === "file") preview(target);
    changed(form);
    push(form);
  });
  document.addEventListener("focusout", (event) => {
    const form = event.target.closest("form.question");
    if (form && states.get(form)?.timer && !states.get(form).tries) push(form);
  });
  document.addEventListener("pointerup", (event) => {
    // A slider that is set to where it stood already says nothing by itself.
    if (!event.target.matches?.("input[data-untouched]")) return;
    touch(event.target);
    changed(event.target.form);
    push(event.target.form);
  });
  const keep = (form, value) => {
    one("input[name=value]", form).value = value;
    changed(form);
    push(form);
  };
  // Whoever ticks enough points accepts; else the words go back.
  const decide = () => {
    const form = one("#review");
    if (!form) return;
    const enough = all("input:checked", form).length >= Number(form.dataset.needed);
    const [back, accept] = ["return", "accept"].map((name) => one(`[form=review][value=${name}]`));
    accept.disabled = !enough;
    accept.classList.toggle("primary", enough);
    back.classList.toggle("primary", !enough);
  };

  // ---- Words of a text: every one is a button, and those from the first to the last are chosen.
  const PIECE = /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_][\p{L}\p{N}\p{M}_'’-]*|\p{RI}\p{RI}|.[\p{M}\p{EMod}\ufe0f]*(?:\u200d\p{Extended_Pictographic}\ufe0f?)*/gsu;
  class Picking {
    constructor(form, box, choose) {
      this.form = form;
      this.part = box.dataset.part;
      this.letters = [...JSON.parse(box.dataset.words)];
      this.pieces = [];
      this.range = null;
      this.choose = choose;
      let at = 0;
      for (const [piece] of this.letters.join("").matchAll(PIECE)) {
        const end = at + [...piece].length;
        if (/\S/.test(piece)) {
          const button = made("button", { type: "button", className: "word", tabIndex: -1 }, visible(piece));
          button.setAttribute("aria-pressed", "false");
          this.pieces.push({ button, start: at, end });
          box.append(button);
        } else box.append(piece);
        at = end;
      }
      if (this.pieces.length) this.pieces[0].button.tabIndex = 0;
      this.listen(box);
    }

    at(element) {
      return this.pieces.findIndex(({ button }) => button === element?.closest?.("button.word"));
    }

    listen(box) {
      let anchor = -1;
      let isDragged = false;
      box.addEventListener("pointerdown", (event) => {
        anchor = event.button === 0 ? this.at(event.target) : -1;
        isDragged = false;
      });
      box.addEventListener("pointermove", (event) => {
        if (anchor < 0 || !event.buttons) return;
        const here = this.at(document.elementFromPoint(event.clientX, event.clientY));
        if (here < 0 || (here === anchor && !isDragged)) return;
        isDragged = true;
        this.set(Math.min(anchor, here), Math.max(anchor, here), false);
      });
      box.addEventListener("click", (event) => {
        const here = this.at(event.target);
        if (isDragged) this.choose(this);
        else if (here >= 0) this.press(here);
        isDragged = false;
        anchor = -1;
      });
      box.addEventListener("pointerup", () => {
        // Where a drag ends on another word no click follows.
        if (isDragged) this.choose(this);
        anchor = -1;
      });
      box.addEventListener("keydown", (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
        const here = this.at(event.target);
        const to = here + by;
        if (!by || here < 0 || to < 0 || to >= this.pieces.length) return;
        event.preventDefault();
        this.pieces[here].button.tabIndex = -1;
        this.pieces[to].button.tabIndex = 0;
        this.pieces[to].button.focus();
        if (event.shiftKey) {
          const [from, until] = this.range ?? [here, here];
          this.set(...(here === from && here !== until ? [to, until] : here === until ? [from, to].sort((a, b) => a - b) : [Math.min(here, to), Math.max(here, to)]));
        }
      });
    }

    press(here) {
      // The first word, then the last one; where both are chosen, a word begins anew.
      const [from, to] = this.range ?? [null, null];
      if (from === null || from !== to) this.set(here, here);
      else if (here === from) this.set(null);
      else this.set(Math.min(from, here), Math.max(to, here));
    }

    set(from, to, isFinal = true) {
      this.range = from === null ? null : [from, to];
      this.pieces.forEach(({ button }, at) => {
        button.setAttribute("aria-pressed", String(from !== null && at >= from && at <= to));
      });
      if (isFinal) this.choose(this);
    }

    get value() {
      if (!this.range) return null;
      const [{ start }, { end }] = this.range.map((at) => this.pieces[at]);
      return { text: this.letters.slice(start, end).join(""), part: this.part, start, end };
    }
  }
  const startSpan = (form) => {
    const field = one("input[name=value]", form);
    const typed = one("[data-typed]", form);
    const line = one("[data-picked]", form);
    const show = (value) => {
      line.hidden = !value;
      one("q", line).textContent = value ? visible(value.text) : "";
    };
    const pickings = all(".pick", form).map((box) => new Picking(form, box, (chosen) => {
      for (const other of pickings) if (other !== chosen && other.range) other.set(null, null, false);
      if (typed) typed.value = "";
      show(chosen.value);
      keep(form, chosen.value ? JSON.stringify(chosen.value) : "");
    }));
    const forget = () => pickings.forEach((picking) => picking.set(null, null, false));
    one("[data-clear]", form).addEventListener("click", () => {
      forget();
      show(null);
      keep(form, "");
    });
    const said = field.value ? JSON.parse(field.value) : null;
    const text = typeof said === "string" ? said : said?.text;
    const place = pickings.find((picking) => said && picking.part === said.part);
    if (place) {
      const inside = place.pieces.flatMap(({ start, end }, at) => (start < said.end && end > said.start ? [at] : []));
      if (inside.length) place.set(inside[0], inside.at(-1), false);
      show(said);
    } else if (text && typed) typed.value = text;
    return {
      input: (element) => {
        const now = element.value.trim();
        forget();
        show(null);
        field.value = now ? JSON.stringify({ text: now }) : "";
      },
    };
  };

  // ---- The text of each panel.
  class Transcribing {
    constructor(form) {
      this.areas = all("[data-panel]", form);
      this.field = one("input[name=value]", form);
      one("[data-no-text]", form).addEventListener("click", () => {
        for (const area of this.areas) area.value = "";
        keep(form, this.value);
      });
    }

    get value() {
      return JSON.stringify(Object.fromEntries(this.areas.map((area) => [area.dataset.panel, area.value])));
    }

    input() {
      this.field.value = this.areas.some((area) => area.value.trim()) ? this.value : "";
    }
  }

  // ---- Boxes on a picture, as shares of its sides.
  const near = (value) => Math.round(Math.min(1, Math.max(0, value)) * 10000) / 10000;
  const LEAST = 0.02;
  class Boxing {
    constructor(form) {
      this.form = form;
      const boxing = one(".boxing", form);
      this.list = one(".box-list", form);
      this.boxes = JSON.parse(one("input[name=value]", form).value || "[]");
      const frame = one(`.stage .frame[data-part="${CSS.escape(boxing.dataset.of)}"]`);
      this.layer = made("div", { className: "layer" });
      this.layer.dataset.of = form.id;
      frame?.append(this.layer);
      this.drawer = one("[data-draw]", form);
      this.drawing(matchMedia("(pointer: fine)").matches);
      this.drawer.addEventListener("click", () => this.drawing(!this.isDrawing));
      one("[data-add-box]", form).addEventListener("click", () => {
        const shift = (this.boxes.length % 8) * 0.04;
        this.boxes.push({ x1: 0.1 + shift, y1: 0.1 + shift, x2: 0.4 + shift, y2: 0.4 + shift });
        this.done();
        this.layer.lastElementChild.focus();
        this.layer.scrollIntoView({ block: "nearest" });
      });
      this.listen();
      this.show();
    }

    drawing(on) {
      this.isDrawing = on;
      this.layer.classList.toggle("pen", on);
      this.drawer.setAttribute("aria-pressed", String(on));
    }

    about(box, number) {
      const share = (value) => Math.round(100 * value);
      const { x1, y1, x2, y2 } = box;
      return fill(words.box, { number, x: share(x1), y: share(y1), width: share(x2 - x1), height: share(y2 - y1) });
    }

    place(element, box, number) {
      const share = (value) => `${100 * value}%`;
      Object.assign(element.style, { left: share(box.x1), top: share(box.y1), width: share(box.x2 - box.x1), height: share(box.y2 - box.y1) });
      element.setAttribute("aria-label", this.about(box, number));
    }

    show() {
      const corners = ["nw", "ne", "sw", "se"];
      this.layer.replaceChildren(...this.boxes.map((box, at) => {
        const element = made("div", { className: "box", tabIndex: 0 }, made("b", { textContent: at + 1 }));
        element.setAttribute("role", "button");
        for (const corner of corners) element.append(made("i", { className: `corner ${corner}` }));
        this.place(element, box, at + 1);
        return element;
      }));
      this.list.replaceChildren(...this.boxes.map((box, at) => {
        const short = fill(words.box_short, { number: at + 1 });
        const name = made("button", { type: "button", className: "quiet", textContent: short });
        name.addEventListener("click", () => this.layer.children[at].focus());
        const remove = made("button", { type: "button", className: "quiet", textContent: "✕" });
        remove.setAttribute("aria-label", fill(words.remove, { what: short }));
        remove.addEventListener("click", () => this.remove(at));
        return made("li", {}, name, remove);
      }));
    }

    done(focus = -1) {
      this.boxes = this.boxes.map(({ x1, y1, x2, y2 }) => ({ x1: near(x1), y1: near(y1), x2: near(x2), y2: near(y2) }));
      this.show();
      if (focus >= 0) this.layer.children[focus]?.focus({ preventScroll: true });
      keep(this.form, this.boxes.length ? JSON.stringify(this.boxes) : "");
    }

    remove(at) {
      this.boxes.splice(at, 1);
      this.done(Math.min(at, this.boxes.length - 1));
      if (!this.boxes.length) one("[data-add-box]", this.form).focus();
    }

    reshape(box, corner, x, y) {
      if (corner.includes("w")) box.x1 = Math.min(x, box.x2 - LEAST);
      if (corner.includes("e")) box.x2 = Math.max(x, box.x1 + LEAST);
      if (corner.includes("n")) box.y1 = Math.min(y, box.y2 - LEAST);
      if (corner.includes("s")) box.y2 = Math.max(y, box.y1 + LEAST);
    }

    shift(box, dx, dy) {
      const right = Math.min(1 - box.x2, Math.max(-box.x1, dx));
      const down = Math.min(1 - box.y2, Math.max(-box.y1, dy));
      Object.assign(box, { x1: box.x1 + right, x2: box.x2 + right, y1: box.y1 + down, y2: box.y2 + down });
    }

    listen() {
      const at = (event) => {
        const { left, top, width, height } = this.layer.getBoundingClientRect();
        return [near((event.clientX - left) / width), near((event.clientY - top) / height)];
      };
      let held = null;
      this.layer.addEventListener("pointerdown", (event) => {
        const element = event.target.closest(".box");
        if (event.button !== 0 || (!element && !this.isDrawing)) return;
        event.preventDefault();
        const [x, y] = at(event);
        const corner = ["nw", "ne", "sw", "se"].find((name) => event.target.classList.contains(name));
        const number = element ? [...this.layer.children].indexOf(element) : -1;
        held = { number, corner, x, y, isNew: !element };
        element?.focus({ preventScroll: true });
        this.layer.setPointerCapture(event.pointerId);
      });
      this.layer.addEventListener("pointermove", (event) => {
        if (!held) return;
        const [x, y] = at(event);
        if (held.isNew) {
          const sides = { x1: Math.min(held.x, x), x2: Math.max(held.x, x), y1: Math.min(held.y, y), y2: Math.max(held.y, y) };
          if (held.number < 0) {
            if (sides.x2 - sides.x1 < LEAST || sides.y2 - sides.y1 < LEAST) return;
            held.number = this.boxes.push(sides) - 1;
            this.show();
          } else Object.assign(this.boxes[held.number], sides);
        } else if (held.corner) this.reshape(this.boxes[held.number], held.corner, x, y);
        else {
          this.shift(this.boxes[held.number], x - held.x, y - held.y);
          Object.assign(held, { x, y });
        }
        this.place(this.layer.children[held.number], this.boxes[held.number], held.number + 1);
      });
      const release = () => {
        if (held && held.number >= 0) this.done(held.number);
        held = null;
      };
      this.layer.addEventListener("pointerup", release);
      this.layer.addEventListener("pointercancel", release);
      this.layer.addEventListener("keydown", (event) => {
        const number = [...this.layer.children].indexOf(event.target);
        const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
        if (number < 0) return;
        if (event.key === "Delete" || event.key === "Backspace") this.remove(number);
        else if (dx !== undefined) {
          const box = this.boxes[number];
          if (event.shiftKey) this.reshape(box, "se", near(box.x2 + dx * 0.01), near(box.y2 + dy * 0.01));
          else this.shift(box, dx * 0.01, dy * 0.01);
          this.done(number);
        } else return;
        event.preventDefault();
        event.stopPropagation();
      });
    }
  }

  // ---- An order: dragged, moved by buttons, or typed.
  class Ordering {
    constructor(form) {
      this.form = form;
      this.list = one(".ordering", form);
      this.typed = 0;
      one("[data-keep-order]", form)?.addEventListener("click", () => this.done());
      this.list.addEventListener("click", (event) => {
        const button = event.target.closest("[data-move]");
        if (!button) return;
        const entry = button.closest("li");
        const other = button.dataset.move === "1" ? entry.nextElementSibling : entry.previousElementSibling;
        if (!other) return;
        if (button.dataset.move === "1") other.after(entry);
        else other.before(entry);
        button.focus();
        this.done();
      });
      this.list.addEventListener("focusout", () => { this.typed = 0; });
      this.drag();
    }

    drag() {
      let entry = null;
      this.list.addEventListener("pointerdown", (event) => {
        if (event.target.closest("button") || event.button !== 0) return;
        entry = event.target.closest("li");
        if (!entry) return;
        event.preventDefault();
        entry.classList.add("dragged");
        this.list.setPointerCapture(event.pointerId);
      });
      this.list.addEventListener("pointermove", (event) => {
        if (!entry) return;
        const over = document.elementsFromPoint(event.clientX, event.clientY).find((element) => element.parentElement === this.list && element !== entry);
        if (!over) return;
        const isBefore = over.compareDocumentPosition(entry) & Node.DOCUMENT_POSITION_FOLLOWING;
        if (isBefore) over.before(entry);
        else over.after(entry);
      });
      const release = () => {
        entry?.classList.remove("dragged");
        if (entry) this.done();
        entry = null;
      };
      this.list.addEventListener("pointerup", release);
      this.list.addEventListener("pointercancel", release);
    }

    // The first number that is typed comes first, and so on.
    key(name) {
      const entry = [...this.list.children].find((item) => item.dataset.value === name);
      if (!entry) return false;
      const at = this.typed % this.list.children.length;
      const place = this.list.children[at];
      if (place !== entry) place.before(entry);
      this.typed = at + 1;
      this.done();
      return true;
    }

    done() {
      one("[data-keep-order]", this.form)?.remove();
      keep(this.form, JSON.stringify([...this.list.children].map((item) => item.dataset.value)));
    }
  }

  // ---- Widgets that are more than fields, by the kind of question: each is started with the form,
  // and may be told what is written in it (`input`), or which key was pressed (`key`).
  const widgets = {
    span: startSpan,
    transcription: (form) => new Transcribing(form),
    boxes: (form) => new Boxing(form),
    order: (form) => new Ordering(form),
  };
  const started = new WeakMap();

  // ---- Pictures at their own size, and what stays blurred until it is asked for.
  const zoomed = one("#zoom");
  const zoom = (picture) => {
    if (!picture || !zoomed) return;
    const image = one("img", zoomed);
    image.src = picture.currentSrc || picture.src;
    image.alt = picture.alt;
    zoomed.classList.remove("full");
    zoomed.showModal();
  };
  zoomed?.addEventListener("click", (event) => {
    if (event.target.tagName !== "IMG") {
      if (!event.target.closest("button")) zoomed.close();
      return;
    }
    const { left, top, width, height } = event.target.getBoundingClientRect();
    const [x, y] = [(event.clientX - left) / width, (event.clientY - top) / height];
    if (!zoomed.classList.toggle("full")) return;
    const pan = one(".pan", zoomed);
    pan.scrollTo(x * pan.scrollWidth - pan.clientWidth / 2, y * pan.scrollHeight - pan.clientHeight / 2);
  });
  const unveiled = new Set();
  const cover = () => {
    const task = one(".task.harmful");
    if (!task) return;
    const isOpen = unveiled.has(task.dataset.task);
    task.classList.toggle("veiled", !isOpen);
    for (const part of all(".sensitive", task)) part.inert = !isOpen;
    for (const button of all("[data-unveil]", task)) {
      button.textContent = isOpen ? words.veil : words.show;
      button.setAttribute("aria-pressed", String(isOpen));
    }
  };
  const unveil = (button) => {
    const { task } = button.closest(".task").dataset;
    if (!unveiled.delete(task)) unveiled.add(task);
    cover();
  };

  // ---- Strips that are wider than the screen: where they are cut, and where they begin.
  const edges = (frame) => {
    const rest = frame.scrollWidth - frame.clientWidth;
    if (rest > 2 && frame.dataset.fromRight === "") {
      frame.dataset.fromRight = "begun";
      frame.scrollLeft = rest;
    }
    frame.classList.toggle("more-left", frame.scrollLeft > 2);
    frame.classList.toggle("more-right", frame.scrollLeft < rest - 2);
  };
  const sized = new ResizeObserver((found) => found.forEach(({ target }) => edges(target.closest(".frame"))));
  const watch = () => {
    for (const frame of all(".strip .frame")) {
      sized.observe(frame);
      sized.observe(one("img", frame));
    }
  };
  document.addEventListener("scroll", ({ target }) => {
    if (target.matches?.(".strip .frame")) edges(target);
  }, true);

  // ---- Clicks.
  const accept = (form) => {
    if (form?.dataset.draft === undefined) return;
    push(form, true);
    step(1, form);
  };
  const clicks = {
    zoom: (button) => zoom(one("img", button)),
    unveil,
    open: (button) => one(`#${button.dataset.open}`).showModal(),
    close: (button) => button.closest("dialog").close(),
    accept: (button) => accept(button.closest("form")),
    unset: (button) => {
      const form = button.closest("form");
      for (const input of all("input:checked", form)) input.checked = false;
      for (const range of all("input[type=range]", form)) {
        range.removeAttribute("name");
        range.dataset.untouched = "";
        one("output", form).textContent = "–";
      }
      changed(form);
      push(form);
    },
    fill: (button) => {
      const field = one(`#${button.dataset.fill}`);
      field.value = button.textContent;
      field.focus();
    },
    fold: (button) => {
      const isFolded = button.closest(".stage").classList.toggle("folded");
      button.setAttribute("aria-label", isFolded ? words.unfold : words.fold);
      button.setAttribute("aria-expanded", String(!isFolded));
    },
    copy: async (button) => {
      await navigator.clipboard?.writeText(button.dataset.copy);
      button.textContent = words.copied;
    },
  };
  const chosen = Object.keys(clicks).map((name) => `[data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}]`);
  document.addEventListener("click", (event) => {
    const button = event.target.closest(chosen.join());
    const card = event.target.closest(".card-body:not([inert])");
    if (card && !button && !event.target.closest("video, audio") && getSelection().isCollapsed) {
      one("input", card.parentElement).click();
    }
    if (!button) return;
    for (const name of Object.keys(clicks)) if (button.dataset[name] !== undefined) clicks[name](button);
  });

  // ---- Keys. None of them does anything while somebody writes, but to submit and to stop.
  const choose = (key) => {
    const form = one("#review") && !asked().length ? one("#review") : currentForm();
    if (!form) return false;
    if (started.get(form)?.key) return started.get(form).key(key);
    const input = one(`input[data-key="${CSS.escape(key)}"], input[data-key-too="${CSS.escape(key)}"]`, form);
    if (!input) return false;
    input.focus({ preventScroll: true });
    input.checked = input.type === "radio" || !input.checked;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    if (input.type === "radio") step(1, form);
    return true;
  };
  const submit = () => {
    const on = one("[data-go-on]");
    const review = one("#review");
    if (on) on.click();
    else if (review) one("[form=review].primary").click();
    else one("#submit")?.requestSubmit();
  };
  const undo = () => {
    if (!one(".undo button")?.disabled) one(".undo")?.requestSubmit();
  };
  const shortcuts = {
    j: () => step(1),
    k: () => step(-1),
    u: undo,
    s: () => one("[data-open=skipping]")?.click(),
    y: () => (currentForm()?.dataset.draft === undefined ? choose("y") : accept(currentForm())),
    z: () => zoom(one(".stage .sensitive:not([inert]) img") ?? one(".card-body:not([inert]) img")),
    "?": () => one("#keys")?.showModal(),
    Enter: submit,
  };
  const typing = "textarea, select, input:not([type=radio], [type=checkbox], [type=range], [type=file])";
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.isComposing || event.altKey || (event.repeat && key === "Enter")) return;
    if (isLeaving()) return;
    const open = one("dialog[open]");
    if (open) {
      if ((open.id === "zoom" && key === "z") || (open.id === "keys" && key === "?")) open.close();
      return;
    }
    const isTyping = target.closest(typing);
    if (event.ctrlKey || event.metaKey) {
      if (key === "Enter") {
        event.preventDefault();
        if (target.closest(".say")) target.form.requestSubmit();
        else submit();
      } else if (key === "z" && !isTyping && !event.shiftKey && one(".task")) {
        event.preventDefault();
        undo();
      }
      return;
    }
    if (isTyping) {
      if (key === "Escape") target.blur();
      return;
    }
    if (key === "Enter" && target.closest("a, button, summary, video, audio, [role=button]")) return;
    // Enter goes on, and says nothing of a slider that nobody has moved.
    if (target.matches("input[data-untouched]") && key === " ") {
      touch(target);
      changed(target.form);
      push(target.form);
      event.preventDefault();
      return;
    }
    if (!one(".task") || target.closest("video, audio")) return;
    const small = key.length === 1 ? key.toLowerCase() : key;
    if (shortcuts[small]) {
      event.preventDefault();
      shortcuts[small]();
    } else if (key.length === 1 && choose(small)) event.preventDefault();
  });

  // ---- A page, or a part of one that was put in place.
  let shownTask = null;
  const start = () => {
    for (const form of questions()) {
      if (states.has(form)) continue;
      states.set(form, {
        kept: written(form), sent: null, refused: null, isMarked: false, tries: 0, timer: 0, busy: false, was: false,
      });
      if (form.dataset.kind in widgets) started.set(form, widgets[form.dataset.kind](form));
      all("[data-text]", form).forEach(count);
    }
    conditions();
    cover();
    watch();
    decide();
    tell();
    const task = one(".task");
    const isOther = shownTask !== null && task && shownTask !== task;
    if (task === shownTask) return;
    const isSame = isOther && shownTask.dataset.task === task.dataset.task;
    shownTask = task;
    isEnded = false;
    const open = asked().find((form) => !isAnswered(form)) ?? asked()[0] ?? null;
    mark((isSame && current && document.getElementById(current)) || open);
    if (!isOther) return;
    if (isSame && one(".question.missing")) turnTo(one(".question.missing"));
    else one("#feedback, .task h1")?.focus({ preventScroll: isSame });
  };
  document.addEventListener("DOMContentLoaded", () => {
    htmx.onLoad(start);
    start();
    root.dataset.ready = "true";
  });
})();
