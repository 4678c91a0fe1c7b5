/** The attribute of a field whose value has been taken: nothing in it is being typed, so that undo is the page's. */
export const COMMITTED = "data-committed";
