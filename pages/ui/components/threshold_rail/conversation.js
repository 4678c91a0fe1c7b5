// What the rail has said to Python and what it has heard: a state machine without elements, sockets or clocks. An event
// gives the next state and what is to be done, in this order; the rail does it.
//
// A move goes the short way (drag_socket.js) where that is open, one question at a time; what moves meanwhile waits. When
// the drag rests or ends, Streamlit is told all that it has not heard of, and runs with it. What it says then holds. A
// pause holds questions back, not what Streamlit is told.

export const REST = 350; // milliseconds: a drag that stands still this long is told to Streamlit too
export const KEYS_REST = 400; // keys that follow each other faster than this are one change

/**
 * @typedef {Record<string, number>} Values Settings, each with where it stands.
 *
 * @typedef {object} State
 * @property {number} sequence the number of the last move that was sent, either way
 * @property {Values | null} pending moved, and not yet sent
 * @property {boolean} releasing what was moved is let go, and Streamlit has not been told
 * @property {number} ahead the last move that went the short way, until Streamlit has run with it; 0 after that
 * @property {Values} unsaid what the short way has brought and Streamlit has not run with
 * @property {number} waitingFor the move that Streamlit was told and has not run with; 0 where there is none
 *
 * @typedef {object} ShortWay
 * @property {boolean} ready a question can be asked now
 * @property {boolean} waits one was asked, and its answer has not come
 * @property {boolean} pauses the server has asked for a pause: only what is let go is asked
 *
 * @typedef {{sequence: number, values: Values}} Message
 *
 * @typedef {{do: "ask", message: Message, again?: boolean}
 *   | {do: "tell", name: "moved" | "released", message: Message}
 *   | {do: "rest", milliseconds: number}
 *   | {do: "stop resting"}
 *   | {do: "stop waiting"}
 *   | {do: "settle", run: string}
 *   | {do: "show what Python said"}} Effect
 * `ask`: the short way; `again`, for what it has brought, of which more is wanted. `tell`: Streamlit, which is waited for.
 * `rest`: `rested` after that long, unless stopped. `settle`: what is on screen is what Python says, the run of this name,
 * or, "", whatever it said last.
 *
 * @typedef {[State, Effect[]]} Step
 */

/** A rail that has said nothing. `sequence` is greater than what any rail before it counted to.
 * @param {number} sequence
 * @returns {State} */
export function quiet(sequence) {
  return { sequence, pending: null, releasing: false, ahead: 0, unsaid: {}, waitingFor: 0 };
}

/** Where the conversation stands: Streamlit runs, the short way is ahead of it, both, or neither.
 * @param {State} state
 * @returns {"quiet" | "ahead" | "told" | "told and ahead"} */
export function phaseOf({ ahead, waitingFor }) {
  if (waitingFor) return ahead > waitingFor ? "told and ahead" : "told";
  return ahead ? "ahead" : "quiet";
}

/** A threshold was moved, or let go where it stands.
 * @param {State} state
 * @param {Values} values
 * @param {boolean} released
 * @param {ShortWay} shortWay
 * @param {boolean} byKeys
 * @returns {Step} */
export function moved(state, values, released, shortWay, byKeys) {
  const pending = { ...state.pending, ...values };
  const next = { ...state, pending, releasing: state.releasing || released };
  return after([{ do: "stop resting" }], send(next, shortWay, released && !byKeys));
}

/** The short way has answered. While keys are used, what they let go waits for the next one.
 * @param {State} state
 * @param {ShortWay} shortWay
 * @param {boolean} byKeys
 * @returns {Step} */
export function heard(state, shortWay, byKeys) {
  if (state.pending) return send(state, shortWay, state.releasing && !byKeys);
  if (state.releasing && !byKeys) return tell(state);
  return [state, [rest(state)]];
}

/** What is on screen is what the short way brought, without all that is now wanted of it: asked once more where nothing
 * else is asked; no move, so Streamlit is told nothing.
 * @param {State} state
 * @param {ShortWay} shortWay
 * @returns {Step} */
export function lacking(state, { ready, waits, pauses }) {
  if (!state.ahead || state.pending || !ready || waits || pauses) return [state, []];
  return [state, [{ do: "ask", message: { sequence: state.ahead, values: state.unsaid }, again: true }]];
}

/** A question can be asked again, after a pause.
 * @param {State} state
 * @param {ShortWay} shortWay
 * @returns {Step} */
