// The second gate before rendered Markdown comes onto the page: whatever is not on these lists is not there, or is only
// its text. The first is rendered_markdown.py, which makes nothing else.

const TAGS = new Set(
  "P H1 H2 H3 H4 H5 H6 UL OL LI BLOCKQUOTE PRE CODE EM STRONG S BR HR TABLE THEAD TBODY TR TH TD A SPAN I".split(" "),
);
const CLASSES = new Set(["lead", "picture", "written", "cut"]);
const LEADS_OUT = /^(https?|mailto):/i;

/** The HTML as nodes. A template is inert: nothing in it is fetched or run. */
export function cleanNodes(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  clean(template.content);
  return template.content;
}

function clean(parent) {
  for (const node of [...parent.childNodes]) {
    if (node.nodeType === Node.TEXT_NODE) continue;
    if (node.nodeType !== Node.ELEMENT_NODE || !TAGS.has(node.tagName)) {
      node.replaceWith(document.createTextNode(node.textContent ?? ""));
      continue;
    }
    for (const { name, value } of [...node.attributes]) if (!allowed(node, name, value)) node.removeAttribute(name);
    if (node.tagName === "A") {
      node.target = "_blank";
      node.rel = "noopener noreferrer nofollow";
    }
    clean(node);
  }
}

function allowed(node, name, value) {
  if (name === "class") return CLASSES.has(value);
  if (name === "title") return true;
  if (name === "href") return node.tagName === "A" && LEADS_OUT.test(value);
  if (name === "start") return node.tagName === "OL" && /^\d{1,9}$/.test(value);
  if (name === "style") return /^text-align:(left|right|center)$/.test(value);
  return name === "data-at" && /^\d+$/.test(value);
}
