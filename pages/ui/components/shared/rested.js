// What is said of something that changes with each key waits until the keys rest: who hears the page would hear each step
// cut off by the next.

const RESTS = 400; // milliseconds without another change

/** @param {(words: string) => void} say
 * @returns {{later: (words: string) => void, never: () => void}} `later` says words unless others come before, `never` says
 * nothing of what waits */
export function rested(say) {
  let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
  const never = () => clearTimeout(timer);
  const later = (words) => {
    never();
    timer = setTimeout(say, RESTS, words);
  };
  return { later, never };
}
