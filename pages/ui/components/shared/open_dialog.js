// A dialog of Streamlit's over the page: what lies under it takes no command then.

export const DIALOG = 'section[role="dialog"]';

export const dialogIsOpen = () => Boolean(document.querySelector(DIALOG));

/** Whether a dialog is open, or a popover, which has the role of one. */
export const overlayIsOpen = () => Boolean(document.querySelector('[role="dialog"], dialog[open]'));
