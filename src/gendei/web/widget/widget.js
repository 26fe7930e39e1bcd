// The clinic's chat on its own web site. What comes from outside enters the page as text alone, never as markup.
const script = document.currentScript;
const site = script.dataset.site;
const tokenUrl = script.dataset.tokenUrl;
const api = new URL("/api/v1/chat", script.src).href;
const kept = `gendei-chat:${new URL(script.src).origin}:${site}`;
const LONGEST_WAIT = 15000;

const el = (tag, props = {}, ...children) => {
  const { data, aria, ...plain } = props;
  const node = Object.assign(document.createElement(tag), plain);
  for (const [name, value] of Object.entries(aria || {})) node.setAttribute(name === "role" ? name : `aria-${name}`, value);
  node.append(...children);
  return node;
};
const pause = (ms) => new Promise((done) => {
  setTimeout(done, ms);
  addEventListener("online", done, { once: true });
});
const backoff = (tries) => Math.min(LONGEST_WAIT, 500 * 2 ** tries);
const newId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");
const remembered = () => { try { return localStorage.getItem(kept); } catch { return null; } };
const remember = (value) => { try { localStorage.setItem(kept, value); } catch { /* the next visit is a new visitor's */ } };

// *bold*, _italic_, ~struck~ and addresses, as on WhatsApp
const MARKS = /(https:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])|(?<![\w*])\*(?=\S)([^\n*]+?)(?<=\S)\*(?![\w*])|(?<!\w)_(?=\S)([^\n_]+?)(?<=\S)_(?!\w)|(?<![\w~])~(?=\S)([^\n~]+?)(?<=\S)~(?![\w~])/g;
const marked = (text) => {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(MARKS)) {
    const [whole, address, bold, italic, struck] = found;
    parts.push(text.slice(from, found.index));
    if (address) parts.push(link(address, address));
    else parts.push(el(bold ? "strong" : italic ? "em" : "s", { textContent: bold || italic || struck }));
    from = found.index + whole.length;
  }
  return [...parts, text.slice(from)];
};
const link = (label, url, className = "") => el("a", { className, href: url, target: "_blank", rel: "noopener noreferrer", textContent: label });

class Refused extends Error {
  constructor(answer, from) {
    super(answer.status);
    Object.assign(this, { status: answer.status, from, wait: Number(answer.headers.get("Retry-After")) || 0 });
  }
}

// Talking to the service: a token that is renewed when it has to be, and the two ways of hearing.
class Line {
  async token(fresh = false) {
    if (fresh) this.coming = null;
    this.coming = this.coming || this.ask();
    try { return await this.coming; } catch (error) { this.coming = null; throw error; }
  }

  async ask() {
    if (tokenUrl) {
      const answer = await fetch(tokenUrl, { credentials: "same-origin", cache: "no-store" });
      if (!answer.ok) throw new Refused(answer, tokenUrl);
      return (await answer.json()).token;
    }
    const renewal = remembered();
    const answer = await fetch(`${api}/visits`, {
      method: "POST", credentials: "omit", headers: { "Content-Type": "application/json" },
      body: JSON.stringify(renewal ? { site, renewal } : { site }),
    });
    if (!answer.ok) throw new Refused(answer, `${api}/visits`);
    const visit = await answer.json();
    remember(visit.renewal);
    this.clinic = visit.clinic;
    return visit.token;
  }

  async call(path, options = {}) {
    for (const fresh of [false, true]) {
      const headers = { ...options.headers, Authorization: `Bearer ${await this.token(fresh)}` };
      const answer = await fetch(api + path, { ...options, headers, credentials: "omit", cache: "no-store" });
      if (answer.ok) return answer;
      if (answer.status !== 401 || fresh) throw new Refused(answer, api + path);
    }
  }

  async say(body, key) {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
    return (await this.call("", { method: "POST", headers, body: JSON.stringify(body) })).json();
  }

  async *news(signal) {
    const answer = await this.call("/messages", { headers: { Accept: "text/event-stream" }, signal });
    const reader = answer.body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const data = block.match(/^event: messages\ndata: (.*)$/m);
        if (data) yield JSON.parse(data[1]).items;
      }
    }
  }
}

