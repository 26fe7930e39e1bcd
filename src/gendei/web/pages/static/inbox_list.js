// The list of conversations: search, filters and rows. Whatever patients wrote is put in as text, never as markup.
export default {
  template: `
    <div class="i-list">
      <div class="i-find">
        <input type="search" v-model="search" :placeholder="words.search" :aria-label="words.search" maxlength="200">
        <button v-if="writes" type="button" class="i-tool" :title="words.begin" :aria-label="words.begin" @click="$emit('begin')"><i class="q-icon material-icons" aria-hidden="true">add_comment</i></button>
        <button v-if="writes" type="button" class="i-tool" :title="words.several" :aria-label="words.several" :aria-pressed="choosing" @click="choosing ? endChoosing() : (choosing = true)"><i class="q-icon material-icons" aria-hidden="true">checklist</i></button>
        <slot></slot>
      </div>
      <div class="i-chips" role="group" :aria-label="words.filters">
        <button v-for="chip in chips" :key="chip.key" type="button" class="i-chip"
          :class="{'i-on': chip.key === state, 'i-warn': chip.key === 'waiting' && counts.waiting}"
          :aria-pressed="chip.key === state" @click="choose(chip.key)">
          {{ chip.name }}<span v-if="counts[chip.key]" class="i-count">{{ counts[chip.key] }}</span>
        </button>
        <button type="button" class="i-chip" :class="{'i-on': unread}" :aria-pressed="unread"
          @click="unread = !unread; tell()">{{ words.filter_unread }}</button>
        <button type="button" class="i-chip" :class="{'i-on': mine}" :aria-pressed="mine"
          @click="mine = !mine; tell()">{{ words.filter_mine }}</button>
        <button v-for="one in labels" :key="one" type="button" class="i-chip i-chip-label"
          :class="{'i-on': label === one}" :aria-pressed="label === one"
          @click="label = label === one ? null : one; tell()">{{ one }}</button>
      </div>
      <div v-if="choosing" class="i-several" role="group" :aria-label="words.several">
        <span role="status">{{ words.several_count.replace("{count}", chosenHere.length) }}</span>
        <button type="button" :aria-label="words.several_all" @click="chooseAll">{{ words.several_all_short }}</button>
        <button type="button" :disabled="!chosenHere.length" @click="several('assign')">{{ words.assign }}</button>
        <button type="button" :disabled="!chosenHere.length" @click="several('close')">{{ words.close }}</button>
        <button type="button" :aria-label="words.several_end" @click="endChoosing">×</button>
      </div>
      <nav class="i-rows" :aria-label="words.list">
        <component :is="choosing ? 'label' : 'a'" v-for="row in drawn" :key="row.contact" class="i-row" :href="choosing ? null : address(row.contact)"
          :class="['i-' + row.state, {'i-current': row.contact === current, 'i-unread': row.unread, 'i-danger': row.danger}]"
          :aria-current="!choosing && row.contact === current ? 'true' : null" @click="choosing || open($event, row.contact)">
          <input v-if="choosing" type="checkbox" class="i-choice" :value="row.contact" v-model="chosen" :aria-label="row.title">
          <span v-else class="i-face" aria-hidden="true">{{ row.danger ? '!' : initial(row.title) }}</span>
          <span class="i-row-main">
            <span class="i-row-top">
              <bdi class="i-name">{{ row.title }}</bdi>
              <span class="i-time">{{ row.time }}</span>
            </span>
            <span class="i-row-middle">
              <span class="i-preview"><span v-if="row.by" class="i-by">{{ row.by }}: </span><bdi>{{ row.preview }}</bdi></span>
              <span v-if="row.unread" class="i-badge" :aria-label="words.unread + ': ' + row.unread">{{ row.unread > 99 ? '99+' : row.unread }}</span>
            </span>
            <span v-if="row.tags.length" class="i-row-tags">
              <span v-for="tag in row.tags" class="g-tag" :class="tag.kind ? 'g-tag-' + tag.kind : 'i-tag-plain'">{{ tag.text }}</span>
            </span>
          </span>
        </component>
        <div v-if="!drawn.length" class="g-empty">{{ empty }}</div>
        <button v-if="more" type="button" class="i-more" @click="$emit('more')">{{ words.more }}</button>
      </nav>
    </div>`,
  props: { rows: String, serial: Number, counts: Object, labels: Array, current: String, more: Boolean, writes: Boolean, words: Object },
  emits: ["filter", "open", "more", "begin", "several"],
  data: () => ({ choosing: false, chosen: [], search: "", state: "all", unread: false, mine: false, label: null, pause: null, known: {}, order: [] }),
  computed: {
    drawn() {
      return this.order.map((contact) => this.known[contact]);
    },
    chips() {
      return ["all", "waiting", "person", "bot", "snoozed", "closed"].map((key) => ({ key, name: this.words["filter_" + key] }));
    },
    // Only what is still to be seen: a filter, or a colleague, may have taken the rest away.
    chosenHere() {
      return this.order.filter((contact) => this.chosen.includes(contact));
    },
    empty() {
      const narrowed = this.search || this.unread || this.mine || this.label || this.state !== "all";
      return narrowed ? this.words.none_found : this.words.none_yet;
    },
  },
  watch: {
    // Not of `rows`: they may come back as the properties had them, after calls that the properties know nothing of.
    serial: {
      immediate: true,
      handler() {
        const all = JSON.parse(this.rows);
        this.known = Object.fromEntries(all.map((row) => [row.contact, row]));
        this.order = all.map((row) => row.contact);
      },
    },
    search() {
      clearTimeout(this.pause);
      this.pause = setTimeout(() => this.tell(), 150);
    },
  },
  mounted() {
    this.onBack = () => this.$emit("open", new URLSearchParams(location.search).get("contact") || "");
    addEventListener("popstate", this.onBack);
  },
  unmounted() {
    removeEventListener("popstate", this.onBack);
  },
  methods: {
    address: (contact) => "/inbox?contact=" + encodeURIComponent(contact),
    initial: (title) => [...title.replace(/^\+/, "")][0]?.toUpperCase() ?? "",
    // What differs from before: `fresh` rows as JSON, and the order where it is another. A call that was overtaken by the
    // properties, which hold everything, is late.
    change(serial, fresh, order) {
      if (serial <= this.serial) return;
      for (const row of JSON.parse(fresh)) this.known[row.contact] = row;
      if (order) this.order = order;
    },
    chooseAll() {
      this.chosen = this.chosenHere.length === this.order.length ? [] : [...this.order];
    },
    several(what) {
      this.$emit("several", { what, contacts: this.chosenHere });
    },
    endChoosing() {
      this.choosing = false;
      this.chosen = [];
    },
    choose(key) {
      this.state = key;
      this.tell();
    },
    tell() {
      const { search, state, unread, mine, label } = this;
      this.$emit("filter", { search, state, unread, mine, label });
    },
    open(event, contact) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (contact === this.current) return;
      history[this.current ? "replaceState" : "pushState"](null, "", this.address(contact));
      this.$emit("open", contact);
    },
  },
};
