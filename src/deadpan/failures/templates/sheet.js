"use strict";
(() => {
  const data = JSON.parse(document.getElementById("rows").textContent);
  const selects = [...document.querySelectorAll("select[data-case]")];
  const notes = [...document.querySelectorAll("input[data-note]")];
  const filled = () => selects.filter((one) => one.value);
  const count = () => {
    document.getElementById("done").textContent = `${filled().length} of ${selects.length} labelled`;
  };
  // A line that is not there is left to the model, an empty one would be an error.
  const save = () => {
    const lines = filled().map((one) => {
      const at = Number(one.dataset.case);
      return JSON.stringify({ ...data.rows[at], [data.field]: one.value, note: notes[at].value }) + "\n";
    });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(lines, { type: "application/jsonl" }));
    link.download = data.file;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  selects.forEach((one) => one.addEventListener("change", count));
  document.getElementById("save").addEventListener("click", save);
  count();
})();
