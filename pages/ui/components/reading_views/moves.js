// A drag of the threshold rail on the same page, for the views beside the source: what they show comes the short way
// (threshold_rail/drag_socket.js), and what comes from Python meanwhile is of an earlier move, so it waits until Python has
// caught up. source_view/drag_updates.js does so for the source.

export class Moves {
  /** Whether what is shown came the short way, and Python has not run with it. */
  ahead = false;
  /** What Python sent last. @type {any} */
  fromPython = null;

  /** @param {{queue: (sent: any) => void}} view
   * @param {string} name the view's, as Python calls it */
  constructor(view, name) {
    this.view = view;
    this.name = name;
    /** @type {Record<string, (event: any) => void>} */
    this.listeners = {
      "chunkscope:moved-reading": ({ detail }) => this.moved(detail),
      "chunkscope:settled": ({ detail }) => this.settled(detail.run),
    };
    for (const [event, listener] of Object.entries(this.listeners)) document.addEventListener(event, listener);
  }

  /** What Python sends is shown, unless the drag is ahead of it. Another document has nothing to do with the drag. */
  receive(sent) {
    if (sent.name !== this.fromPython?.name) this.ahead = false;
    this.fromPython = sent;
    if (!this.ahead) this.view.queue(sent);
  }

  /** @param {{view: string, sent: any}} reading */
  moved({ view, sent }) {
    if (view !== this.name || sent.name !== this.fromPython?.name) return;
    this.ahead = true;
    this.view.queue(sent);
  }

  /** Python has run with the last move, and its run has this name; "" where the last move was never answered. */
  settled(run) {
    if (!this.ahead) return;
    this.ahead = false;
    // What it sent may still be on its way: what is on screen stays until it comes.
    if (!run || this.fromPython.run === run) this.view.queue(this.fromPython);
  }

  end() {
    for (const [event, listener] of Object.entries(this.listeners)) document.removeEventListener(event, listener);
  }
}
