// A drag of the threshold rail on the same page: its boundaries come the short way (threshold_rail/channel.js), and
// what comes from Python meanwhile is of an earlier move, so it waits until Python has caught up.

import { movedRun } from "./wire.js";

export class Following {
  constructor(view) {
    this.view = view;
    this.ahead = false;
    this.waiting = null;
    this.listeners = {
      "chunkscope:moved": ({ detail }) => this.moved(detail),
      "chunkscope:settled": ({ detail }) => this.settled(detail.lost),
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
    view.take(run, view.document);
  }

  /** Whether a run from Python has to wait. Another document's does not: it has nothing to do with the drag. */
  holds(run, text) {
    if (!this.ahead || text !== null || run.document !== this.view.run.document) {
      this.ahead = false;
      return false;
    }
    this.waiting = this.view.data;
    return true;
  }

  settled(lost) {
    if (!this.ahead) return;
    this.ahead = false;
    const data = this.waiting ?? (lost ? this.view.data : null);
    this.waiting = null;
    if (data) this.view.read(data);
  }

  end() {
    for (const [name, listener] of Object.entries(this.listeners)) document.removeEventListener(name, listener);
  }
}
