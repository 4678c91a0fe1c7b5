// A drag of the threshold rail on the same page: its boundaries come the short way (threshold_rail/drag_socket.js), and
// what comes from Python meanwhile is of an earlier move, so it waits until Python has caught up. Every run has a name:
// what was drawn the short way gives way to what Python says, also where that is what it said before the drag and so is
// not sent again. In words, a move brings only the reasons of boundaries near the view: to come to others asks for theirs.

import { read, take } from "./arrivals.js";
import { lacksReasons } from "./labels.js";
import { movedRun, readPayload } from "./payload.js";

const LACKS = "chunkscope:lacks"; // heard by the rail: threshold_rail/external_updates.js

export class Following {
  constructor(view) {
    this.view = view;
    this.ahead = false;
    this.wanted = ""; // the stretch and the run whose reasons were asked for
    /** @type {Record<string, (event: any) => void>} */
    this.listeners = {
      "chunkscope:moved": ({ detail }) => this.moved(detail),
      "chunkscope:settled": ({ detail }) => this.settled(detail.run),
      "chunkscope:near": ({ detail }) => {
        detail.near = this.near();
      },
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

  /** From where to where there are pages of text at hand. */
  near() {
    const { pages, document } = this.view;
    const live = [...pages.live.values()];
    if (!document || !live.length) return undefined;
    const ends = live.map((page) => pages.lineStart(pages.endLine(page.number)));
    return [Math.min(...live.map((page) => pages.lineStart(page.first))), Math.max(...ends)];
  }

  /** Asks for the reasons of boundaries that a move brought without them, once for each stretch. */
  askForReasons(labels) {
    const { run } = this.view;
    if (!this.ahead || !labels.some(({ chunk }) => chunk > 0 && lacksReasons(run, chunk))) return;
    const wanted = `${run.run} ${this.near()}`;
    if (wanted === this.wanted) return;
    const asking = new CustomEvent(LACKS, { cancelable: true });
    document.dispatchEvent(asking);
    if (asking.defaultPrevented) this.wanted = wanted; // else an answer is on its way, which is drawn first
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
