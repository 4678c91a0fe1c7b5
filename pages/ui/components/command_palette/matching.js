// Which names match what was typed, and how well: each word's letters in their order, best at the starts of words and
// side by side.

const START = 6; // a letter that begins a word
const BESIDE = 4; // a letter right after the one before it
const LETTER = 1;
const WHOLE = 12; // the word is the beginning of a word of the name
const SHORTER = 0.02; // for each letter that the name has more
const BY_OTHERS = 1e3; // less, for what is found by other words than its name: behind all that have the words
const LAST = 1e4; // less, for what comes last

/** @param {string} text */
export const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** How well a name matches; null where it does not. Every word has to.
 * @param {string} typed
 * @param {string} name
 * @returns {number | null} */
export function score(typed, name) {
  const [words, text] = [folded(typed).split(/\s+/).filter(Boolean), folded(name)];
  let sum = -SHORTER * text.length;
  for (const word of words) {
    const found = scoreOfWord(word, text);
    if (found === null) return null;
    sum += found;
  }
  return sum;
}

/** The best over all places where the first letter stands.
 * @param {string} word
 * @param {string} text
 * @returns {number | null} */
function scoreOfWord(word, text) {
  let best = /** @type {number | null} */ (null);
  for (let first = text.indexOf(word[0]); first >= 0; first = text.indexOf(word[0], first + 1)) {
    const found = scoreFrom(first, word, text);
    if (found === null) break; // none that begins later has room either
    if (best === null || found > best) best = found;
  }
  return best;
}

function scoreFrom(first, word, text) {
  let sum = startsWord(text, first) && text.startsWith(word, first) ? WHOLE : 0;
  for (let letter = 0, at = first - 1; letter < word.length; letter++) {
    const next = text.indexOf(word[letter], at + 1);
    if (next < 0) return null;
    sum += LETTER + (startsWord(text, next) ? START : 0) + (letter && next === at + 1 ? BESIDE : 0);
    at = next;
  }
  return sum;
}

/** Whether every word stands in the name as it was typed, and not only its letters here and there.
 * @param {string} typed
 * @param {string} name */
export function spelled(typed, name) {
  const text = folded(name);
  return folded(typed)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Whether every word stands in the command's name, or begins one of the other words by which it is found.
 * @param {string} typed
 * @param {{name: string, also?: string}} command */
export function found(typed, { name, also = "" }) {
  const [text, others] = [folded(name), ` ${folded(also)}`];
  return folded(typed)
    .split(/\s+/)
    .every((word) => text.includes(word) || others.includes(` ${word}`));
}

const startsWord = (text, at) => at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]);

/** What matches, the best first: what has the words in its name, then what is found by others; only where nothing has
 * them, what has their letters. What matches alike, and all of it when nothing is typed, stays in its order.
 * @template {{name: string, also?: string, last?: boolean}} T
 * @param {string} typed
 * @param {T[]} commands
 * @returns {T[]} */
export function matching(typed, commands) {
  if (!typed.trim()) return commands;
  const whole = commands.filter((command) => found(typed, command));
  return (whole.length ? whole : commands)
    .map((command) => ({ command, worth: worth(typed, command) }))
    .filter(({ worth }) => worth !== null)
    .sort((one, other) => Number(other.worth) - Number(one.worth))
    .map(({ command }) => command);
}

/** @returns {number | null} */
function worth(typed, { name, also = "", last = false }) {
  const named = spelled(typed, name) || !found(typed, { name, also });
  const by = named ? score(typed, name) : Number(score(typed, `${name} ${also}`)) - BY_OTHERS;
  return by === null ? null : by - (last ? LAST : 0);
}
