// Where staff write. What is typed is kept in the browser, by user and conversation, until the server has taken it.
const KEPT_DAYS = 7;
const MOST_ROWS = 10;
const MOST_SLASHED = 8;
const plain = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
export default {
  template: `
    <form class="i-compose" :class="{'i-noting': noting, 'i-drop': dropping}" @submit.prevent="submit(free ? 'send' : null)"
      @paste="pasted" @dragover="dragged" @dragleave="dropping = false" @drop="dropped">
      <div class="i-modes" role="tablist">
        <button type="button" role="tab" :aria-selected="!noting" :class="{'i-on': !noting}" @click="mode('message')">{{ words.mode_message }}</button>
        <button type="button" role="tab" :aria-selected="noting" :class="{'i-on': noting}" @click="mode('note')">{{ words.mode_note }}</button>
        <span class="i-hint" :class="{'i-warn': hintWarns && !noting}">{{ noting ? words.note_hint : hint }}</span>
      </div>
      <div v-if="!free && !noting" class="i-window" role="status"><strong>{{ words.window_closed }}</strong> {{ template ? words.window_choices : words.window_queue }}</div>
      <div v-if="attaching || file || problem" v-show="!noting && free" class="i-attached" role="status">
        <img v-if="file && file.kind === 'image'" :src="preview" :alt="file.name">
        <i v-else class="q-icon material-icons" aria-hidden="true">{{ problem ? 'error' : file && file.kind === 'audio' ? 'audio_file' : 'description' }}</i>
        <span v-if="problem" class="i-bad">{{ problem }}</span>
        <span v-else dir="auto">{{ file ? file.name : words.attaching }}</span>
        <audio v-if="file && file.kind === 'audio'" controls preload="metadata" :src="preview"></audio>
        <button v-if="!attaching" type="button" :aria-label="words.attach_remove" @click="detach">×</button>
      </div>
      <div v-if="buttons.length && offers" class="i-buttons">
        <span v-for="(button, at) in buttons" class="i-button"><input v-model="buttons[at]" maxlength="20" :placeholder="words.button" :aria-label="words.button + ' ' + (at + 1)" @input="keep">
          <button type="button" :aria-label="words.button_remove" @click="buttons.splice(at, 1); keep()">×</button></span>
      </div>
      <fieldset v-if="rows.length && offers" class="i-offer">
        <div class="i-offer-row"><input v-model="listLabel" maxlength="20" :placeholder="words.list_label_default" :aria-label="words.list_label" @input="keep">
          <button type="button" :aria-label="words.list_remove" :title="words.list_remove" @click="rows = []; keep()">×</button></div>
        <div v-for="(row, at) in rows" class="i-offer-row">
          <input v-model="row.title" maxlength="24" :placeholder="words.list_row + ' ' + (at + 1)" :aria-label="words.list_row + ' ' + (at + 1)" @input="keep">
          <input v-model="row.description" class="i-offer-more" maxlength="72" :placeholder="words.list_row_more" :aria-label="words.list_row_more + ' ' + (at + 1)" @input="keep">
          <button type="button" :aria-label="words.button_remove" @click="rows.splice(at, 1); keep()">×</button></div>
        <button v-if="rows.length < ${MOST_ROWS}" type="button" class="i-offer-add" @click="addRow">{{ words.list_row_add }}</button>
      </fieldset>
      <ul v-if="slashed.length" id="i-slash" class="i-canned-list i-slash" role="listbox" :aria-label="words.canned">
        <li v-for="(one, at) in slashed" :id="'i-slash-' + at" :key="one.id" role="option" :aria-selected="at === slashAt" :class="{'i-on': at === slashAt}"
          @mousedown.prevent="slash(one.id)" @mousemove="slashAt = at"><b>{{ one.title }}</b><span>{{ one.text }}</span></li>
      </ul>
      <div class="i-write">
        <div class="i-tools" v-if="!noting">
          <details ref="menu" class="i-canned" @keydown.esc="leaveMenu"><summary :title="words.canned_slash" :aria-label="words.canned"><i class="q-icon material-icons" aria-hidden="true">bolt</i></summary>
            <div class="i-canned-list"><strong>{{ words.canned }}</strong>
              <button v-for="one in canned" :key="one.id" type="button" @click="pick(one.id)"><b>{{ one.title }}</b><span>{{ one.text }}</span></button>
              <span v-if="!canned.length" class="g-soft">{{ words.canned_none }}</span>
              <button v-if="manages" type="button" class="i-canned-manage" @click="manage">{{ words.canned_edit }}</button></div></details>
          <button v-if="free" type="button" :title="words.attach" :aria-label="words.attach" @click="$refs.chosen.click()"><i class="q-icon material-icons" aria-hidden="true">attach_file</i></button>
          <input ref="chosen" type="file" hidden accept="image/jpeg,image/png,application/pdf,audio/*" @change="attach($event.target.files[0]); $event.target.value = ''">
          <button v-if="offers && !buttons.length && !rows.length" type="button" :title="words.list_add" :aria-label="words.list_add" @click="addRow"><i class="q-icon material-icons" aria-hidden="true">list</i></button>
          <button v-if="offers && buttons.length < 3 && !rows.length" type="button" :title="words.button_add" :aria-label="words.button_add" @click="buttons.push('')"><i class="q-icon material-icons" aria-hidden="true">smart_button</i></button>
        </div>
        <textarea ref="text" v-model="text" rows="1" dir="auto" :maxlength="noting ? 4000 : file && file.kind !== 'audio' ? 1024 : 4096" :placeholder="placeholder"
          :aria-label="noting ? words.write_note : words.write" aria-autocomplete="list" :aria-controls="slashed.length ? 'i-slash' : null"
          :aria-activedescendant="slashed.length ? 'i-slash-' + slashAt : null" @input="changed" @keydown="steer" @keydown.enter.exact="enter"
          @keyup="look" @click="look" @blur="asked = null"></textarea>
        <button v-if="noting" type="button" class="i-send" :disabled="!ready" @click="submit('note')">{{ words.note_save }}</button>
        <button v-else-if="free" type="submit" class="i-send" :disabled="!ready" :aria-label="words.send"><i class="q-icon material-icons" aria-hidden="true">send</i></button>
      </div>
      <div v-if="!free && !noting" class="i-outside">
        <button type="button" class="i-send i-quiet" :disabled="!ready" @click="submit('queue')">{{ words.queue }}</button>
        <button v-if="template" type="button" class="i-send" :disabled="!ready" @click="submit('template')">{{ words.send_template }}</button>
      </div>
    </form>`,
  props: { draft: String, free: Boolean, template: Boolean, hint: String, hintWarns: Boolean, canned: Array, manages: Boolean, files: String, token: String, words: Object },
  emits: ["act", "canned", "manage", "typing"],
  data: () => ({
    text: "", buttons: [], rows: [], listLabel: "", file: null, attaching: false, problem: "",
    noting: false, busy: false, typing: false, dropping: false, asked: null, left: null, slashAt: 0,
  }),
  computed: {
    ready() {
      const written = this.text.trim() !== "" || (this.file && this.free && !this.noting);
      return !this.busy && !this.attaching && !!written;
    },
    offers() {
      return this.free && !this.noting && !this.file && !this.attaching;
    },
    // The canned replies that "/words" before the cursor may mean.
    slashed() {
      if (this.asked === null || this.noting) return [];
      const wanted = plain(this.asked).split(/\s+/).filter(Boolean);
      const named = (words) => wanted.every((word) => plain(words).includes(word));
      const titled = this.canned.filter((one) => named(one.title));
      const others = this.canned.filter((one) => !titled.includes(one) && named(`${one.title} ${one.text}`));
      return [...titled, ...others].slice(0, MOST_SLASHED);
    },
    preview() {
      return `${this.files}?file=${this.file.id}`;
    },
    placeholder() {
      if (this.noting) return this.words.write_note;
      if (!this.file || !this.free) {
        if (!matchMedia("(min-width: 761px)").matches) return this.words.mode_message;
        return this.canned.length ? this.words.write_slash : this.words.write;
      }
      return this.file.kind === "audio" ? this.words.audio_text : this.words.caption;
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
    this.invite();
  },
  unmounted() {
    document.removeEventListener("click", this.outside);
  },
  methods: {
    // A keyboard on the screen would cover what is to be read first.
    invite() {
      if (matchMedia("(pointer: fine)").matches) this.$refs.text.focus({ preventScroll: true });
    },
    mode(name) {
      this.noting = name === "note";
      this.restore();
      this.$refs.text.focus();
    },
    restore() {
      const kept = JSON.parse(localStorage.getItem(this.place) || "{}");
      this.text = kept.text || "";
      this.buttons = kept.buttons || [];
      this.rows = kept.rows || [];
      this.listLabel = kept.listLabel || "";
      this.file = kept.file || null;
      this.problem = "";
      this.grow();
      this.sayTyping();
    },
    keep() {
      const { text, buttons, rows, listLabel, file } = this;
      if (!text && !buttons.length && !rows.length && !file) return localStorage.removeItem(this.place);
      localStorage.setItem(this.place, JSON.stringify({ text, buttons, rows, listLabel, file, at: Date.now() }));
    },
    forgetOld() {
      for (const key of Object.keys(localStorage).filter((one) => one.startsWith("gendei-inbox:"))) {
        const { at = 0 } = JSON.parse(localStorage.getItem(key));
        if (Date.now() - at > KEPT_DAYS * 86_400_000) localStorage.removeItem(key);
      }
    },
    // What stands behind a "/" at the beginning of the line that is written in; null for none, or where it was left.
    look() {
      const field = this.$refs.text;
      const found = field.value.slice(0, field.selectionStart).match(/(?:^|\n)\/([^\n/]{0,40})$/);
      const asked = found ? found[1] : null;
      if (asked !== this.left) this.left = null;
      if (asked === this.asked || asked === this.left) return;
      this.asked = asked;
      this.slashAt = 0;
    },
    steer(event) {
      if (!this.slashed.length || event.isComposing) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        this.slashAt = (this.slashAt + step + this.slashed.length) % this.slashed.length;
        this.$nextTick(() => document.getElementById("i-slash-" + this.slashAt)?.scrollIntoView({ block: "nearest" }));
      } else if (event.key === "Escape") {
        [this.left, this.asked] = [this.asked, null];
      } else if (event.key === "Tab") {
        this.slash(this.slashed[this.slashAt].id);
      } else return;
      event.preventDefault();
    },
    // Put the reply in place of what asked for it.
    slash(id) {
      const at = this.$refs.text.selectionStart;
      this.text = this.text.slice(0, at).replace(/\/[^\n/]*$/, "") + this.text.slice(at);
      this.asked = null;
      this.$emit("canned", id);
    },
    changed() {
      this.look();
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
      if (event.isComposing) return;
      if (this.slashed.length) {
        event.preventDefault();
        return this.slash(this.slashed[this.slashAt].id);
      }
      if (!matchMedia("(pointer: fine)").matches || (!this.free && !this.noting)) return;
      event.preventDefault();
      this.submit(this.noting ? "note" : "send");
    },
    leaveMenu() {
      this.$refs.menu.open = false;
      this.$refs.menu.firstElementChild.focus();
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
    addRow() {
      this.rows.push({ title: "", description: "" });
      this.keep();
    },
    pasted(event) {
      const [file] = event.clipboardData.files;
      if (!file || !this.free || this.noting) return;
      event.preventDefault();
      this.attach(file);
    },
    dragged(event) {
      if (!this.free || this.noting || !event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      this.dropping = true;
    },
    dropped(event) {
      this.dropping = false;
      if (!event.dataTransfer.files.length || !this.free || this.noting) return;
      event.preventDefault();
      this.attach(event.dataTransfer.files[0]);
    },
    async attach(file) {
      if (!file || this.attaching) return;
      const place = this.place;
      this.file = null;
      this.problem = "";
      this.attaching = true;
      try {
        const answer = await fetch(`${this.files}?name=${encodeURIComponent(file.name)}`, {
          method: "POST", body: file, headers: { "X-CSRF-Token": this.token },
        });
        const told = await answer.json();
        if (answer.ok && place === this.place) this.file = told;
        else if (!answer.ok) this.problem = told.detail || this.words.attach_failed;
      } catch {
        this.problem = this.words.attach_failed;
      }
      this.attaching = false;
      this.keep();
      this.$refs.text.focus();
    },
    detach() {
      this.file = null;
      this.problem = "";
      this.keep();
    },
    submit(what) {
      if (!what || !this.ready) return;
      this.busy = true;
      const file = what === "send" && this.file ? this.file.id : null;
      const offered = what === "send" && !file;
      const buttons = offered ? this.buttons.map((one) => one.trim()).filter(Boolean) : [];
      const rows = offered ? this.rows.filter((one) => one.title.trim()) : [];
      this.$emit("act", { what, text: this.text, buttons, rows, listLabel: this.listLabel, file, place: this.place });
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
