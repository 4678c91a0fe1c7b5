// What is said while the server cannot be reached. On its own machine somebody can start it again; elsewhere one can wait.

/** Streamlit's states without a server. */
export const ABSENT = ["PINGING_SERVER", "CONNECTING", "DISCONNECTED_FOREVER"];

const OWN = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** @param {string} host
 * @returns {{text: string, code?: boolean}[]} */
export function wordsFor(host) {
  const stays = "What is on this page stays and can be read; changes wait.";
  if (!OWN.test(host))
    return [{ text: `The server cannot be reached. ${stays} The page goes on by itself when it is back.` }];
  return [
    { text: `Chunkscope has stopped. ${stays} Start it again with ` },
    { text: "chunkscope app", code: true },
    { text: " and the page goes on by itself." },
  ];
}
