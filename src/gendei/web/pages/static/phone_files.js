// Beside a demo phone's field: a picture or file, and a voice note, which is recorded where the browser lets it and
// chosen as a file elsewhere.
const RATE = 16_000;
const LONGEST = 300; // seconds
export default {
  template: `
    <div class="p-files">
      <button type="button" class="p-tool" :aria-label="words.attach_file" :title="words.attach_file" :disabled="busy" @click="$refs.file.click()">
        <i class="q-icon material-icons" aria-hidden="true">attach_file</i></button>
      <button type="button" class="p-tool" :aria-label="words.record" :title="words.record" :disabled="busy" @click="record">
        <i class="q-icon material-icons" aria-hidden="true">mic</i></button>
      <input ref="file" type="file" hidden @change="chosen($event.target)">
      <input ref="sound" type="file" hidden accept="audio/*" @change="heard($event.target)">
      <div v-if="recorder" class="p-recording">
        <span class="p-live-dot" aria-hidden="true"></span>
        <span class="p-live-state" role="status">{{ words.recording }} {{ Math.floor(seconds / 60) }}:{{ String(seconds % 60).padStart(2, "0") }}</span>
        <button type="button" class="p-tool" :aria-label="words.record_cancel" :title="words.record_cancel" @click="stop(false)">
          <i class="q-icon material-icons" aria-hidden="true">delete</i></button>
        <button type="button" class="p-tool p-record-send" :aria-label="words.record_send" :title="words.record_send" @click="stop(true)">
          <i class="q-icon material-icons" aria-hidden="true">send</i></button>
      </div>
      <p v-if="problem" class="p-live-problem" role="alert">{{ problem }}</p>
    </div>`,
  props: { path: String, token: String, words: Object },
  data: () => ({ busy: false, problem: "", recorder: null, seconds: 0 }),
  methods: {
    field() {
      return this.$el.closest(".p-compose").querySelector("textarea");
    },
    // What stands in the field goes with the file, as its caption.
    async chosen(input) {
      const file = input.files[0];
      input.value = "";
      if (!file) return;
      const field = this.field();
      if (await this.send(file, { name: file.name, caption: field.value.trim() })) {
        field.value = "";
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    },
    async heard(input) {
      const file = input.files[0];
      input.value = "";
      if (file) await this.sendSound(file);
    },
    async record() {
      this.problem = "";
      if (!navigator.mediaDevices || !window.MediaRecorder) return this.$refs.sound.click();
      try {
        this.stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      } catch {
        return this.$refs.sound.click();
      }
      const parts = [];
      const recorder = new MediaRecorder(this.stream);
      recorder.ondataavailable = (event) => parts.push(event.data);
      recorder.onstop = () => this.recorded(new Blob(parts, { type: recorder.mimeType }));
      recorder.start();
      this.seconds = 0;
      this.wanted = false;
      this.timer = setInterval(() => ++this.seconds >= LONGEST - 1 && this.stop(true), 1000);
      this.recorder = recorder;
    },
    stop(wanted) {
      this.wanted = wanted;
      clearInterval(this.timer);
      this.recorder?.stop();
      this.recorder = null;
      for (const track of this.stream?.getTracks() || []) track.stop();
    },
    recorded(blob) {
      if (this.wanted) this.sendSound(blob);
    },
    // Browsers record in formats of their own; all of them can make samples of what they can play.
    async sendSound(blob) {
      this.busy = true;
      try {
        const context = new OfflineAudioContext(1, 1, RATE);
        const sound = await context.decodeAudioData(await blob.arrayBuffer());
        if (sound.duration > LONGEST) throw new RangeError();
        const whole = new OfflineAudioContext(1, Math.max(1, sound.length), RATE);
        const source = whole.createBufferSource();
        source.buffer = sound;
        source.connect(whole.destination);
        source.start();
        const samples = (await whole.startRendering()).getChannelData(0);
        await this.send(wav(samples), { voice: true });
      } catch (error) {
        this.problem = error instanceof RangeError ? this.words.record_too_long : this.words.record_no_sound;
      } finally {
        this.busy = false;
      }
    },
    async send(blob, about) {
      this.busy = true;
      this.problem = "";
      try {
        const address = `${this.path}?${new URLSearchParams({ ...about, token: this.token })}`;
        const headers = { "Content-Type": blob.type || "application/octet-stream" };
        const answer = await fetch(address, { method: "POST", body: blob, headers });
        if (!answer.ok) this.problem = (await answer.json()).detail || this.words.file_not_sent;
        return answer.ok;
      } catch {
        this.problem = this.words.file_not_sent;
        return false;
      } finally {
        this.busy = false;
      }
    },
  },
  unmounted() {
    this.stop(false);
  },
};

// Mono PCM16.
function wav(samples) {
  const view = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  const text = (at, letters) => [...letters].forEach((letter, place) => view.setUint8(at + place, letter.charCodeAt(0)));
  text(0, "RIFF");
  view.setUint32(4, 36 + 2 * samples.length, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, 2 * RATE, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, 2 * samples.length, true);
  samples.forEach((value, at) => view.setInt16(44 + 2 * at, Math.max(-1, Math.min(1, value)) * 32767, true));
  return new Blob([view], { type: "audio/wav" });
}
