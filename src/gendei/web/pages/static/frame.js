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

// What the parts of the library leave out for who steers by keyboard or listens.
(() => {
  const loading = document.currentScript.dataset.loading;
  const name = () => document.querySelector(".q-loading-bar:not([aria-label])")?.setAttribute("aria-label", loading);
  new MutationObserver(name).observe(document.documentElement, { childList: true, subtree: true });

  const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
  /** Arrows, Home and End go through the entries of an open menu. */
  addEventListener("keydown", (event) => {
    const menu = event.target.closest?.('[role="menu"]');
    if (!menu || !(event.key in STEPS || event.key === "Home" || event.key === "End")) return;
    const entries = [...menu.querySelectorAll('[role="menuitem"]')].filter((entry) => entry.offsetParent);
    if (!entries.length) return;
    event.preventDefault();
    const here = entries.indexOf(document.activeElement);
    const ends = { Home: 0, End: entries.length - 1 };
    const step = STEPS[event.key];
    const next = ends[event.key] ?? (here < 0 && step < 0 ? entries.length - 1 : (here + step + entries.length) % entries.length);
    entries[next].focus();
  });

  const STOPS = "a[href], button, input, select, textarea, summary, iframe, [tabindex]";
  const isStop = (stop) => stop.tabIndex >= 0 && !stop.matches(":disabled, [type=hidden]") && stop.checkVisibility({ visibilityProperty: true });
  /** Tab goes round in the uppermost dialog, and not on to what lies below it. */
  addEventListener("keydown", (event) => {
    const dialog = event.key === "Tab" && [...document.querySelectorAll(".q-dialog__inner")].at(-1);
    if (!dialog || !(dialog.contains(document.activeElement) || document.activeElement === document.body)) return;
    const stops = [...dialog.querySelectorAll(STOPS)].filter(isStop);
    const here = stops.indexOf(document.activeElement);
    const leaves = here < 0 || (event.shiftKey ? here === 0 : here === stops.length - 1);
    if (!leaves || !stops.length) return;
    event.preventDefault();
    stops.at(event.shiftKey ? -1 : 0).focus();
  });
})();
