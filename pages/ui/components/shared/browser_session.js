// What the browser keeps of the page's look until its tab is closed. A browser that keeps nothing does no harm.

/** @param {string} name
 * @returns {string | null} */
export function recalled(name) {
  try {
    return sessionStorage.getItem(`chunkscope:${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name
 * @param {string} value */
export function remember(name, value) {
  try {
    sessionStorage.setItem(`chunkscope:${name}`, value);
  } catch {
    // it is as it was at the next visit
  }
}
