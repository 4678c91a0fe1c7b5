/** What has the keyboard, also in a component; the page's body where nothing has it.
 * @returns {HTMLElement} */
export function focused() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return /** @type {HTMLElement} */ (element);
}
