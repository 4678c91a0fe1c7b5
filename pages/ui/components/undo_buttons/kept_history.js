// The history of undo and redo that a tab remembers (pages/ui/choices/history_text.py): over a reload, and over a server that
// is started again.

import { recalled, remember } from "../shared/browser_session.js";

const REMEMBERED = "undo";

export class KeptHistory {
  /** What Python was last asked to take back; "" once there are steps. */
  asked = "";

  /** @param {(former: string) => void} ask Has Python take back a history that the tab had. */
  constructor(ask) {
    this.ask = ask;
  }

  /** Remembers Python's history; where that has no steps, asks it once to take back the one that led to the same setup. A
   * history without steps never takes the place of one that has some.
   * @param {string} present */
  receive(present) {
    if (hasSteps(present)) {
      this.asked = "";
      remember(REMEMBERED, present);
      return;
    }
    const former = recall(recalled(REMEMBERED), present);
    if (!former || former === this.asked) return;
    this.asked = former;
    this.ask(former);
  }
}

/** The remembered history, where the present one has no steps yet and both are at the same setup; else "".
 * @param {string | null} remembered
 * @param {string} present */
export function recall(remembered, present) {
  try {
    const same = JSON.stringify(JSON.parse(remembered ?? "null").now) === JSON.stringify(JSON.parse(present).now);
    return remembered && same && hasSteps(remembered) && !hasSteps(present) ? remembered : "";
  } catch {
    return "";
  }
}

/** @param {string} history */
function hasSteps(history) {
  const { earlier, later } = JSON.parse(history);
  return earlier.length + later.length > 0;
}
