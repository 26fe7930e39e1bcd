// The messages of one conversation. `html` comes escaped from the server (whatsapp_text.py); all else is put in as text.
const ICONS = {
  pending: "schedule", sending: "schedule", sent: "done", delivered: "done_all", read: "done_all", played: "done_all",
  failed: "error", suppressed: "block", queued: "hourglass_top",
};
const LONG = 1500;
export default {
  template: `
    <div class="i-log" ref="log" role="log" :aria-label="words.log" @scroll="scrolled">
      <button v-if="older" type="button" class="i-more" @click="$emit('older')">{{ words.older }}</button>
      <template v-for="(item, at) in drawn" :key="item.id">
        <div v-if="!at || drawn[at - 1].day !== item.day" class="i-day">{{ item.day }}</div>
        <div v-if="item.side === 'event'" class="i-event">
          <span>{{ item.text }} <time>{{ item.time }}</time></span>
          <span v-if="item.detail" class="i-event-detail" dir="auto">{{ item.detail }}</span>
          <span v-if="item.called" class="i-called"><b>{{ item.called.name }}.</b> {{ item.called.avoid }} <a :href="item.called.place">{{ item.called.link }}</a></span>
          <details v-if="item.why.length" class="i-steps"><summary>{{ words.steps }}</summary>
            <section v-for="part in item.why" :key="part.heading"><h3>{{ part.heading }}</h3><p v-for="line in part.lines" dir="auto">{{ line }}</p></section>
            <details @toggle="$event.target.open && $emit('technical', item.id)"><summary>{{ words.technical }}</summary><pre>{{ told[item.id] }}</pre></details></details>
        </div>
        <article v-else class="i-line" :class="'i-' + item.side">
          <div class="i-bubble" :class="{'i-deleted': item.deleted, 'i-dim': item.waiting || dim(item)}">
            <div v-if="item.name" class="i-who">{{ item.name }}</div>
            <div v-if="item.template" class="i-kind"><i class="q-icon material-icons" aria-hidden="true">article</i>{{ words.template }} {{ item.template }}</div>
            <div v-if="item.quoted" class="i-quoted" dir="auto">{{ item.quoted }}</div>
            <div v-if="item.media" class="i-media">
              <a v-if="picture(item)" :href="item.media.url" target="_blank"><img :src="item.media.url" :alt="words['type_' + item.type]" loading="lazy" @load="stick"></a>
              <audio v-else-if="item.media.url && item.media.kind === 'audio'" controls preload="metadata" :src="item.media.url"></audio>
              <video v-else-if="item.media.url && item.media.kind === 'video'" controls preload="metadata" :src="item.media.url"></video>
              <a v-else-if="item.media.url" class="i-file" :href="item.media.url" target="_blank"><i class="q-icon material-icons" aria-hidden="true">description</i><span dir="auto">{{ item.media.name }}</span><small>{{ item.media.size }}</small></a>
              <div v-else class="i-file"><i class="q-icon material-icons" aria-hidden="true">{{ item.media.state === 'failed' ? 'broken_image' : 'downloading' }}</i>{{ item.media.said }}</div>
            </div>
            <div v-if="item.kindWord" class="i-kind">{{ item.kindWord }}</div>
            <div v-if="item.html" class="i-text" dir="auto" :class="{'i-folded': folded(item), 'i-big': item.big}" v-html="item.html"></div>
            <button v-if="item.length > ${LONG}" type="button" class="i-unfold" @click="unfold(item.id)">{{ folded(item) ? words.unfold : words.fold }}</button>
            <div v-if="item.link" class="i-option"><i class="q-icon material-icons" aria-hidden="true">open_in_new</i>{{ item.link }}</div>
            <details v-if="item.listLabel" class="i-options"><summary class="i-option"><i class="q-icon material-icons" aria-hidden="true">list</i>{{ item.listLabel }}</summary>
              <div v-for="one in item.options" class="i-option-row">{{ one.title }}<small v-if="one.description">{{ one.description }}</small></div></details>
            <template v-else><div v-for="one in item.options" class="i-option"><i class="q-icon material-icons" aria-hidden="true">reply</i>{{ one.title }}</div></template>
            <div v-if="item.first" class="i-first" dir="auto">{{ words.before_edit }} {{ item.first }}</div>
            <div class="i-meta">
              <span v-if="item.deleted">{{ words.deleted }}</span>
              <span v-if="item.tapped">{{ words.tapped }}</span>
              <time>{{ item.time }}</time>
              <i v-if="item.tick" class="q-icon material-icons i-tick" :class="'i-tick-' + item.tick" role="img" :aria-label="words['tick_' + item.tick]" :title="words['tick_' + item.tick]">{{ icons[item.tick] }}</i>
            </div>
            <div v-if="item.reactions.length" class="i-reactions">{{ item.reactions.join(" ") }}</div>
          </div>
          <div v-if="item.problem" class="i-problem">{{ item.problem }}</div>
          <a v-if="item.judged === 'is'" class="i-wrong" href="/cases">{{ words.is_case }}</a>
          <button v-if="item.judged === 'may' && judges" type="button" class="i-wrong" @click="$emit('wrong', item.id)">{{ words.wrong }}</button>
          <button v-if="item.entry && judges" type="button" class="i-wrong" @click="$emit('mend', item.id)">{{ words.mend }} {{ item.entry }}</button>
          <button v-if="item.tick === 'queued'" type="button" class="i-unqueue" @click="$emit('unqueue', item.id)">{{ words.unqueue }}</button>
          <details v-if="item.why.length" class="i-steps"><summary>{{ words.steps }}</summary>
            <section v-for="part in item.why" :key="part.heading"><h3>{{ part.heading }}</h3><p v-for="line in part.lines" dir="auto">{{ line }}</p></section>
            <details @toggle="$event.target.open && $emit('technical', item.id)"><summary>{{ words.technical }}</summary><pre>{{ told[item.id] }}</pre></details></details>
        </article>
      </template>
      <div v-if="!drawn.length" class="g-empty">{{ words.log_empty }}</div>
      <button v-if="below" type="button" class="i-below" @click="toEnd">{{ words.below }}</button>
    </div>`,
  props: { items: String, older: Boolean, words: Object, judges: Boolean },
  emits: ["older", "unqueue", "looking", "technical", "wrong", "mend"],
  data: () => ({ icons: ICONS, unfolded: {}, told: {}, atEnd: true, below: false }),
  computed: {
    drawn() {
      return JSON.parse(this.items);
    },
  },
  watch: {
    drawn: {
      flush: "pre",
      handler(now, before) {
        const log = this.$refs.log;
        const [first, last] = [before[0]?.id, before.at(-1)?.id];
        const fromEnd = log.scrollHeight - log.scrollTop;
        this.$nextTick(() => {
          if (this.atEnd) this.toEnd();
          else if (now[0]?.id !== first) log.scrollTop = log.scrollHeight - fromEnd;
          if (!this.atEnd && now.at(-1)?.id !== last) this.below = true;
        });
      },
    },
  },
  mounted() {
    this.look = () => this.$emit("looking", !document.hidden);
    document.addEventListener("visibilitychange", this.look);
    this.top = 0;
    this.sizes = new ResizeObserver(() => this.stick());
    this.sizes.observe(this.$refs.log);
    this.toEnd();
  },
  unmounted() {
    document.removeEventListener("visibilitychange", this.look);
    this.sizes.disconnect();
  },
  methods: {
    dim: (item) => item.tick === "suppressed",
    picture: (item) => item.media.url && ["image", "sticker"].includes(item.media.kind),
    folded(item) {
      return item.length > LONG && !this.unfolded[item.id];
    },
    unfold(id) {
      this.unfolded[id] = !this.unfolded[id];
    },
    tell(id, recorded) {
      this.told[id] = recorded;
    },
    scrolled() {
      // What grows, as a picture does when it comes, moves the end away without anybody having scrolled.
      const { scrollHeight, scrollTop, clientHeight } = this.$refs.log;
      if (scrollHeight - scrollTop - clientHeight < 60) this.atEnd = true;
      else if (scrollTop < this.top) this.atEnd = false;
      this.top = scrollTop;
      if (this.atEnd) this.below = false;
    },
    stick() {
      if (this.atEnd) this.toEnd();
    },
    toEnd() {
      this.$refs.log.scrollTop = this.$refs.log.scrollHeight;
      this.below = false;
    },
  },
};
