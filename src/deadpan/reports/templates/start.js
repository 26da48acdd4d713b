for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    const block = document.getElementById(button.dataset.copy);
    block.closest("details").open = true;
    getSelection().selectAllChildren(block);
    say(button, document.execCommand("copy") ? "Copied" : "Press Ctrl+C");
  });
}

addEventListener("resize", () => reachable());
document.addEventListener("toggle", (event) => reachable(event.target), true);

addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});

orient();
goToAddress();
drawAll().then(() => reachable());
