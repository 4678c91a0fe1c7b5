import assert from "node:assert/strict";
import test from "node:test";

test("a panel that is asked for before the tabs have come is open when they come", async () => {
  const [kept, asked] = [new Map(), []];
  globalThis.sessionStorage = /** @type {Storage} */ (
    /** @type {unknown} */ ({
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => kept.set(name, value),
    })
  );
  globalThis.document = /** @type {Document} */ (/** @type {unknown} */ (new EventTarget()));
  const { askForPanel, openPanel, WANTED } = await import("../../pages/ui/components/panel_tabs/open_panel.js");
  document.addEventListener(WANTED, (event) => asked.push(/** @type {CustomEvent} */ (event).detail));
  assert.equal(openPanel(["chunk", "marked"]), "chunk");

  askForPanel("marked", { focus: true });

  assert.equal(openPanel(["chunk", "marked"]), "marked");
  assert.equal(openPanel(["chunk", "checked"]), "chunk");
  assert.deepEqual(asked, [{ panel: "marked", focus: true }]);
});
