// What the tests for everyone ask a page: is it still, what can be reached, where is the focus, and can that be seen.

window.everyone ??= (() => {
  const inside = (root, found = []) => {
    for (const element of root.querySelectorAll("*")) {
      found.push(element);
      if (element.shadowRoot) inside(element.shadowRoot, found);
    }
    return found;
  };
  const focused = () => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element === document.body ? null : element;
  };
  const parent = (element) => element.parentElement ?? element.getRootNode().host;
  const look = (element) => {
    const seen = [];
    for (let depth = 0; element && depth < 6; depth++, element = parent(element)) {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor, color } =
        getComputedStyle(element);
      seen.push(outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor, color);
    }
    return seen.join("|");
  };
  // One of a group of options is reached by Tab, the others by the arrow keys.
  const oneOfMany = (element) =>
    element.matches("[role=radio], [role=option], [role=tab], [role=toolbar] button, input[type=radio]");
  const reachable = () =>
    inside(document).filter(
      (element) =>
        element.matches("a[href], button, input, select, textarea, summary, [tabindex]") &&
        element.tabIndex >= 0 &&
        !element.disabled &&
        !element.closest("[inert]") &&
        element.checkVisibility({ visibilityProperty: true }),
    );
  const named = (element) => element.outerHTML.slice(0, 160);
  const ringed = (element) => {
    for (let depth = 0; element && depth < 4; depth++, element = parent(element)) {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      if (outlineStyle === "solid" && Number.parseFloat(outlineWidth) >= 2) return true;
    }
    return false;
  };
  /** How wide and high an element is to be pressed, with what it has around it for that. */
  const reach = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const around = getComputedStyle(element, "::before");
    if (around.position !== "absolute") return [width, height];
    return [Math.max(width, Number.parseFloat(around.width)), Math.max(height, Number.parseFloat(around.height))];
  };
  const looks = new Map();
  const thin = new Set();
  let expected = [];
  return {
    /** Until nothing on the page has changed for a while. */
    still: (quiet) =>
      new Promise((done) => {
        const watch = new MutationObserver(() => again());
        let timer;
        const again = () => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            watch.disconnect();
            done(true);
          }, quiet);
        };
        watch.observe(document, { subtree: true, childList: true, characterData: true });
        again();
      }),
    begin: () => {
      focused()?.blur();
      looks.clear();
      thin.clear();
      expected = reachable();
      return expected.length;
    },
    /** Notes where the focus is; false once it has left the page. */
    here: () => {
      const element = focused();
      if (element && !looks.has(element)) looks.set(element, look(element));
      if (element?.matches("input, textarea") && !ringed(element)) thin.add(named(element));
      return element !== null;
    },
    /** What the control that has the focus is called. */
    name: () => focused()?.getAttribute("aria-label") ?? "",
    missed: () =>
      reachable()
        .filter((element) => expected.includes(element) && !looks.has(element) && !oneOfMany(element))
        .map(named),
    /** Fields that had the focus and no ring of 2 px around them. */
    thin: () => [...thin],
    /** Where the focus was and nothing showed it. A grid draws its own ring on its canvas. */
    unseen: () => {
      focused()?.blur();
      return [...looks]
        .filter(([element, was]) => element.isConnected && element.tagName !== "CANVAS" && look(element) === was)
        .map(([element]) => named(element));
    },
    /** What is too small to be pressed (under 24 px) or read (12 px). */
    small: () =>
      inside(document)
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .filter((element) => {
          const { width, height } = element.getBoundingClientRect();
          if (width <= 1 || height <= 1) return false;
          const pressed =
            "button, a[href], select, summary, label:has([type=checkbox]), [role=button], [role=option], [role=radio], [role=separator], [role=tab]";
          // Links that a document has are as high as their line, and so are labels in lines that follow each other.
          const inLine = element.closest(".lbl.below, .md");
          const written = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
          return (
            (element.matches(pressed) && !inLine && Math.min(...reach(element)) < 23.5) ||
            (written && Number.parseFloat(getComputedStyle(element).fontSize) < 12)
          );
        })
        .map(named),
    /** What is chosen and typed: each control's name with its value. */
    chosen: () =>
      inside(document)
        .filter((element) => element.matches("input:not([type=file])") && element.checkVisibility())
        .map((element) => [
          element.getAttribute("aria-label") ?? "",
          element.type === "checkbox" || element.type === "radio" ? element.checked : element.value,
        ]),
    /** Elements and attributes that only a document could have made. */
    foreign: () =>
      inside(document)
        .filter(
          (element) =>
            element.matches(
              "img[src=x], iframe, object, embed, .katex, .mermaid, [onerror], [onload], [onclick], a[href^='javascript' i]",
            ) ||
            (element.matches("script") && /alert|owned/.test(element.textContent)),
        )
        .map(named),
  };
})();
