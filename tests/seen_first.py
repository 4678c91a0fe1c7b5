"""What of a page stands there in the moment in which what stood for it while it loaded goes."""

from __future__ import annotations

WHAT_IS_SEEN_FIRST = """addEventListener("DOMContentLoaded", () => {
  const loading = document.querySelector(".cs-loading");
  new MutationObserver((_, observer) => {
    if (loading.isConnected) return;
    observer.disconnect();
    window.seenFirst = {
      drawn: [...document.querySelectorAll("[data-drawn]")].map((part) => part.parentElement.className),
      skeletons: document.querySelectorAll(
        ':is(.st-key-inspect, .st-key-compare-chosen) [data-testid^="stSkeleton"]'
      ).length,
      spinners: document.querySelectorAll('[data-testid="stSpinner"]').length,
    };
  }).observe(document.body, { childList: true });
});"""
"""A page's script: `window.seenFirst` has then the classes of our parts that are drawn, and how
many skeletons and spinners there are."""
