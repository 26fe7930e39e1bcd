// Tells whoever looks elsewhere that a patient waits: a number in the title, a sound, and a notification where allowed.
// Who may be in danger is told again and again until somebody takes it up, also where other sounds are off, and with a
// link (`shown`: where to, and its words) on pages that are not the inbox. Of several open pages one rings.
const ALARM_SECONDS = 6;
const LATE_SECONDS = 10;
const RANG = "gendei-rang";
export default {
  template: `
    <span v-if="away" class="g-danger-place" role="alert"><a v-if="shown" class="g-danger" :href="shown.link" :title="shown.words"><i class="q-icon material-icons" aria-hidden="true">warning</i><span>{{ shown.words }}</span></a></span>
    <span v-else class="i-alert">
      <button v-if="permission === 'default'" type="button" :title="words.alert_allow" :aria-label="words.alert_allow" @click="allow"><i class="q-icon material-icons" aria-hidden="true">notification_add</i></button>
      <button type="button" :title="quiet ? words.sound_on : words.sound_off" :aria-label="quiet ? words.sound_on : words.sound_off" :aria-pressed="!quiet" @click="toggle"><i class="q-icon material-icons" aria-hidden="true">{{ quiet ? "volume_off" : "volume_up" }}</i></button>
    </span>`,
  props: { calls: Array, title: String, words: Object, away: Boolean, shown: Object },
  emits: ["open"],
  data: () => ({
    permission: window.Notification ? Notification.permission : "denied",
    quiet: localStorage.getItem("gendei-quiet") === "1",
    told: null,
    alarm: null,
  }),
  watch: {
    calls: "tell",
  },
  mounted() {
    this.tell();
    this.wake = () => this.sound().resume().then(() => this.alarm && this.ring(true));
    addEventListener("pointerdown", this.wake, { once: true });
  },
  unmounted() {
    removeEventListener("pointerdown", this.wake);
    clearInterval(this.alarm);
  },
  methods: {
    tell() {
      if (!this.calls) return; // the list is still to come: who waits already is no news
      const danger = this.calls.some((call) => call.danger);
      document.title = (danger ? "⚠ " : "") + (this.calls.length ? `(${this.calls.length}) ${this.title}` : this.title);
      const fresh = this.calls.filter((one) => this.told && !this.told.has(one.key));
      this.told = new Set(this.calls.map((one) => one.key));
      this.alarmWhile(danger);
      if (!fresh.length) return;
      if (!this.quiet && !danger) this.ring();
      if (this.permission === "granted" && document.hidden) fresh.forEach(this.notify);
    },
    alarmWhile(danger) {
      if (danger === (this.alarm !== null)) return;
      clearInterval(this.alarm);
      this.alarm = danger ? setInterval(() => this.ring(true), ALARM_SECONDS * 1000) : null;
      if (danger) this.ring(true);
    },
    notify(call) {
      const title = call.danger ? `${this.words.danger_call}: ${call.title}` : call.title;
      const notice = new Notification(title, { body: call.text, tag: call.contact, requireInteraction: call.danger });
      notice.onclick = () => {
        window.focus();
        notice.close();
        this.$emit("open", call.contact);
      };
    },
    sound() {
      return (this.audio ??= new AudioContext());
    },
    another() {
      const rang = localStorage.getItem(RANG);
      return rang !== this.rang && Math.abs(Date.now() - Number(rang)) < (ALARM_SECONDS - 1) * 1000;
    },
    ring(danger = false) {
      const audio = this.sound();
      if (audio.state !== "running") return this.ringOnceAwake(audio, danger);
      if (audio.currentTime < (this.next ?? 0)) return; // calls that come together ring once
      if (danger && this.another()) return;
      if (danger) localStorage.setItem(RANG, (this.rang = String(Date.now())));
      this.next = audio.currentTime + 2;
      (danger ? [988, 740, 988, 740] : [660, 880]).forEach((pitch, at) => {
        const [tone, level, start] = [audio.createOscillator(), audio.createGain(), audio.currentTime + at * 0.16];
        tone.frequency.value = pitch;
        level.gain.setValueAtTime(0.0001, start);
        level.gain.exponentialRampToValueAtTime(danger ? 0.25 : 0.12, start + 0.02);
        level.gain.exponentialRampToValueAtTime(0.0001, start + 0.3);
        tone.connect(level).connect(audio.destination);
        tone.start(start);
        tone.stop(start + 0.32);
      });
    },
    async ringOnceAwake(audio, danger) {
      const asked = Date.now(); // browsers make no sound before a touch, and begin some time after it
      await audio.resume();
      if (audio.state === "running" && Date.now() - asked < LATE_SECONDS * 1000) this.ring(danger);
    },
    async allow() {
      this.permission = await Notification.requestPermission();
    },
    toggle() {
      this.quiet = !this.quiet;
      localStorage.setItem("gendei-quiet", this.quiet ? "1" : "0");
      if (!this.quiet) this.sound().resume().then(() => this.ring());
    },
  },
};
