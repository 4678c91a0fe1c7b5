// The short way for a drag: a socket of its own to Python, which answers with what a move changes. Streamlit's own way
// draws the whole page's tree again for each move, most of which is as it was. Without a socket everything goes there.

const TRY_EVERY = 5000;
const GIVE_UP = 15000; // an answer that takes longer would be waited for in vain
const DRAWN_BY = 200; // by then also what a hidden page does not draw

export class Channel {
  /** `heard` is called with {sequence, rail, figures, reading} and the boundary view's bytes; `lost` when no answer will come;
   * `free` when a pause is over, or the socket is gone in it: one that the server asked for, because others drag too, or the
   * time in which a view that is shown in place of the source is drawn, which takes as long as the answer.
   * `drawn` calls back when what was heard is on screen. */
  constructor(heard, lost, free, drawn = afterTheNextFrame) {
    this.drawn = drawn;
    this.heard = heard;
    this.lost = lost;
    this.free = free;
    this.path = "";
    this.tried = -Infinity;
    this.asked = false;
    this.pause = 0;
  }

  open(path) {
    if (path !== this.path) {
      this.fail(); // what it was asked is told to Streamlit
      this.path = path;
      this.tried = -Infinity;
    }
    if (!path || this.socket || performance.now() - this.tried < TRY_EVERY) return;
    this.tried = performance.now();
    const socket = (this.socket = new WebSocket(
      `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`,
    ));
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }) => socket === this.socket && this.take(data));
    socket.addEventListener("close", () => socket === this.socket && this.fail());
  }

  /** An answer has not come. */
  get waits() {
    return this.asked;
  }

  /** The server has asked for a pause, or its last answer is being drawn. */
  get pauses() {
    return this.pause > 0;
  }

  get ready() {
    return this.socket?.readyState === WebSocket.OPEN && !this.asked;
  }

  /** Ask, also in a pause, which is over then. */
  send(message) {
    clearTimeout(this.timer);
    this.pause = 0;
    this.asked = true;
    this.socket?.send(JSON.stringify(message));
    this.timer = setTimeout(() => this.fail(), GIVE_UP);
  }

  take(data) {
    if (typeof data === "string") {
      this.pause = JSON.parse(data).pause;
      return;
    }
    clearTimeout(this.timer);
    this.asked = false;
    if (this.pause) this.timer = setTimeout(() => this.resume(), this.pause);
    const size = new DataView(data).getUint32(0, true);
    const said = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, size)));
    if (said.refused) return this.lost();
    if (said.reading && !this.pause) this.pauseUntilDrawn();
    this.heard(said, new Uint8Array(data, 4 + size));
  }

  pauseUntilDrawn() {
    this.pause = DRAWN_BY;
    const timer = (this.timer = setTimeout(() => this.resume(), DRAWN_BY));
    this.drawn(() => {
      if (this.timer !== timer || !this.pause) return; // it was asked meanwhile
      clearTimeout(timer);
      this.resume();
    });
  }

  resume() {
    this.pause = 0;
    this.free();
  }

  fail() {
    const { asked, pause } = this;
    this.close();
    if (asked) this.lost();
    else if (pause) this.free();
  }

  close() {
    clearTimeout(this.timer);
    const { socket } = this;
    this.socket = null;
    this.asked = false;
    this.pause = 0;
    socket?.close();
  }
}

/** @param {() => void} then */
function afterTheNextFrame(then) {
  requestAnimationFrame(() => requestAnimationFrame(then));
}
