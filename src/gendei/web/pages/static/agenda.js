"use strict";
// What a hand does on the agenda: cards are dragged to another time or made longer, free time is drawn to be booked. The
// server decides. A finger holds before it drags, since a finger that moves at once scrolls.
(() => {
  const THRESHOLD = 6; // px before a press is a drag
  const EDGE = 48; // px from the edge at which the board scrolls along
  const LOWER = 8; // px above a card's lower edge at which it is made longer or shorter
  const FINE = 5; // minutes to which a length snaps
  const HOLD = 350; // ms
  const SCROLL = 30; // ms between two steps of the board under a hand that rests at its edge
  let drag = null;
  let dropped = false;

  const boardOf = (element) => element.closest(".a-board");
  const isScaled = (element) => getComputedStyle(element).position === "absolute";
  const number = (element, name) => Number(getComputedStyle(element).getPropertyValue(name));
  const text = (minute) =>
    `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  const within = (minute, least, most) => Math.min(Math.max(minute, least), most);

  /** The minute of the day at the height `y` of the window, in a lane. */
  const minuteAt = (lane, y, round, step = Number(boardOf(lane).dataset.step)) => {
    const board = boardOf(lane);
    const box = lane.getBoundingClientRect();
    const minute = number(board, "--from") + ((y - box.top) / box.height) * number(board, "--minutes");
    return round(minute / step) * step;
  };

  const memory = (clinic) => `gendei-agenda:${clinic}`;
  window.gendeiAgenda = {
    /** What was tapped of a free stretch; null where it is no drawing to scale, or a key was pressed. */
    minuteOf(event) {
      const free = event.currentTarget ?? event.target.closest(".a-free");
      return isScaled(free) && event.detail > 0 ? minuteAt(free.closest(".a-lane"), event.clientY, Math.floor) : null;
    },
    /** How this browser shows a clinic's agenda. */
    keep(clinic, shown) {
      try {
        localStorage.setItem(memory(clinic), JSON.stringify(shown));
      } catch {
        // without memory it is shown as at first
      }
    },
    kept(clinic) {
      try {
        return JSON.parse(localStorage.getItem(memory(clinic)));
      } catch {
        return null;
      }
    },
  };

  const laneAt = (x, y) =>
    document.elementsFromPoint(x, y).map((one) => one.closest(".a-lane")).find(Boolean) ?? null;

  const tell = (board, name, detail) => board.dispatchEvent(new CustomEvent(name, { detail }));

  // Each kind of drag: how it begins, goes on, is dropped, and leaves no trace.
  const kinds = {
    move: {
      begin() {
        const box = drag.from.getBoundingClientRect();
        drag.ghost = drag.from.cloneNode(true);
        drag.ghost.removeAttribute("data-id");
        drag.ghost.setAttribute("aria-hidden", "true");
        drag.ghost.classList.add("a-ghost");
        Object.assign(drag.ghost.style, { width: `${box.width}px`, height: `${box.height}px` });
        drag.grip = drag.y - box.top;
        drag.left = drag.x - box.left;
        drag.from.classList.add("a-dragged");
        drag.board.append(drag.ghost);
        document.body.style.cursor = "grabbing";
      },
      follow(x, y) {
        const lane = laneAt(x, y);
        drag.lane?.classList.toggle("a-target", drag.lane === lane);
        lane?.classList.add("a-target");
        drag.lane = lane;
        drag.minute = lane ? minuteAt(lane, y - drag.grip, Math.round) : null;
        drag.ghost.style.transform = `translate(${x - drag.left}px, ${y - drag.grip}px)`;
        if (lane) drag.ghost.querySelector(".a-card-time").textContent = text(Math.max(drag.minute, 0));
      },
      drop({ lane, minute, id, version, board }) {
        if (!lane || minute < 0) return;
        tell(board, "agendamove", { id, version, minute, professional: lane.dataset.professional, day: lane.dataset.day });
      },
      clear({ ghost, from, lane }) {
        ghost.remove();
        from.classList.remove("a-dragged");
        lane?.classList.remove("a-target");
      },
    },
    resize: {
      begin() {
        drag.lane = drag.from.closest(".a-lane");
        drag.start = number(drag.from, "--at");
        drag.time = drag.from.querySelector(".a-card-time");
        drag.label = drag.time.textContent;
        drag.from.classList.add("a-resized");
        document.body.style.cursor = "ns-resize";
      },
      follow(_x, y) {
        drag.minutes = Math.max(minuteAt(drag.lane, y, Math.round, FINE) - drag.start, FINE);
        drag.from.style.setProperty("--for", drag.minutes);
        drag.time.textContent = `${text(drag.start)} – ${text(drag.start + drag.minutes)}`;
      },
      drop({ id, version, minutes, was, board }) {
        if (minutes !== was) tell(board, "agendaresize", { id, version, minutes });
      },
      clear({ from, was, time, label }) {
        from.style.setProperty("--for", was);
        from.classList.remove("a-resized");
        time.textContent = label;
      },
    },
    create: {
      begin() {
        drag.lane = drag.from.closest(".a-lane");
        drag.least = number(drag.from, "--at");
        drag.most = drag.least + number(drag.from, "--for");
        drag.start = within(minuteAt(drag.lane, drag.y, Math.floor, FINE), drag.least, drag.most);
        drag.ghost = document.createElement("div");
        drag.ghost.className = "a-selection";
        drag.lane.append(drag.ghost);
        document.body.style.cursor = "ns-resize";
      },
      follow(_x, y) {
        const other = within(minuteAt(drag.lane, y, Math.round, FINE), drag.least, drag.most);
        const [minute, end] = [Math.min(drag.start, other), Math.max(drag.start, other)];
        Object.assign(drag, { minute, minutes: end - minute });
        drag.ghost.style.setProperty("--at", minute);
        drag.ghost.style.setProperty("--for", drag.minutes);
        drag.ghost.textContent = `${text(minute)} – ${text(end)}`;
      },
      drop({ lane, minute, minutes, board }) {
        if (minutes < FINE) return;
        tell(board, "agendacreate", {
          minute, minutes, professional: lane.dataset.professional, day: lane.dataset.day,
        });
      },
      clear({ ghost }) {
        ghost.remove();
      },
    },
  };

  const begin = () => {
    drag.active = true;
    kinds[drag.kind].begin();
    drag.scrolling = setInterval(() => drag.last && follow(...drag.last), SCROLL);
  };

  const follow = (x, y) => {
    drag.last = [x, y];
    kinds[drag.kind].follow(x, y);
    const scroller = drag.board.parentElement;
    if (!scroller) return;
    const box = scroller.getBoundingClientRect();
    if (y < box.top + EDGE) scroller.scrollBy(0, -12);
    if (y > box.bottom - EDGE) scroller.scrollBy(0, 12);
  };

  const end = (isDrop) => {
    const ended = drag;
    drag = null;
    clearTimeout(ended.hold);
    clearInterval(ended.scrolling);
    document.body.style.cursor = "";
    if (!ended.active) return;
    kinds[ended.kind].clear(ended);
    if (isDrop && ended.last) kinds[ended.kind].drop(ended);
  };

  /** What a press on an element may become. */
  const kindOf = (card, event) => {
    if (!card) return "create";
    const box = card.getBoundingClientRect();
    const isLow = event.clientY > box.bottom - Math.min(LOWER, box.height / 3);
    return isLow && event.pointerType !== "touch" ? "resize" : "move";
  };

  addEventListener("pointerdown", (event) => {
    dropped = false;
    const card = event.target.closest?.(".a-card[data-moves]");
    const from = card ?? event.target.closest?.(".a-free");
    if (!from || event.button !== 0 || !isScaled(from)) return;
    const { id, version, moves } = from.dataset;
    drag = { kind: kindOf(card, event), from, id, version, was: Number(moves), board: boardOf(from) };
    Object.assign(drag, { x: event.clientX, y: event.clientY, isTouch: event.pointerType === "touch" });
    if (drag.isTouch) drag.hold = setTimeout(begin, HOLD);
  });

  addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.active) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < THRESHOLD) return;
      if (drag.isTouch) return end(false);
      begin();
    }
    event.preventDefault();
    follow(event.clientX, event.clientY);
  });

  addEventListener("pointerup", () => {
    if (!drag) return;
    dropped = Boolean(drag.active);
    end(true);
  });
  addEventListener("pointercancel", () => drag && end(false));
  addEventListener("touchmove", (event) => drag?.active && event.preventDefault(), { passive: false });
  addEventListener("contextmenu", (event) => drag?.active && event.preventDefault());
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !drag) return;
    dropped = Boolean(drag.active);
    end(false);
  });
  // the click that follows a drop opens nothing
  addEventListener("click", (event) => {
    if (!dropped) return;
    dropped = false;
    event.stopPropagation();
    event.preventDefault();
  }, true);

  // Ctrl+Z takes back the last change, but for what is being written
  addEventListener("keydown", (event) => {
    const isUndo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    const isWritten = event.target.closest?.("input, textarea, [contenteditable]");
    const board = document.querySelector(".a-board");
    if (!isUndo || isWritten || !board || document.querySelector(".q-dialog")) return;
    event.preventDefault();
    tell(board, "agendaundo");
  });

  // small choices are one stop of the Tab key: arrows lead from one to the next
  const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  addEventListener("keydown", (event) => {
    const row = event.target.closest?.('.a-chips[role="toolbar"]');
    if (!row || !(event.key in STEPS || event.key === "Home" || event.key === "End")) return;
    const choices = [...row.querySelectorAll(".a-chip")];
    const last = choices.length - 1;
    const next = { Home: 0, End: last }[event.key] ?? within(choices.indexOf(event.target) + STEPS[event.key], 0, last);
    choices.forEach((choice, place) => choice.setAttribute("tabindex", place === next ? "0" : "-1"));
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
