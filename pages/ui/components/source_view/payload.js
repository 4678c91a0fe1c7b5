// Reads the payload that payload.py writes: a JSON header, int32 columns, and strings that are decoded when asked for.

export function readPayload(received) {
  const size = new DataView(received.buffer, received.byteOffset).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(received.subarray(8, 8 + size)));
  const base = 8 + size + ((4 - ((8 + size) % 4)) % 4);
  const ends = Object.values(header.columns).map(([place, length]) => place + length);
  // What is received is a view into a message, anywhere in it: typed arrays need a copy of their part. Strings do not,
  // and the text is among them.
  const numbers = received.slice(base, base + Math.max(0, ...ends)).buffer;
  const columns = {};
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

/** A run as a threshold move has it: what the move does not change is as it was. */
export function movedRun(before, received) {
  return { ...before, ...readPayload(received) };
}

/** The last index whose value is at most `value`, -1 when there is none. */
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
