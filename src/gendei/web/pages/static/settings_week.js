"use strict";
// A week of opening hours, drawn over the fields in which the same hours are typed: what is painted here is written
// there, and what is typed there is shown here. Keys: arrows, Space, and Shift with an arrow to paint.
(() => {
  const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
  const STEP = 30; // minutes of a cell
  const FIRST = 6 * 60, LAST = 22 * 60; // what is shown at least
  const HOLD = 350; // ms for which a finger rests before it paints; one that moves at once scrolls
  const RANGE = /^(\d{1,2})(?:[:h](\d{2})?)?\s*(?:-|às|as|a|até)\s*(\d{1,2})(?:[:h](\d{2})?)?$/;
  const STYLE = `
    :host { display: block; user-select: none; }
    .week { display: grid; grid-template-columns: 46px repeat(7, minmax(0, 1fr)); border: 1px solid var(--g-line); border-radius: 8px; overflow: hidden; font-size: 12px; }
    .row { display: contents; }
    .head, .hour { color: var(--g-ink-soft); font-weight: 600; text-align: center; }
    .head { padding: 4px 0; }
    .hour { font-weight: 400; padding-right: 4px; text-align: right; line-height: 1; transform: translateY(-1px); }
    .cell { height: 13px; border-left: 1px solid var(--g-line); border-top: 1px solid transparent; cursor: pointer; }
    .cell.full { border-top-color: var(--g-line); }
    .cell[aria-selected=true] { background: linear-gradient(to bottom, transparent var(--from), var(--g-brand) var(--from), var(--g-brand) var(--to), transparent var(--to)); }
    .cell.painted { background: color-mix(in srgb, var(--g-brand) 55%, transparent); }
    .cell.erased { background: color-mix(in srgb, var(--g-bad) 45%, transparent); }
    .cell:focus { outline: 2px solid var(--g-ink); outline-offset: -2px; }
    .still .cell { cursor: default; }`;

  const clock = (minute) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  const parsed = (text) =>
    text.trim().split(/\s*(?:,|;| e )\s*/).flatMap((part) => {
      const found = part.match(RANGE);
      if (!found) return [];
      const [start, end] = [1, 3].map((at) => Number(found[at]) * 60 + Number(found[at + 1] ?? 0));
      return start < end && end <= 1440 ? [[start, end]] : [];
    });
  const joined = (ranges) => {
    const merged = [];
    for (const [start, end] of ranges.toSorted((one, other) => one[0] - other[0])) {
      const last = merged.at(-1);
      if (last && start <= last[1]) last[1] = Math.max(last[1], end);
      else merged.push([start, end]);
    }
    return merged;
  };
  const without = (ranges, from, to) =>
    ranges.flatMap(([start, end]) => [[start, Math.min(end, from)], [Math.max(start, to), end]].filter(([a, b]) => a < b));

  class Week extends HTMLElement {
    connectedCallback() {
      this.root ??= this.attachShadow({ mode: "open" });
      this.group = this.parentElement;
      this.focused = [0, FIRST];
      this.build = () => this.show();
      this.group.addEventListener("input", this.build);
      // the fields beside it are made in the same moment, and filled a moment later
      this.ready = new MutationObserver(this.build);
      this.ready.observe(this.group, { childList: true, subtree: true });
      requestAnimationFrame(this.build);
    }

    disconnectedCallback() {
      this.group.removeEventListener("input", this.build);
      this.ready.disconnect();
    }

    field(day) {
      return this.group.querySelector(`input[data-hours=${DAYS[day]}]`);
    }

    ranges(day) {
      return parsed(this.field(day)?.value ?? "");
    }

    show() {
      const all = DAYS.map((_, day) => this.ranges(day));
      const ends = all.flat();
      const from = Math.min(FIRST, ...ends.map(([start]) => Math.floor(start / 60) * 60));
      const to = Math.max(LAST, ...ends.map(([, end]) => Math.ceil(end / 60) * 60));
      if (this.from !== from || this.to !== to) this.make(from, to);
      const still = this.field(0)?.matches(":disabled") ?? true;
      this.week.classList.toggle("still", still);
      for (const cell of this.cells) {
        const [day, minute] = [Number(cell.dataset.day), Number(cell.dataset.minute)];
        const part = all[day].find(([start, end]) => start < minute + STEP && end > minute);
        cell.setAttribute("aria-selected", String(Boolean(part)));
        const share = (at) => `${Math.min(Math.max(((at - minute) / STEP) * 100, 0), 100)}%`;
        cell.style.setProperty("--from", part ? share(part[0]) : "0%");
        cell.style.setProperty("--to", part ? share(part[1]) : "0%");
        cell.tabIndex = day === this.focused[0] && minute === this.focused[1] ? 0 : -1;
      }
    }

    make(from, to) {
      [this.from, this.to] = [from, to];
      const names = this.dataset.days.split(",");
      const piece = (role, className, text = "") => {
        const made = document.createElement("div");
        made.setAttribute("role", role);
        made.className = className;
        made.textContent = text;
        return made;
      };
      this.week = piece("grid", "week");
      this.week.setAttribute("aria-label", this.dataset.label);
      this.week.setAttribute("aria-multiselectable", "true");
      const top = piece("row", "row");
      top.append(piece("none", "hour"), ...names.map((name) => piece("columnheader", "head", name.slice(0, 3))));
      this.week.append(top);
      this.cells = [];
      for (let minute = from; minute < to; minute += STEP) {
        const row = piece("row", "row");
        const head = piece("rowheader", "hour", minute % 60 ? "" : clock(minute));
        head.setAttribute("aria-label", clock(minute));
        row.append(head);
        DAYS.forEach((_, day) => {
          const cell = piece("gridcell", minute % 60 ? "cell" : "cell full");
          Object.assign(cell.dataset, { day, minute });
          cell.setAttribute("aria-label", `${names[day]} ${clock(minute)}`);
          this.cells.push(cell);
          row.append(cell);
        });
        this.week.append(row);
      }
      const style = document.createElement("style");
      style.textContent = STYLE;
      this.root.replaceChildren(style, this.week);
      this.week.addEventListener("pointerdown", (event) => this.press(event));
      this.week.addEventListener("keydown", (event) => this.key(event));
      this.week.addEventListener("touchmove", (event) => this.drag && event.preventDefault(), { passive: false });
    }

    cell(day, minute) {
      return this.cells.find((cell) => Number(cell.dataset.day) === day && Number(cell.dataset.minute) === minute);
    }

    place(cell) {
      return [Number(cell.dataset.day), Number(cell.dataset.minute)];
    }

    press(event) {
      const cell = event.target.closest(".cell");
      if (!cell || event.button !== 0 || this.week.classList.contains("still")) return;
      const begin = () => {
        this.drag = { from: this.place(cell), to: this.place(cell), paints: cell.getAttribute("aria-selected") !== "true" };
        this.mark();
      };
      const touch = event.pointerType === "touch";
      const held = touch ? setTimeout(begin, HOLD) : begin();
      const move = (moved) => {
        if (!this.drag) {
          if (Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY) > 6) done();
          return;
        }
        const over = this.root.elementFromPoint(moved.clientX, moved.clientY)?.closest?.(".cell");
        if (over) {
          this.drag.to = this.place(over);
          this.mark();
        }
      };
      const done = () => {
        clearTimeout(held);
        for (const [name, handler] of handlers) removeEventListener(name, handler);
      };
      const up = () => {
        if (!this.drag && touch) begin();
        const { from, to, paints } = this.drag ?? {};
        done();
        this.drag = null;
        if (from) this.paint(from, to, paints);
      };
      const stop = () => {
        done();
        this.drag = null;
        this.mark();
      };
      const handlers = [["pointermove", move], ["pointerup", up], ["pointercancel", stop]];
      for (const [name, handler] of handlers) addEventListener(name, handler);
      if (!touch) event.preventDefault();
      this.focus(...this.place(cell));
    }

    key(event) {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
      const [day, minute] = this.focused;
      const still = this.week.classList.contains("still");
      if (step) {
        const next = [day + step[0], minute + step[1]];
        if (this.cell(...next)) {
          if (event.shiftKey && !still) this.paint(next, next, this.cell(day, minute).getAttribute("aria-selected") === "true");
          this.focus(...next);
        }
      } else if ((event.key === " " || event.key === "Enter") && !still) {
        this.paint(this.focused, this.focused, this.cell(day, minute).getAttribute("aria-selected") !== "true");
      } else {
        return;
      }
      event.preventDefault();
    }

    focus(day, minute) {
      this.focused = [day, minute];
      for (const cell of this.cells) cell.tabIndex = -1;
      const cell = this.cell(day, minute);
      cell.tabIndex = 0;
      cell.focus({ preventScroll: true });
      cell.scrollIntoView({ block: "nearest" });
    }

    /** The days and minutes between two cells. */
    span([day, minute], [other, until]) {
      return [Math.min(day, other), Math.max(day, other), Math.min(minute, until), Math.max(minute, until) + STEP];
    }

    mark() {
      const span = this.drag ? this.span(this.drag.from, this.drag.to) : null;
      for (const cell of this.cells) {
        const [day, minute] = this.place(cell);
        const inside = span && day >= span[0] && day <= span[1] && minute >= span[2] && minute < span[3];
        cell.classList.toggle("painted", Boolean(inside && this.drag.paints));
        cell.classList.toggle("erased", Boolean(inside && !this.drag.paints));
      }
    }

    paint(from, to, paints) {
      this.mark();
      const [first, last, start, end] = this.span(from, to);
      for (let day = first; day <= last; day += 1) {
        const ranges = without(this.ranges(day), start, end);
        const field = this.field(day);
        const text = joined(paints ? [...ranges, [start, end]] : ranges).map((range) => range.map(clock).join("-")).join(", ");
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, text);
        // the second has it sent at once, without the pause of who types
        for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
      }
      this.show();
    }
  }
  if (!customElements.get("gendei-week")) customElements.define("gendei-week", Week);
})();
