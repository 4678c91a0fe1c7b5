// The key that opens the command palette, and who can open it when. What happens before the palette has come is in
// early_palette.js.

export const APPLE = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.platform ?? "");

export const CAME = "chunkscope:palette-came";
export const WENT = "chunkscope:palette-went";

/** Whether a key asks for the palette.
 * @param {KeyboardEvent} event */
export function asksForPalette(event) {
  const held = APPLE ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  return held && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
}

/** Says that the palette can be opened, and returns what was typed for it meanwhile; null where nobody has asked for it. */
export function paletteCame() {
  const detail = { typed: /** @type {string | null} */ (null) };
  document.dispatchEvent(new CustomEvent(CAME, { detail }));
  return detail.typed;
}

/** Says that it cannot be opened any more, until another one comes. */
export function paletteWent() {
  document.dispatchEvent(new CustomEvent(WENT));
}
