"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const one = (selector, from = document) => from.querySelector(selector);

  // What is marked as harmful stays blurred, and out of reach, until it is asked for; what was
  // asked for stays so while the page is open.
  const asked = new Set();
  const nameOf = (box) => box.dataset.answer ?? "item";
  const veil = (box) => {
    const open = asked.has(nameOf(box));
    box.classList.toggle("veiled", !open);
    for (const part of all(".sensitive", box)) part.inert = !open;
    const button = one(".unveil", box);
    if (!button) return;
    button.textContent = open ? "Blur it again" : "Show it";
    button.setAttribute("aria-pressed", String(open));
  };
  const veilAll = () => all(".harmful").forEach(veil);
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".unveil");
    if (!button) return;
    const box = button.closest(".harmful");
    if (!asked.delete(nameOf(box))) asked.add(nameOf(box));
    veil(box);
  });

  // On a phone the filters stand folded above the answers.
  const choosing = one(".choosing");
  if (choosing && matchMedia("(max-width: 720px)").matches) choosing.open = false;

  // Filters apply as they are set; the words of a search when Enter is pressed.
  const filters = one("form.filters");
  const submit = () => {
    const set = new URLSearchParams(new FormData(filters));
    for (const [name, value] of [...set]) if (!value) set.delete(name);
    location.href = `/answers${set.size ? `?${set}` : ""}`;
  };
  filters?.addEventListener("change", (event) => {
    if (event.target.name === "benchmark") {
      for (const name of ["task", "attribute"]) if (filters.elements[name]) filters.elements[name].value = "";
    }
    const { right, wrong } = filters.elements;
    if ([right, wrong].includes(event.target) && Boolean(right.value) !== Boolean(wrong.value)) return;
    if (event.target.name !== "text") submit();
  });
  filters?.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });

  // The selected answer: by j and k, by a click, or by the address.
  let selected = null;
  const answers = () => all("[data-answer]");
  const select = (box, move = true) => {
    for (const other of all(".selected")) other.classList.remove("selected");
    selected = box?.dataset.answer ?? null;
    if (!box) return;
    box.classList.add("selected");
    if (!move) return;
    box.focus({ preventScroll: true });
    box.scrollIntoView({ block: "nearest" });
  };
  const current = () => answers().find((box) => box.dataset.answer === selected);
  const step = (by) => {
    const boxes = answers();
    const at = boxes.indexOf(current());
    const next = boxes[at < 0 ? (by > 0 ? 0 : boxes.length - 1) : at + by];
    if (next) select(next);
  };
  document.addEventListener("click", (event) => {
    const box = event.target.closest("[data-answer]");
    if (box) select(box, false);
  });

  const openMark = (field) => {
    const box = current() ?? answers()[0];
    if (!box) return;
    select(box);
    const details = one(".mark", box);
    details.open = true;
    const place = one(`[name=${field}]`, details);
    place?.focus({ preventScroll: true });
    // What is typed next is a tag of its own.
    if (field === "tags" && place && /[^,\s]\s*$/.test(place.value)) place.value = `${place.value.trimEnd()}, `;
    details.scrollIntoView({ block: "nearest" });
  };
  const follow = (selector) => {
    const link = one(selector);
    if (link) location.href = link.href;
  };
  const keys = {
    j: () => step(1),
    k: () => step(-1),
    t: () => openMark("tags"),
    n: () => openMark("note"),
    u: () => follow(".up"),
    Enter: () => {
      const link = current() && one(".open", current());
      if (link) location.href = link.href;
    },
    ArrowLeft: () => follow("a[rel=prev]"),
    ArrowRight: () => follow("a[rel=next]"),
    "/": () => {
      const search = one("form.filters input[type=search]");
      if (search) {
        choosing.open = true;
        search.select();
      }
      else location.href = "/answers#search";
    },
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea");
    if (event.key === "Escape" && typing) {
      const box = typing.closest("[data-answer]");
      typing.blur();
      if (box) {
        one(".mark", box).open = false;
        select(box);
      }
      return;
    }
    if (typing && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      typing.closest(".mark form")?.requestSubmit();
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey || typing) return;
    if (event.target.closest("video, .scroll")) return;
    if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  const GONE = "the server does not answer; start `deadpan view` again";
  // A tag or note is kept without leaving the page.
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest(".mark form");
    if (!form) return;
    event.preventDefault();
    const output = one("output", form);
    const tell = (text, bad) => {
      output.textContent = text;
      output.classList.toggle("bad", bad);
    };
    tell("…", false);
    try {
      const about = { method: "POST", headers: { "X-Fragment": "1" }, body: new URLSearchParams(new FormData(form)) };
      const reply = await fetch("/mark", about).catch(() => { throw new Error(`not kept: ${GONE}`); });
      const text = await reply.text();
      if (!reply.ok) throw new Error(text);
      const made = new DOMParser().parseFromString(text, "text/html").querySelector(".marks");
      const box = form.closest("[data-answer]");
      for (const other of all(`[data-marks="${box.dataset.answer}"]`)) other.replaceWith(made.cloneNode(true));
      tell("kept", false);
      form.closest(".mark").open = false;
      select(box);
    } catch (error) {
      tell(error.message, true);
    }
  });

  // New answers: the state is asked for, and only where it has changed the page is fetched again
  // and its live parts are put in place. What somebody is writing in stays.
  let etag = null;
  let waiting = false;
  const isWriting = (part) => part.contains(document.activeElement)
    && document.activeElement.closest("input, select, textarea, details[open]");
  const refresh = async () => {
    const reply = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!reply.ok) return;
    const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
    for (const part of all("[data-live]")) {
      const made = one(`[data-live="${part.dataset.live}"]`, fresh);
      if (!made || made.innerHTML === part.dataset.shown) continue;
      if (isWriting(part) || one(".mark[open]", part)) {
        waiting = true;
        continue;
      }
      const html = made.innerHTML;
      part.replaceChildren(...made.childNodes);
      part.dataset.shown = html;
    }
    veilAll();
    if (selected) select(current() ?? null, false);
    const changed = document.body.dataset.answers !== fresh.body.dataset.answers;
    document.body.dataset.answers = fresh.body.dataset.answers;
    if (!changed) return;
    document.body.classList.remove("moved");
    requestAnimationFrame(() => document.body.classList.add("moved"));
  };
  const tellLost = (why) => {
    document.body.classList.toggle("lost", why !== "");
    const words = one(".lost-words");
    words.hidden = why === "";
    if (words.textContent !== why) words.textContent = why;
  };
  const poll = async () => {
    if (document.hidden) return;
    try {
      const reply = await fetch("/state", { headers: etag ? { "If-None-Match": etag } : {} });
      const refused = reply.status === 403 ? "This address is no longer valid; open the one that `deadpan view` prints." : "New answers cannot be asked for.";
      tellLost(reply.ok || reply.status === 304 ? "" : refused);
      if (reply.status === 304 && !waiting) return;
      const first = etag === null;
      waiting = false;
      if (reply.ok) {
        etag = reply.headers.get("ETag");
        const { answers: count } = await reply.json();
        if (first && String(count) === document.body.dataset.answers) return;
      }
      await refresh();
    } catch {
      tellLost(`T${GONE.slice(1)}.`);
    }
  };
  for (const part of all("[data-live]")) part.dataset.shown = part.innerHTML;
  veilAll();
  setInterval(poll, 2000);
  document.addEventListener("visibilitychange", poll);
  poll();

  const named = location.hash.startsWith("#a") && document.getElementById(location.hash.slice(1));
  if (named) select(named);
  if (location.hash === "#search") one("form.filters input[type=search]")?.focus();
  addEventListener("beforeprint", () => {
    for (const details of all("details:not(.mark, .signature)")) details.open = true;
  });
  root.dataset.ready = "true";
})();
