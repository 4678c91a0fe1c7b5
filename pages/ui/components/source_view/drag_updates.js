// A drag of the threshold rail on the same page: its boundaries come the short way (threshold_rail/drag_socket.js), and
// what comes from Python meanwhile is of an earlier move, so it waits until Python has caught up. Every run has a name:
// what was drawn the short way gives way to what Python says, also where that is what it said before the drag and so is
// not sent again.

import { read, take } from "./arrivals.js";
import { movedRun, readPayload } from "./payload.js";

export class Following {
  constructor(view) {
    this.view = view;
    this.ahead = false;
    /** @type {Record<string, (event: any) => void>} */
    this.listeners = {
      "chunkscope:moved": ({ detail }) => this.moved(detail),
      "chunkscope:settled": ({ detail }) => this.settled(detail.run),
    };
    for (const [name, listener] of Object.entries(this.listeners)) document.addEventListener(name, listener);
  }

  moved(bytes) {
    const { view } = this;
    if (!view.run || !view.document || view.timer) return; // the text is still on its way
    view.began = performance.now();
    const run = movedRun(view.run, bytes);
    if (run.document !== view.run.document) return;
    this.ahead = true;
    take(view, run, view.document, true);
  }

  /** Whether a run from Python has to wait. Another document's does not: it has nothing to do with the drag.
   * @param {import("./payload.js").Run} run */
  holds(run, text) {
    if (!this.ahead || text !== null || run.document !== this.view.run.document) {
      this.ahead = false;
      return false;
    }
    return true;
  }

  /** Python has run with the last move, and its run has this name; "" where the last move was never answered. */
  settled(run) {
    const { view } = this;
    if (!this.ahead) return;
    this.ahead = false;
    // Its boundaries may still be on their way: what is on screen stays until they come.
    if (!run || readPayload(view.data).run === run) read(view, view.data);
  }

  end() {
    for (const [name, listener] of Object.entries(this.listeners)) document.removeEventListener(name, listener);
  }
}
