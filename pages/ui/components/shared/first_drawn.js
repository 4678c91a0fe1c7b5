// What stands for the page while it loads (layout/loading.css) does not come back for parts that come later: it is removed
// when a style hides it. The page's HTML asks for this module.

const loading = globalThis.document?.querySelector(".cs-loading");
if (loading) {
  const observer = new ResizeObserver(() => {
    if (loading.getClientRects().length) return;
    observer.disconnect();
    loading.remove();
  });
  observer.observe(loading);
}
