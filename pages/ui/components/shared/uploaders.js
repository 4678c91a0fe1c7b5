// Streamlit's uploader is a section that says it has no role and has a name all the same: who reads by its role hears
// nothing of the name. Here it is made a group. The page's HTML asks for this module (pages/ui/server/first_style.py).

const NAMED = 'section[role="presentation"][aria-label]';

/** Gives every uploader below an element its role.
 * @param {ParentNode} root */
export function giveRoles(root) {
  for (const each of root.querySelectorAll(NAMED)) each.setAttribute("role", "group");
}

/** Does so whenever something comes onto the page, once for each frame. */
function watch() {
  let waits = false;
  const look = () => {
    waits = false;
    giveRoles(document);
  };
  new MutationObserver(() => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(look);
  }).observe(document.body, { childList: true, subtree: true });
}

if (globalThis.document) watch(); // not where Node tests it