export function free(state, shortWay) {
  return state.pending ? send(state, shortWay) : [state, []];
}

/** Nothing has moved for a while.
 * @param {State} state
 * @returns {Step} */
export function rested(state) {
  return tell(state);
}

/** The short way gives no answer: Streamlit's own is taken, and what it says holds.
 * @param {State} state
 * @returns {Step} */
export function lost(state) {
  const [settled, effects] = settle({ ...state, pending: { ...state.unsaid, ...state.pending } }, "");
  return after(effects, tell(settled));
}

/** Streamlit has run with the move `echo`, and its run has this name.
 * @param {State} state
 * @param {{echo: number, run: string}} said
 * @param {ShortWay} shortWay
 * @returns {Step} */
export function ran(state, { echo, run }, shortWay) {
  const [next, effects] = isBehind(state, echo) ? [state, []] : settle(state, run);
  if (!next.waitingFor || echo < next.waitingFor) return [next, effects];
  return after(effects, answered(next, shortWay));
}

/** Whether the short way has brought more than Streamlit ran with.
 * @param {State} state
 * @param {number} echo */
export function isBehind({ ahead }, echo) {
  return echo < ahead;
}

/** Streamlit has not run in time: what Python said last holds. `answered` comes next: it may be told again.
 * @param {State} state
 * @returns {Step} */
export function overdue(state) {
  if (!state.ahead) return [state, []];
  const [settled, effects] = settle(state, "");
  return [settled, [...effects, { do: "show what Python said" }]];
}

/** Whether a setting is the rail's for now: it was moved, and Streamlit has not run with that.
 * @param {State} state
 * @param {string} setting */
export function holds({ waitingFor, unsaid, pending }, setting) {
  return waitingFor > 0 || unsaid[setting] !== undefined || pending?.[setting] !== undefined;
}

/** What was moved, and Streamlit was not told.
 * @param {State} state
 * @returns {Values} */
export function untold({ unsaid, pending, ahead, waitingFor }) {
  return ahead > waitingFor ? { ...unsaid, ...pending } : { ...pending };
}

/** The short way first; what was let go is told to Streamlit when its boundaries are on screen.
 * @param {State} state
 * @param {ShortWay} shortWay
 * @param {boolean} letGo whether it is asked in a pause too
 * @returns {Step} */
function send(state, { ready, waits, pauses }, letGo = false) {
  if (waits || (pauses && state.pending && !letGo)) return [state, []];
  if (state.pending && ready) {
    const sequence = state.sequence + 1;
    const unsaid = { ...state.unsaid, ...state.pending };
    const message = { sequence, values: unsaid };
    return [{ ...state, sequence, unsaid, pending: null, ahead: sequence }, [{ do: "ask", message }]];
  }
  return state.pending || state.releasing ? tell(state) : [state, []];
}

/** Has Streamlit run with all that moved; once it has run with what it was told before.
 * @param {State} state
 * @returns {Step} */
function tell(state) {
  if (state.waitingFor) return [state, [{ do: "stop resting" }]];
  // A move that the short way has brought keeps its number.
  const sequence = state.ahead === state.sequence ? state.sequence : state.sequence + 1;
  const message = { sequence, values: { ...state.unsaid, ...state.pending } };
  return [
    { ...state, sequence, pending: null, releasing: false, waitingFor: sequence },
    [{ do: "stop resting" }, { do: "tell", name: state.releasing ? "released" : "moved", message }],
  ];
}

/** Streamlit is no longer waited for.
 * @param {State} state
 * @param {ShortWay} shortWay
 * @returns {Step} */
export function answered(state, shortWay) {
  const next = { ...state, waitingFor: 0 };
  /** @type {Effect[]} */
  const effects = [{ do: "stop waiting" }];
  if (next.pending || next.releasing) return after(effects, send(next, shortWay));
  return [next, next.ahead ? [...effects, rest(next)] : effects];
}

/** @param {State} state
 * @param {string} run
 * @returns {Step} */
function settle(state, run) {
  return [{ ...state, ahead: 0, unsaid: {} }, [{ do: "settle", run }]];
}

/** @param {State} state
 * @returns {Effect} */
function rest({ releasing }) {
  return { do: "rest", milliseconds: releasing ? KEYS_REST : REST };
}

/** @param {Effect[]} before
 * @param {Step} step
 * @returns {Step} */
function after(before, [state, effects]) {
  return [state, [...before, ...effects]];
}
