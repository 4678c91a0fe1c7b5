// Whether the page's script runs, as Streamlit says it on the page.

const STATE = "data-test-script-state";

const app = () => document.querySelector(`[${STATE}]`);

/** @param {Element | null} [of] */
export const scriptRuns = (of = app()) => of?.getAttribute(STATE) === "running";

/** Calls once the script has run to its end; returns what ends that.
 * @param {() => void} call */
export function onceRun(call) {
  const of = app();
  const watching = new MutationObserver(() => scriptRuns(of) || call());
  if (of) watching.observe(of, { attributes: true, attributeFilter: [STATE] });
  return () => watching.disconnect();
}
