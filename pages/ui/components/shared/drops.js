// Files that are dropped anywhere on a page are added, and text that is pasted where no field takes it stands in Add: without
// this the browser leaves the app for a file that is dropped beside the box. The page's HTML asks for this module
// (pages/ui/server/first_style.py).

import { reveal } from "../pane_edge/panes.js";
import { dialogIsOpen } from "./open_dialog.js";

const BOX = ":is(.st-key-missing-uploads, .st-key-uploads) section";
const FILES = ":is(.st-key-missing-uploads, .st-key-uploads) input[type='file']";
const PASTED = ".st-key-pasted textarea";
const ADD = '.st-key-add button[aria-haspopup="dialog"]';
const FIELD = "input, textarea, select, [contenteditable]";
const OFTEN = 50; // milliseconds between two looks for what Add draws
const LONG = 15_000; // milliseconds in which it comes
const SETTLES = 4_000; // milliseconds in which what has come may be drawn anew
const STILL = 1_000; // milliseconds after the last word of a drag: not every browser says that it has left

/** Whether files from outside are dragged.
 * @param {{types: readonly string[]} | null | undefined} dragged */
export const bringsFiles = (dragged) => Boolean(dragged?.types.includes("Files"));

/** Of what was dropped the files, without the folders, which a browser names among them.
 * @param {DataTransfer} dropped
 * @returns {File[]} */
export function filesOf(dropped) {
  const files = [...dropped.items].filter((item) => item.kind === "file" && !item.webkitGetAsEntry?.()?.isDirectory);
  return files.map((item) => item.getAsFile()).filter((file) => file !== null);
}

/** What Add draws, once it has come.
 * @param {string} selector
 * @returns {Promise<HTMLElement | null>} */
async function inAdd(selector) {
  const there = () => /** @type {HTMLElement | null} */ (document.querySelector(selector));
  const until = performance.now() + LONG;
  /** @type {Element | null} */
  let pressed = null;
  while (!there() && performance.now() < until) {
    const button = /** @type {HTMLElement | null} */ (document.querySelector(ADD));
    if (button && button !== pressed && button.getAttribute("aria-expanded") === "false") {
      pressed = button; // it may be drawn anew before it has opened
      reveal(button);
      requestAnimationFrame(() => button.click());
    }
    await new Promise((resolve) => setTimeout(resolve, OFTEN));
  }
  return there();
}

/** @param {File[]} files */
async function add(files) {
  const field = await inAdd(FILES);
  if (!(field instanceof HTMLInputElement) || !files.length) return;
  const given = new DataTransfer();
  for (const file of files) given.items.add(file);
  field.files = given.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** @param {string} text */
async function paste(text) {
  const begun = performance.now();
  let touched = false;
  const touch = () => {
    touched = true;
  };
  for (const name of ["keydown", "pointerdown"]) addEventListener(name, touch, { capture: true, once: true });
  do {
    const field = await inAdd(PASTED);
    if (!(field instanceof HTMLTextAreaElement)) return;
    if (document.activeElement !== field) field.focus();
    if (!field.value) document.execCommand("insertText", false, text); // as if it were typed, and undone by Ctrl Z
    await new Promise((resolve) => setTimeout(resolve, OFTEN));
  } while (!touched && performance.now() < begun + SETTLES); // what comes first may be drawn anew, and empty
}

function watch() {
  let ours = false; // a picture of the page that is dragged is a file too
  let timer = 0;
  /** @type {HTMLElement | null} */
  let sign = null;
  const takes = () => !dialogIsOpen() && Boolean(document.querySelector(`${ADD}, ${FILES}`));
  const hide = () => {
    clearTimeout(timer);
    sign?.remove();
    sign = null;
  };
  const show = () => {
    clearTimeout(timer);
    timer = setTimeout(hide, STILL);
    if (sign) return;
    sign = document.createElement("div");
    sign.className = "cs-drop";
    sign.setAttribute("aria-hidden", "true");
    sign.textContent = "Drop to add";
    document.body.append(sign);
  };
  const inBox = ({ target }) => target instanceof Element && Boolean(target.closest(BOX));
  addEventListener("dragstart", () => {
    ours = true;
  });
  addEventListener("dragend", () => {
    ours = false;
  });
  for (const name of ["dragenter", "dragover"])
    addEventListener(name, (event) => {
      const { dataTransfer } = /** @type {DragEvent} */ (event);
      if (ours || !dataTransfer || !bringsFiles(dataTransfer)) return;
      if (inBox(event)) return hide();
      event.preventDefault();
      dataTransfer.dropEffect = takes() ? "copy" : "none";
      if (takes()) show();
    });
  addEventListener("dragleave", ({ relatedTarget }) => {
    if (!relatedTarget) hide();
  });
  addEventListener("drop", (event) => {
    hide();
    if (ours || !event.dataTransfer || !bringsFiles(event.dataTransfer) || inBox(event)) return;
    event.preventDefault();
    if (takes()) add(filesOf(event.dataTransfer));
  });
  addEventListener("paste", (event) => {
    const [target] = event.composedPath();
    const field = target instanceof Element && target.closest(FIELD);
    if (event.defaultPrevented || field || !event.clipboardData || !takes()) return;
    const files = filesOf(event.clipboardData);
    const text = event.clipboardData.getData("text/plain");
    if (files.length && !text) add(files);
    else if (text.trim()) paste(text);
  });
}

if (globalThis.document) watch(); // not where Node tests it
