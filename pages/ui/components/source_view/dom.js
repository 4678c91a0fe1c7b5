// Small pieces of page: icons, and the theme's colours as a canvas understands them.

import { make } from "../shared/component.js";

/** What the theme makes of our colours; marks the root as light or dark. */
export function coloursOf(root) {
  const ground = getComputedStyle(root).getPropertyValue("--st-background-color").trim() || "#fff";
  root.dataset.theme = luminance(ground) < 0.4 ? "dark" : "light";
  const now = getComputedStyle(root);
  return {
    hues: [0, 1, 2, 3, 4, 5].map((hue) => now.getPropertyValue(`--h${hue}`).trim()),
    text: now.color,
    muted: resolved(root, "--cs-muted"),
    warn: resolved(root, "--cs-warn"),
    hit: resolved(root, "--cs-hit"),
    ground: resolved(root, "--cs-bg"),
  };
}

/** Changes whenever the theme does. */
export function themeOf(root) {
  const style = getComputedStyle(root);
  return `${style.getPropertyValue("--st-background-color")} ${style.getPropertyValue("--st-text-color")}`;
}

/** A colour that CSS mixes, as a canvas understands it. */
function resolved(root, name) {
  const probe = make("i", "", root);
  probe.style.color = `var(${name})`;
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

function luminance(colour) {
  const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(1, 1).getContext("2d"));
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

const ICONS = {
  search: "M7 2a5 5 0 1 1 0 10A5 5 0 0 1 7 2m3.6 8.6L14 14",
  full: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
};

/** A button with a picture, its name said and shown when it is pointed at. */
export function iconButton(parent, icon, words, act) {
  const button = make("button", "icon", parent, { type: "button", "aria-label": words, title: words });
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of [
    ["viewBox", "0 0 16 16"],
    ["width", "14"],
    ["height", "14"],
    ["aria-hidden", "true"],
  ]) {
    picture.setAttribute(name, value);
  }
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[icon]);
  picture.append(path);
  button.append(picture);
  button.addEventListener("click", act);
  return button;
}
