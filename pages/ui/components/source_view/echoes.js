// What Python says is selected comes a moment after it was chosen here, and by then another may be chosen.

const LATE = 5_000; // milliseconds after which what Python says counts, whatever was chosen here

/** Tells an echo of an earlier choice from what Python has chosen itself. */
export class Echoes {
  constructor() {
    /** What Python said or was told last: a chunk, or a place. */
    this.last = undefined;
    this.earlier = []; // what Python may still say, of before that
    this.since = 0;
  }

  /** Something is chosen here.
   * @param {number} told */
  tell(told, now = performance.now()) {
    this.earlier.push(this.last);
    this.last = told;
    this.since = now;
  }

  /** Whether what Python says is new here; what is new is the last from then on.
   * @param {number} told
   * @param {boolean} sure whether it is new in any case, as with another document */
  isNew(told, sure = false, now = performance.now()) {
    if (!sure && told !== this.last && this.earlier.includes(told) && now - this.since < LATE) return false;
    const fresh = sure || told !== this.last;
    this.earlier = [];
    this.last = told;
    return fresh;
  }
}
