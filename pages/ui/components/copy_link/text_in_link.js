// A link whose fragment holds a text, compressed (pages/ui/choices/text_in_link.py).

const MARK = "#text=";
const LONGEST = 60_000; // characters: Python says what is wrong with more

/** The link with this packed text in place of its fragment; without any where it is "".
 * @param {string} href
 * @param {string | undefined} packed */
export function linkWith(href, packed) {
  const [link] = href.split("#", 1);
  return packed ? `${link}${MARK}${packed}` : link;
}

/** The packed text of a fragment; "" where it holds none.
 * @param {string} fragment */
export function textIn(fragment) {
  return fragment.startsWith(MARK) ? fragment.slice(MARK.length, MARK.length + LONGEST).replaceAll(" ", "") : "";
}
