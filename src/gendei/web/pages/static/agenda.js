"use strict";
// Dragging a card of the agenda, and the minute that was tapped. The server decides; here is only what the hand does.
// A finger holds a card before it drags, since a finger that moves at once scrolls.
(() => {
  const THRESHOLD = 6; // px before a press is a drag
  const EDGE = 48; // px from the edge at which the board scrolls along
  const HOLD = 350; // ms
  const SCROLL = 30; // ms between two steps of the board under a hand that rests at its edge
  let drag = null;
  let dropped = false;

  const boardOf = (element) => element.closest(".a-board");
  const number = (element, name) => Number(getComputedStyle(element).getPropertyValue(name));
  const text = (minute) =>
    `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

  /** The minute of the day at the height `y` of the window, in a lane. */
  const minuteAt = (lane, y, round) => {
    const board = boardOf(lane);
    const box = lane.getBoundingClientRect();
    const step = Number(board.dataset.step);
    const minute = number(board, "--from") + ((y - box.top) / box.height) * number(board, "--minutes");
    return round(minute / step) * step;
  };

  window.gendeiAgenda = {
    /** What was tapped of a free stretch; null where it is no drawing to scale, or a key was pressed. */
    minuteOf(event) {
      const free = event.currentTarget ?? event.target.closest(".a-free");
      const scaled = getComputedStyle(free).position === "absolute" && event.detail > 0;
      return scaled ? minuteAt(free.closest(".a-lane"), event.clientY, Math.floor) : null;
    },
  };

  const laneAt = (x, y) =>
    document.elementsFromPoint(x, y).map((one) => one.closest(".a-lane")).find(Boolean) ?? null;

  const begin = () => {
    const box = drag.card.getBoundingClientRect();
    drag.ghost = drag.card.cloneNode(true);
    drag.ghost.removeAttribute("data-id");
    drag.ghost.setAttribute("aria-hidden", "true");
    drag.ghost.classList.add("a-ghost");
    Object.assign(drag.ghost.style, { width: `${box.width}px`, height: `${box.height}px` });
    drag.grip = drag.y - box.top;
    drag.left = drag.x - box.left;
    drag.card.classList.add("a-dragged");
    boardOf(drag.card).append(drag.ghost);
    document.body.style.cursor = "grabbing";
    drag.scrolling = setInterval(() => drag.at && follow(...drag.at), SCROLL);
  };

  const follow = (x, y) => {
    drag.at = [x, y];
    const lane = laneAt(x, y);
    drag.lane?.classList.toggle("a-target", drag.lane === lane);
    lane?.classList.add("a-target");
    drag.lane = lane;
    drag.minute = lane ? minuteAt(lane, y - drag.grip, Math.round) : null;
    drag.ghost.style.transform = `translate(${x - drag.left}px, ${y - drag.grip}px)`;
    if (lane) drag.ghost.querySelector(".a-card-time").textContent = text(Math.max(drag.minute, 0));
    const scroller = boardOf(drag.card)?.parentElement;
    if (!scroller) return;
    const box = scroller.getBoundingClientRect();
    if (y < box.top + EDGE) scroller.scrollBy(0, -12);
    if (y > box.bottom - EDGE) scroller.scrollBy(0, 12);
  };

  const end = (isDrop) => {
    const { ghost, lane, minute, card, id, version, board, hold, scrolling } = drag;
    drag = null;
    clearTimeout(hold);
    clearInterval(scrolling);
    document.body.style.cursor = "";
    if (!ghost) return;
    ghost.remove();
    card.classList.remove("a-dragged");
    lane?.classList.remove("a-target");
    if (!isDrop || !lane || minute < 0) return;
    const detail = { id, version, minute, professional: lane.dataset.professional, day: lane.dataset.day };
    board.dispatchEvent(new CustomEvent("agendamove", { detail }));
  };

  addEventListener("pointerdown", (event) => {
    const card = event.target.closest?.(".a-card[data-moves]");
    dropped = false;
    if (!card || event.button !== 0 || getComputedStyle(card).position !== "absolute")
      return;
    const { id, version } = card.dataset;
    drag = { card, id, version, board: boardOf(card), x: event.clientX, y: event.clientY, lane: null, minute: null };
    drag.isTouch = event.pointerType === "touch";
    if (drag.isTouch) drag.hold = setTimeout(begin, HOLD);
  });

  addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < THRESHOLD) return;
      if (drag.isTouch) return end(false);
      begin();
    }
    event.preventDefault();
    follow(event.clientX, event.clientY);
  });

  addEventListener("pointerup", () => {
    if (!drag) return;
    dropped = Boolean(drag.ghost);
    end(true);
  });
  addEventListener("pointercancel", () => drag && end(false));
  addEventListener("touchmove", (event) => drag?.ghost && event.preventDefault(), { passive: false });
  addEventListener("contextmenu", (event) => drag?.ghost && event.preventDefault());
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !drag) return;
    dropped = Boolean(drag.ghost);
    end(false);
  });
  // the click that follows a drop opens nothing
  addEventListener("click", (event) => {
    if (!dropped) return;
    dropped = false;
    event.stopPropagation();
    event.preventDefault();
  }, true);

  // small choices are one stop of the Tab key: arrows lead from one to the next
  const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  addEventListener("keydown", (event) => {
    const row = event.target.closest?.('.a-chips[role="toolbar"]');
    if (!row || !(event.key in STEPS || event.key === "Home" || event.key === "End")) return;
    const choices = [...row.querySelectorAll(".a-chip")];
    const last = choices.length - 1;
    const at = choices.indexOf(event.target) + (STEPS[event.key] ?? 0);
    const next = event.key === "Home" ? 0 : event.key === "End" ? last : Math.min(Math.max(at, 0), last);
    choices.forEach((choice, number) => choice.setAttribute("tabindex", number === next ? "0" : "-1"));
    choices[next].focus();
    event.preventDefault();
  });

  // a card that is drawn anew keeps the focus that it had, also through a sheet that was opened from it
  let focused = null;
  const leaves = (event) => {
    const card = event.target.closest?.(".a-card");
    if (card) focused = card.dataset.id;
    else if (!event.target.closest?.(".q-dialog")) focused = null;
  };
  addEventListener("focusin", leaves);
  addEventListener("pointerdown", leaves);
  new MutationObserver(() => {
    if (focused === null || document.activeElement !== document.body) return;
    document.querySelector(`.a-card[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }).observe(document.documentElement, { childList: true, subtree: true });
})();
