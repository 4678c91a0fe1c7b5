// Gives this tab of the browser a name, by which the server knows it again after a reload: what was chosen on other pages
// comes back then (pages/ui/state/left_pages.py). The page's HTML runs this script where it stands, before any module:
// Streamlit's is the one that connects, and the server has to be told by then. So it imports nothing.

{
  const KEPT = "chunkscope:tab";
  const COOKIE = "chunkscope-tab";
  const AGAIN = ".reloaded";

  const named = () => {
    const made = Array.from(crypto.getRandomValues(new Uint32Array(3)), (each) => each.toString(36)).join("");
    try {
      const name = sessionStorage.getItem(KEPT) ?? made;
      sessionStorage.setItem(KEPT, name);
      return name;
    } catch {
      return made; // a browser that keeps nothing begins anew with each page
    }
  };
  const [loaded] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  // biome-ignore lint/suspicious/noDocumentCookie: the server has to know it when the session begins
  document.cookie = `${COOKIE}=${named()}${loaded?.type === "reload" ? AGAIN : ""}; path=/; SameSite=Strict`;
}
