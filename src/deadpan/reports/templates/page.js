const data = JSON.parse(document.getElementById("data").textContent);
const VERDICTS = {
  right: "right", partly: "partly right", wrong: "wrong",
  judged: "graded by a judge", open: "no right or wrong", unscored: "not scored",
};
const LANGUAGES = { en: "English", zh: "Chinese" };

// Every text from the data reaches the page through this function and nothing else.
const make = (tag, className, text) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined && text !== null) node.textContent = String(text);
  return node;
};
const spaced = (name) => name.replace(/_/g, " ");


// The part after the # says what is shown: an anchor alone, or `at`, `ref`, and `item`, `in`, `task`.
const address = {
  read() {
    const text = location.hash.slice(1);
    return text.includes("=") ? new URLSearchParams(text) : new URLSearchParams(text ? { at: text } : {});
  },
  // The address with some of it changed; what is null goes.
  with(changes, state = this.read()) {
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === "") state.delete(name);
      else state.set(name, value);
    }
    const names = [...state.keys()];
    return names.length === 1 && names[0] === "at" ? `#${state.get("at")}` : `#${state}`;
  },
  write(changes) {
    const hash = this.with(changes);
    history.replaceState(null, "", hash === "#" ? location.pathname + location.search : hash);
  },
};

const say = (button, text) => {
  const before = button.textContent;
  button.textContent = text;
  setTimeout(() => { button.textContent = before; }, 1800);
};

const copy = (text) => {
  const box = make("textarea", "unseen", text);
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
};

// What scrolls in itself can be scrolled by keys.
const reachable = (root = document) => {
  for (const box of root.querySelectorAll(".scroll, .text, .picture")) {
    if (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
