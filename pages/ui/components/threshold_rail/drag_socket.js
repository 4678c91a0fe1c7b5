// The short way for a drag: a socket of its own to Python, which answers with what a move changes. Streamlit's own way
// draws the whole page's tree again for each move, most of which is as it was. Without a socket everything goes there.

const TRY_EVERY = 5000;
const GIVE_UP = 15000; // an answer that takes longer would be waited for in vain

export class Channel {
  /** `heard` is called with {sequence, rail, figures} and the boundary view's bytes; `lost` when no answer will come. */
  constructor(heard, lost) {
    this.heard = heard;
    this.lost = lost;
    this.path = "";
    this.tried = -Infinity;
    this.waits = false;
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

  get ready() {
    return this.socket?.readyState === WebSocket.OPEN && !this.waits;
  }

  send(message) {
    this.waits = true;
    this.socket?.send(JSON.stringify(message));
    this.timer = setTimeout(() => this.fail(), GIVE_UP);
  }

  take(data) {
    clearTimeout(this.timer);
    this.waits = false;
    const size = new DataView(data).getUint32(0, true);
    const said = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, size)));
    if (said.refused) return this.lost();
    this.heard(said, new Uint8Array(data, 4 + size));
  }

  fail() {
    const waited = this.waits;
    this.close();
    if (waited) this.lost();
  }

  close() {
    clearTimeout(this.timer);
    const { socket } = this;
    this.socket = null;
    this.waits = false;
    socket?.close();
  }
}
