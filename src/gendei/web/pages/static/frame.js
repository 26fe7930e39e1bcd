"use strict";
// What is typed survives a page that is built anew: kept when the page goes, given back once its field is there.
(() => {
  const PREFIX = "gendei-draft:";
  const drafts = () => document.querySelectorAll("[data-draft]");

  addEventListener("pagehide", () => {
    for (const field of drafts()) {
      const key = PREFIX + field.dataset.draft;
      if (field.value) sessionStorage.setItem(key, field.value);
      else sessionStorage.removeItem(key);
    }
  });

  const giveBack = () => {
    if (!window.socket) return;
    for (const field of drafts()) {
      const key = PREFIX + field.dataset.draft;
      const kept = sessionStorage.getItem(key);
      if (kept === null) continue;
      sessionStorage.removeItem(key);
      if (field.value) continue;
      field.value = kept;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  };
  new MutationObserver(giveBack).observe(document.documentElement, { childList: true, subtree: true });
})();
