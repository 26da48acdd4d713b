// The bar: where one is, what else there is, light or dark, and the keys.
document.documentElement.classList.add("scripted");
const bar = document.querySelector(".topbar");
const outline = document.getElementById("outline");
const menu = document.getElementById("menu");
const here = document.querySelector(".here");
const help = document.getElementById("help");

const showOutline = (open) => {
  if (!outline) return;
  outline.hidden = !open;
  menu.setAttribute("aria-expanded", String(open));
  if (open) outline.querySelector("a").focus();
};
menu?.addEventListener("click", () => showOutline(outline.hidden));
outline?.addEventListener("click", (event) => { if (event.target.closest("a")) showOutline(false); });
document.addEventListener("click", (event) => {
  if (outline && !outline.hidden && !event.target.closest(".topbar")) showOutline(false);
});

// Which benchmark and which part of it is read: the last one that begins above the upper third.
const places = [...document.querySelectorAll(".front, #abilities, .chapter")];
const lastAbove = (nodes) => nodes.filter((node) => node.getBoundingClientRect().top < innerHeight / 3).pop();
const mark = (links, id) => {
  for (const link of links) {
    if (link.getAttribute("href") === `#${id}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
};
let current = null;
const partLinks = new Map([...document.querySelectorAll("#outline .parts")].map((list) => [
  list.dataset.of,
  [...list.children].map((line) => line.querySelector("a").cloneNode(true)),
]));
const orient = () => {
  const place = lastAbove(places) ?? places[0];
  if (!place || !here) return;
  if (place !== current) {
    current = place;
    const chapter = place.id === "abilities" ? "front" : place.id;
    mark(bar.querySelectorAll(".chapters a"), chapter);
    const links = partLinks.get(place.id) ?? [];
    here.replaceChildren(...links);
    here.hidden = !links.length;
  }
  mark(here.children, lastAbove([...place.querySelectorAll("section")])?.id ?? "");
};
let waiting = false;
addEventListener("scroll", () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; orient(); });
}, { passive: true });

// An anchor inside of something folded: it is unfolded first.
const unfold = (id) => {
  const target = id && document.getElementById(id);
  if (!target) return null;
  for (let node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
  return target;
};
const goToAddress = () => {
  readReference();
  const state = address.read();
  if (state.get("item")) openAddressed();
  else if (state.get("at")) unfold(state.get("at"))?.scrollIntoView({ behavior: "instant" });
};
addEventListener("hashchange", () => {
  const kept = reference?.value;
  if (kept && !address.read().get("ref")) address.write({ ref: kept });
  goToAddress();
});

// Light, dark, or as the machine has it.
const THEMES = { auto: "Auto", dark: "Dark", light: "Light" };
const theme = document.getElementById("theme");
const setTheme = (name) => {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  if (theme) {
    theme.textContent = THEMES[name];
    theme.setAttribute("aria-label", `Light or dark: now ${THEMES[name].toLowerCase()}`);
  }
  try { localStorage.setItem("deadpan-theme", name); } catch { /* a page may have no storage */ }
};
const nextTheme = () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? "auto";
  const order = dark ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
  setTheme(order[(order.indexOf(now) + 1) % 3]);
};
let kept = null;
try { kept = localStorage.getItem("deadpan-theme"); } catch { /* a page may have no storage */ }
setTheme(kept in THEMES ? kept : "auto");
theme?.addEventListener("click", nextTheme);
document.getElementById("keys")?.addEventListener("click", () => help.showModal());

const inView = (root) => {
  const box = root.getBoundingClientRect();
  return box.top < innerHeight * 0.6 && box.bottom > innerHeight * 0.4;
};
// The samples in view, else those of the benchmark that is read; they are brought into view.
const browserAtHand = () => {
  const seen = browsers.find((one) => inView(one.root));
  if (seen) return seen;
  const own = browsers.find((one) => current?.contains(one.root)) ?? browsers[0];
  own?.root.querySelector(".pager").scrollIntoView({ behavior: "instant" });
  return own;
};
const turnChapter = (by) => {
  const links = [...bar.querySelectorAll(".chapters a[href^='#']")];
  const at = links.findIndex((link) => link.hasAttribute("aria-current"));
  links[Math.max(0, Math.min(links.length - 1, at + by))]?.click();
};
const KEYS = {
  "?": () => help?.showModal(),
  "/": () => browserAtHand()?.form.elements.text.focus(),
  a: () => browserAtHand()?.turn(),
  c: () => showOutline(outline?.hidden ?? false),
  d: nextTheme,
  "[": () => turnChapter(-1),
  "]": () => turnChapter(1),
  j: () => browserAtHand()?.step(1),
  k: () => browserAtHand()?.step(-1),
  ArrowRight: () => browsers.find((one) => inView(one.root))?.step(1),
  ArrowLeft: () => browsers.find((one) => inView(one.root))?.step(-1),
};
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || help?.open) return;
  if (event.key === "Escape" && outline && !outline.hidden) {
    showOutline(false);
    menu.focus();
    return;
  }
  if (event.target.closest("input, select, textarea")) return;
  if (event.target.closest(".scroll") && event.key.startsWith("Arrow")) return;
  const act = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : null;
  if (!act || (event.key.startsWith("Arrow") && !browsers.some((one) => inView(one.root)))) return;
  event.preventDefault();
  act();
});
