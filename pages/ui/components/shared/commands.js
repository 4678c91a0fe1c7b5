// What can be done on the page, as its components say when somebody asks: the command palette knows none of them.

const ASKED = "chunkscope:commands";
const OFFERED = "chunkscope:commands-offered";

/** @typedef {"Action" | "View" | "Page" | "Document" | "Setting" | "Heading"} Group */
/** @typedef {{group: Group, name: string, also?: string, last?: boolean, hint?: string, idle?: boolean, run: () => void}}
 * Command `also` are other words by which it is found; what comes `last` is listed behind all others; `hint` is a key, a
 * place, or what speaks against it; what is `idle` would do nothing now: it is listed for who looks for it by name, and cannot be run */

/** Answers with these commands whenever somebody asks; returns what ends that.
 * @param {(typed: string) => Command[]} commands for what was typed: some have a number of it */
export function offers(commands) {
  const answer = (event) => event.detail.found.push(...commands(event.detail.typed));
  document.addEventListener(ASKED, answer);
  document.dispatchEvent(new Event(OFFERED));
  return () => document.removeEventListener(ASKED, answer);
}

/** The commands of all components on the page.
 * @param {string} [typed]
 * @returns {Command[]} */
export function offered(typed = "") {
  /** @type {Command[]} */
  const found = [];
  document.dispatchEvent(new CustomEvent(ASKED, { detail: { found, typed } }));
  return found;
}

/** Does this whenever a component begins to offer commands; returns what ends that.
 * @param {() => void} act */
export function whenOffered(act) {
  document.addEventListener(OFFERED, act);
  return () => document.removeEventListener(OFFERED, act);
}
