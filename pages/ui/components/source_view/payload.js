// Reads the payload that payload.py writes: a JSON header, int32 columns, and strings that are decoded when asked for.

/**
 * What a payload has is declared once, in payload_schema.json; a name that is not in it is an error of types here, and of
 * a test in payload.py.
 *
 * @typedef {typeof import("./payload_schema.json")} Schema
 * @typedef {Record<keyof Schema["columns"]["always"], Int32Array>} Columns
 * @typedef {Partial<Record<keyof Schema["columns"]["sometimes"], Int32Array>>} OtherColumns
 * @typedef {Record<keyof Schema["header"]["string"], string>
 *   & Record<keyof Schema["header"]["number"], number>
 *   & Record<keyof Schema["header"]["boolean"], boolean>
 *   & Record<keyof Schema["header"]["strings"], string[]>} Header
 * @typedef {keyof Schema["strings"]["always"] | keyof Schema["strings"]["sometimes"]} StringName
 * @typedef {object} Strings
 * @property {(name: StringName) => string | null} raw a string as it is; null where it was not sent
 * @property {(name: StringName) => string[]} list its parts
 * @typedef {Header & Columns & OtherColumns & Strings} Run A run on a document, as it is drawn.
 */

/** @param {Uint8Array} received
 * @returns {Run} */
export function readPayload(received) {
  const size = new DataView(received.buffer, received.byteOffset).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(received.subarray(8, 8 + size)));
  const base = 8 + size + ((4 - ((8 + size) % 4)) % 4);
  const ends = Object.values(header.columns).map(([place, length]) => place + length);
  // What is received is a view into a message, anywhere in it: typed arrays need a copy of their part. Strings do not,
  // and the text is among them.
  const numbers = received.slice(base, base + Math.max(0, ...ends)).buffer;
  const columns = /** @type {any} */ ({});
  for (const [name, [place, length]] of Object.entries(header.columns)) {
    columns[name] = new Int32Array(numbers, place, length / 4);
  }
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const raw = (name) => {
    const found = header.strings[name];
    return found ? decoder.decode(received.subarray(base + found[0], base + found[0] + found[1])) : null;
  };
  const lists = {};
  const list = (name) => (lists[name] ??= (raw(name) ?? "").split("\0"));
  return { ...header, ...columns, raw, list };
}

/** A run as a threshold move has it: what the move does not change is as it was.
 * @param {Run} before
 * @param {Uint8Array} received
 * @returns {Run} */
export function movedRun(before, received) {
  return { ...before, ...readPayload(received) };
}

/** The last index whose value is at most `value`, -1 when there is none.
 * @param {ArrayLike<number>} sorted
 * @param {number} value */
export function lastAtMost(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// Texts that this browser tab holds, by hash; they survive when a view is taken down and put up again.
const held = new Map();
const HOLD_UNITS = 48e6;

export function holdDocument(hash, document) {
  held.delete(hash);
  held.set(hash, document);
  let units = 0;
  for (const one of held.values()) units += one.text.length;
  for (const [oldest, one] of held) {
    if (units <= HOLD_UNITS || held.size <= 1) break;
    held.delete(oldest);
    units -= one.text.length;
  }
}

export function heldDocument(hash) {
  return held.get(hash);
}