class Chat {
  constructor() {
    this.line = new Line();
    this.shown = new Map();
    this.outgoing = Promise.resolve();
    this.unanswered = 0;
    const root = document.body.appendChild(el("div")).attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
    root.adoptedStyleSheets = [sheet];
    root.host.lang = "pt-BR";
    this.launch = el("button", { className: "launch", type: "button", textContent: TEXTS.open, aria: { expanded: "false", haspopup: "dialog" } });
    this.title = el("h2", { id: "title", textContent: TEXTS.title });
    this.close = el("button", { className: "close", type: "button", textContent: "×", aria: { label: TEXTS.close } });
    this.log = el("div", { className: "log", tabIndex: 0, aria: { role: "log", live: "polite", label: TEXTS.log } });
    this.status = el("div", { className: "status", aria: { role: "status" } });
    this.words = el("textarea", { rows: 1, maxLength: 4000, placeholder: TEXTS.placeholder, aria: { label: TEXTS.label } });
    this.form = el("form", {}, this.words, el("button", { className: "send", textContent: TEXTS.send }));
    this.panel = el("section", { className: "panel", hidden: true, aria: { role: "dialog", labelledby: "title" } },
      el("header", {}, this.title, this.close), this.log, this.status, this.form);
    root.append(this.launch, this.panel);
    this.launch.addEventListener("click", () => this.show(true));
    this.close.addEventListener("click", () => this.show(false));
    this.panel.addEventListener("keydown", (event) => { if (event.key === "Escape") this.show(false); });
    this.words.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.form.requestSubmit();
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.words.value.trim();
      if (!text) return;
      this.words.value = "";
      this.say({ message: text });
    });
  }

  show(open) {
    this.panel.hidden = !open;
    this.launch.hidden = open;
    this.launch.setAttribute("aria-expanded", String(open));
    (open ? this.words : this.launch).focus();
    if (!open) { this.listening.abort(); return; }
    this.listening = new AbortController();
    this.listen(this.listening.signal);
  }

  tell(text) { this.status.textContent = text || (this.unanswered ? TEXTS.typing : ""); }

  async listen(signal) {
    let tries = 0;
    while (!signal.aborted) {
      try {
        for await (const items of this.line.news(signal)) {
          if (this.lost) this.tell(TEXTS.online);
          this.lost = false;
          tries = 0;
          this.title.textContent = this.line.clinic || TEXTS.title;
          items.forEach((one) => this.add(one));
          if (!this.shown.size) this.add({ id: "greeting", role: "assistant", text: TEXTS.greeting, options: [] });
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refused && error.status < 500 && error.status !== 429) { this.unavailable(error); return; }
        this.lost = true;
        this.tell(TEXTS.offline);
      }
      await pause(backoff(tries++));
    }
  }

  // What the visitor can do is said in the panel, what the site's maker can do in the console.
  unavailable({ status, from }) {
    console.error(`Gendei: the chat does not open, ${from} answered ${status}. ` + (
      tokenUrl && (status === 401 || from === tokenUrl) ? "data-token-url has to answer {\"token\": \"gdv_...\"}, by POST /api/v1/chat/tokens of the same service."
        : status === 403 ? `No clinic has a chat "${site}" for pages of ${location.origin}. Check data-site, and name this origin under `
          + "\"origins\" of the clinic's web channel, with scheme and host as they stand here (\"www.\" counts)."
          : "Check data-site and data-token-url of the script."));
    this.tell(TEXTS.unavailable);
    this.form.hidden = true;
  }

  say(body) {
    const key = newId();
    this.add({ id: key, role: "user", text: body.message, options: [], messageId: key });
    this.outgoing = this.outgoing.then(() => this.deliver(body, key));
  }

  // The same key until there is an answer: however often it is sent, it is said once.
  async deliver(body, key) {
    this.unanswered++;
    this.tell();
    for (let tries = 0; ; tries++) {
      try {
        const told = await this.line.say(body, key);
        told.messages.forEach((one) => this.add(one));
        this.unanswered--;
        this.tell(told.status === "answered" ? "" : TEXTS[told.status]);
        return;
      } catch (error) {
        if (error instanceof Refused && error.status < 500 && error.status !== 429) {
          this.unanswered--;
          this.shown.get(key).classList.add("failed");
          this.shown.get(key).append(el("span", { className: "note", textContent: TEXTS.refused }));
          this.tell();
          return;
        }
        this.tell(error.status === 429 ? TEXTS.slow : TEXTS.offline);
        await pause(error.wait ? error.wait * 1000 : backoff(tries));
      }
    }
  }

  add(one) {
    const known = one.messageId || one.id;
    if (this.shown.has(known)) return;
    const mine = one.role === "user";
    const node = el("div", { className: mine ? "one mine" : "one" },
      el("span", { className: one.by ? "who" : "sr", textContent: mine ? TEXTS.you : one.by || TEXTS.assistant }),
      el("div", { className: "text" }, ...marked(one.text)));
    if (one.link && one.link.url.startsWith("https://")) node.append(link(one.link.label, one.link.url, "link"));
    if (one.file) node.append(this.file(one));
    this.log.querySelectorAll(".options button").forEach((old) => { old.disabled = true; });
    if (one.options.length) node.append(this.options(one));
    this.shown.set(known, node);
    this.log.append(node);
    this.log.scrollTop = this.log.scrollHeight;
    if (!mine) this.tell();
  }

  file({ id, file }) {
    const take = el("button", { className: "link", type: "button", textContent: TEXTS.download.replace("{name}", file.name) });
    take.addEventListener("click", async () => {
      try {
        const answer = await this.line.call(`/messages/${id}/file`);
        const address = URL.createObjectURL(await answer.blob());
        el("a", { href: address, download: file.name }).click();
        setTimeout(() => URL.revokeObjectURL(address), 60000);
      } catch { this.tell(TEXTS.nofile); }
    });
    return take;
  }

  options(one) {
    const taps = one.options.map((option) => {
      const tap = el("button", { type: "button" }, option.title);
      if (option.description) tap.append(el("small", { textContent: option.description }));
      tap.addEventListener("click", () => {
        this.words.focus();
        this.say({ message: option.title, choice: option.id });
      });
      return tap;
    });
    return el("div", { className: one.listLabel ? "options list" : "options", aria: { role: "group" } }, ...taps);
  }
}

if (document.body) new Chat();
else addEventListener("DOMContentLoaded", () => new Chat());
