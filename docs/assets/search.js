/* A search for --until is one for until: to the index a leading dash means "without". */
const query = document.querySelector("[data-md-component=search-query]")
if (query) {
  const typed = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")
  Object.defineProperty(query, "value", {
    get() { return typed.get.call(this).replace(/(^|\s)-+(?=\S)/g, "$1") },
    set(text) { typed.set.call(this, text) },
  })
  /* The search waits for keys. Words that an input method or a paste puts in come without one. */
  query.addEventListener("input", () => query.dispatchEvent(new Event("keyup")))
}
