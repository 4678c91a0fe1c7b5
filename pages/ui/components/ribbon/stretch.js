// The stretch of the document that the ribbon shows: all of it, or a part that can be moved. It begins and ends at 256ths of
// the document, for which Python says the lines.

export const STEPS = 256;
const MOST_ZOOM = 64; // a quarter of the stretch, which the axis has a line for, is then a step

export class Stretch {
  /** How many times larger than at first: a power of two. */
  zoom = 1;
  /** Where it begins, in 256ths of the document. */
  from = 0;

  /** How long it is, in 256ths. */
  get size() {
    return STEPS / this.zoom;
  }

  get widest() {
    return this.zoom === 1;
  }

  get narrowest() {
    return this.zoom === MOST_ZOOM;
  }

  /** The place in the document, from 0 to 1, at a share of the ribbon's width.
   * @param {number} share */
  placeAt(share) {
    return (this.from + share * this.size) / STEPS;
  }

  /** Twice or half as large, or all of it; the place at this share of the width stays there.
   * @param {number} factor 2, 1/2, or 0 for all of it
   * @param {number} share */
  zoomBy(factor, share = 0.5) {
    const place = this.placeAt(share);
    this.zoom = factor ? Math.min(MOST_ZOOM, Math.max(1, this.zoom * factor)) : 1;
    this.begin(place * STEPS - share * this.size);
  }

  /** By a share of its own length, and a 256th at least.
   * @param {number} share */
  moveBy(share) {
    this.begin(this.from + Math.sign(share) * Math.max(1, Math.abs(share) * this.size));
  }

  /** Has a place in it: moves where it is not.
   * @param {number} place */
  show(place) {
    const at = place * STEPS;
    if (at < this.from || at > this.from + this.size) this.begin(at - this.size / 2);
  }

  begin(from) {
    this.from = Math.min(STEPS - this.size, Math.max(0, Math.round(from)));
  }

  /** The numbers of the steps that the axis has lines for.
   * @param {number} parts
   * @returns {number[]} */
  marks(parts) {
    return Array.from({ length: parts + 1 }, (_, part) => this.from + (part * this.size) / parts);
  }
}
