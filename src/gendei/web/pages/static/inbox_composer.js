// Where staff write. What is typed is kept in the browser, by user and conversation, until the server has taken it.
const KEPT_DAYS = 7;
export default {
  template: `
    <form class="i-compose" :class="{'i-noting': noting}" @submit.prevent="submit(free ? 'send' : null)">
      <div class="i-modes" role="tablist">
        <button type="button" role="tab" :aria-selected="!noting" :class="{'i-on': !noting}" @click="mode('message')">{{ words.mode_message }}</button>
        <button type="button" role="tab" :aria-selected="noting" :class="{'i-on': noting}" @click="mode('note')">{{ words.mode_note }}</button>
        <span class="i-hint" :class="{'i-warn': hintWarns && !noting}">{{ noting ? words.note_hint : hint }}</span>
      </div>
      <div v-if="!free && !noting" class="i-window" role="status"><strong>{{ words.window_closed }}</strong> {{ template ? words.window_choices : words.window_queue }}</div>
      <div v-if="buttons.length && !noting && free" class="i-buttons">
        <span v-for="(button, at) in buttons" class="i-button"><input v-model="buttons[at]" maxlength="20" :placeholder="words.button" :aria-label="words.button + ' ' + (at + 1)" @input="keep">
          <button type="button" :aria-label="words.button_remove" @click="buttons.splice(at, 1); keep()">×</button></span>
      </div>
      <div class="i-write">
        <div class="i-tools" v-if="!noting">
          <details ref="menu" class="i-canned"><summary :title="words.canned" :aria-label="words.canned"><i class="q-icon material-icons" aria-hidden="true">bolt</i></summary>
            <div class="i-canned-list"><strong>{{ words.canned }}</strong>
              <button v-for="one in canned" :key="one.id" type="button" @click="pick(one.id)"><b>{{ one.title }}</b><span>{{ one.text }}</span></button>
              <span v-if="!canned.length" class="g-soft">{{ words.canned_none }}</span>
              <button v-if="manages" type="button" class="i-canned-manage" @click="manage">{{ words.canned_edit }}</button></div></details>
          <button v-if="free && buttons.length < 3" type="button" :title="words.button_add" :aria-label="words.button_add" @click="buttons.push('')"><i class="q-icon material-icons" aria-hidden="true">smart_button</i></button>
        </div>
        <textarea ref="text" v-model="text" rows="1" dir="auto" :maxlength="noting ? 4000 : 4096" :placeholder="noting ? words.write_note : words.write"
          :aria-label="noting ? words.write_note : words.write" @input="changed" @keydown.enter.exact="enter"></textarea>
        <button v-if="noting" type="button" class="i-send" :disabled="!ready" @click="submit('note')">{{ words.note_save }}</button>
        <button v-else-if="free" type="submit" class="i-send" :disabled="!ready" :aria-label="words.send"><i class="q-icon material-icons" aria-hidden="true">send</i></button>
      </div>
      <div v-if="!free && !noting" class="i-outside">
        <button type="button" class="i-send i-quiet" :disabled="!ready" @click="submit('queue')">{{ words.queue }}</button>
        <button v-if="template" type="button" class="i-send" :disabled="!ready" @click="submit('template')">{{ words.send_template }}</button>
      </div>
    </form>`,
  props: { draft: String, free: Boolean, template: Boolean, hint: String, hintWarns: Boolean, canned: Array, manages: Boolean, words: Object },
  emits: ["act", "canned", "manage", "typing"],
  data: () => ({ text: "", buttons: [], noting: false, busy: false, typing: false }),
  computed: {
    ready() {
      return !this.busy && this.text.trim() !== "";
    },
    place() {
      return `gendei-inbox:${this.draft}:${this.noting ? "note" : "message"}`;
    },
  },
  mounted() {
    this.forgetOld();
    this.restore();
    this.outside = (event) => this.$refs.menu && !this.$refs.menu.contains(event.target) && (this.$refs.menu.open = false);
    document.addEventListener("click", this.outside);
    if (matchMedia("(pointer: fine)").matches) this.$refs.text.focus({ preventScroll: true });
  },
  unmounted() {
    document.removeEventListener("click", this.outside);
  },
  methods: {
    mode(name) {
      this.noting = name === "note";
      this.restore();
      this.$refs.text.focus();
    },
    restore() {
      const kept = JSON.parse(localStorage.getItem(this.place) || "{}");
      this.text = kept.text || "";
      this.buttons = kept.buttons || [];
      this.grow();
      this.sayTyping();
    },
    keep() {
      if (!this.text && !this.buttons.length) return localStorage.removeItem(this.place);
      localStorage.setItem(this.place, JSON.stringify({ text: this.text, buttons: this.buttons, at: Date.now() }));
    },
    forgetOld() {
      for (const key of Object.keys(localStorage).filter((one) => one.startsWith("gendei-inbox:"))) {
        const { at = 0 } = JSON.parse(localStorage.getItem(key));
        if (Date.now() - at > KEPT_DAYS * 86_400_000) localStorage.removeItem(key);
      }
    },
    changed() {
      this.keep();
      this.grow();
      this.sayTyping();
    },
    sayTyping() {
      const typing = this.text.trim() !== "";
      if (typing === this.typing) return;
      this.typing = typing;
      this.$emit("typing", typing);
    },
    grow() {
      this.$nextTick(() => {
        const field = this.$refs.text;
        if (!field) return;
        field.style.height = "auto";
        field.style.height = Math.min(field.scrollHeight + 2, innerHeight * 0.3) + "px";
      });
    },
    enter(event) {
      if (event.isComposing || !matchMedia("(pointer: fine)").matches || (!this.free && !this.noting)) return;
      event.preventDefault();
      this.submit(this.noting ? "note" : "send");
    },
    pick(id) {
      this.$refs.menu.open = false;
      this.$emit("canned", id);
    },
    manage() {
      this.$refs.menu.open = false;
      this.$emit("manage");
    },
    insert(text) {
      this.text = this.text.trim() ? `${this.text.trimEnd()}\n${text}` : text;
      this.changed();
      this.$refs.text.focus();
    },
    submit(what) {
      if (!what || !this.ready) return;
      this.busy = true;
      const buttons = what === "send" ? this.buttons.map((one) => one.trim()).filter(Boolean) : [];
      this.$emit("act", { what, text: this.text, buttons, place: this.place });
    },
    settle(place, done) {
      this.busy = false;
      if (!done) return;
      localStorage.removeItem(place);
      if (place === this.place) this.restore();
      this.$refs.text.focus();
    },
  },
};
