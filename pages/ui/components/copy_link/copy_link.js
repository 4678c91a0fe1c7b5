// One click copies the address, which says all that was chosen. What was done is said below the button, with the link
// itself for where the browser does not let a page write to the clipboard. A small text is in the link where somebody
// wants it: behind the #. The text of such a link is given to Python and taken out of the address; the tab remembers it.

import { recalled, remember } from "../shared/browser_session.js";
import { offers } from "../shared/commands.js";
import { make, mounted } from "../shared/component.js";
import { linkWith, textIn } from "./text_in_link.js";

const REMEMBERED = "text-of-link";

const CHAIN = "M7.5 12.5l5-5M9 5.5l1.6-1.6a3.6 3.6 0 0 1 5.1 5.1L14 10.6M11 14.5l-1.6 1.6a3.6 3.6 0 0 1-5.1-5.1L6 9.4";

class CopyLink {
  constructor(parent) {
    this.root = make("div", "copy", parent);
    this.button = make("button", "", this.root, { type: "button", title: "Copy the link to this view" });
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("viewBox", "0 0 20 20");
    picture.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", CHAIN);
    picture.append(path);
    this.button.append(picture);
    make("span", "", this.button).textContent = "Copy link";
    this.panel = make("div", "panel", this.root, { popover: "auto", role: "group", "aria-label": "Link to this view" });
    this.says = make("p", "says", this.panel, { role: "status" });
    this.link = make("input", "", this.panel, { readonly: "", "aria-label": "The link", spellcheck: "false" });
    this.choice = make("label", "choice", this.panel);
    this.withText = make("input", "", this.choice, { type: "checkbox" });
    this.choiceWords = make("span", "", this.choice);
    this.note = make("p", "note", this.panel);
    this.withText.addEventListener("change", () => this.trigger("include", this.withText.checked));
    this.panel.addEventListener("beforetoggle", (event) => this.close(/** @type {ToggleEvent} */ (event)));
    this.link.addEventListener("focus", () => this.link.select());
    this.button.addEventListener("click", (event) => this.copy(event.detail === 0));
    this.noCommands = offers(() => [
      {
        group: "Action",
        name: "Copy link",
        also: "share address URL",
        hint: "to this view",
        run: () => this.copy(true),
      },
    ]);
  }

  receive({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    if (!data) return;
    const { note, size, packed, missing } = data;
    this.note.textContent = note;
    this.choice.hidden = !size;
    this.choiceWords.textContent = `Include the text in the link (${size})`;
    this.withText.checked = Boolean(packed);
    const another = this.packed !== undefined && this.packed !== packed;
    this.packed = packed;
    if (another && this.panel.matches(":popover-open")) this.write();
    this.giveText(missing);
  }

  /** Gives Python the text that is in the address, or that was, where its document is still missing. */
  giveText(missing) {
    const fragment = textIn(location.hash);
    const about = new URLSearchParams(location.search).get("document") ?? "";
    if (fragment) {
      remember(REMEMBERED, `${about} ${fragment}`);
      history.replaceState(history.state, "", linkWith(location.href, ""));
    }
    const [known, text] = (recalled(REMEMBERED) ?? "").split(" ");
    if (!missing || known !== missing || this.given === missing) return;
    this.given = missing;
    this.trigger("text", text);
  }

  /** @param {boolean} byKeyboard the link then takes the focus */
  copy(byKeyboard) {
    this.say("");
    this.show();
    if (byKeyboard) this.link.focus();
    return this.write();
  }

  /** Escape gives the focus to the button, and a press beside the panel to what was pressed.
   * @param {ToggleEvent} event */
  close({ newState }) {
    if (newState === "closed" && this.panel.matches(":focus-within")) this.button.focus();
  }

  async write() {
    const link = linkWith(location.href, this.packed);
    this.link.value = link;
    this.say((await written(link, this.link)) ? "Link copied" : "Copy the link from here:");
  }

  say(words) {
    this.says.textContent = words;
  }

  show() {
    this.panel.showPopover();
    const box = this.button.getBoundingClientRect();
    const wide = this.panel.offsetWidth;
    this.panel.style.top = `${box.bottom + 6}px`;
    this.panel.style.left = `${Math.max(8, Math.min(box.right - wide, innerWidth - wide - 8))}px`;
  }

  destroy() {
    this.noCommands();
    this.root.remove();
  }
}

/** Whether the link is on the clipboard: without a secure address only the old way is open to a page. */
async function written(link, field) {
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    field.focus({ preventScroll: true });
    field.select();
    try {
      return document.execCommand("copy");
    } catch {
      return false;
    }
  }
}

export default mounted(CopyLink);
