// The line of live counts under the histogram. Each count is an element of its own, and so is what it was before the last
// change: on a phone, where there are two lines, whole ones are left out.

import { make } from "../shared/component.js";

const SEPARATOR = " · ";
const WAS = ", was ";
const LOST = " left out";

/** @param {HTMLElement} line
 * @param {string} words `20 chunks, was 7 · 2,512 tokens to embed` */
export function writeSummary(line, words) {
  if (line.textContent === words) return;
  line.replaceChildren();
  words.split(SEPARATOR).forEach((count, index) => {
    const [now, was] = count.split(WAS);
    const part = make("span", now.endsWith(LOST) && !now.startsWith("0 ") ? "lost" : "", line);
    if (index) make("span", "between", part).textContent = SEPARATOR;
    part.append(now);
    if (was) make("span", "was", part).textContent = WAS + was;
  });
}
