// The button on a demo phone with which its patient speaks live, and what stands there meanwhile.
export default {
  template: `
    <div class="p-live">
      <button v-if="!state" type="button" class="p-live-start" @click="start">
        <i class="q-icon material-icons" aria-hidden="true">mic</i>{{ words.start }}</button>
      <div v-else class="p-live-bar" :data-state="state">
        <span class="p-live-dot" aria-hidden="true"></span>
        <span class="p-live-state" role="status">{{ words[state] }}</span>
        <button v-if="state === 'speaking'" type="button" class="p-live-quiet" :aria-label="words.interrupt" :title="words.interrupt" @click="call.interrupt()">
          <i class="q-icon material-icons" aria-hidden="true">volume_off</i></button>
        <button type="button" class="p-live-end" @click="call.end()">{{ words.end }}</button>
      </div>
      <p v-if="problem" class="p-live-problem" role="alert">{{ problem }}</p>
    </div>`,
  props: { script: String, worklet: String, path: String, token: String, words: Object },
  data: () => ({ state: "", problem: "" }),
  methods: {
    async start() {
      const { LiveCall } = await import(this.script);
      this.problem = "";
      this.state = "connecting";
      const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.path}`;
      const on = { state: this.show, frame: this.take, end: this.over };
      this.call = new LiveCall({ address, token: this.token, worklet: this.worklet, on });
      await this.call.start();
    },
    show(state) {
      this.state = state;
    },
    take(frame) {
      if (frame.type === "notice") this.problem = frame.text;
      else if (frame.type === "heard" || frame.type === "message") this.problem = "";
    },
    over(problem) {
      this.state = "";
      this.problem = problem ? this.words[problem] || problem : "";
    },
  },
  unmounted() {
    this.call?.end();
  },
};
