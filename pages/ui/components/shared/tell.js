// Something is said to who hears the page and does not see what changed: live_region.js has the place for it.

export const TOLD = "chunkscope:told";

/** @param {string} words */
export function tell(words) {
  document.dispatchEvent(new CustomEvent(TOLD, { detail: words }));
}
