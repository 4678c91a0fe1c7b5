// Numbers as people read them: 1,234.

const READABLE = new Intl.NumberFormat("en"); // kept: toLocaleString takes several times as long, and a drag asks often

/** @param {number} number */
export const counted = (number) => READABLE.format(number);
