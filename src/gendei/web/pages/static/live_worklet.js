// The two ends of a live call that run beside the page: the microphone as PCM16, and sound that stops at once.
// A browser has the rate that its device has (`sampleRate`); a call has RATE.
const RATE = 24000;
const CHUNK = 1024; // samples: 43 ms, 2,048 bytes

/** Samples of one rate as those of another, block after block without a seam. */
class Resampler {
  constructor(from, to) {
    this.step = from / to;
    this.at = 0; // of the next sample, in samples of `from`; 0 is `last`
    this.last = 0;
  }

  /** Calls `give` with each sample; where there are too many, their mean stands for them. */
  feed(samples, give) {
    const of = (index) => (index < 0 ? this.last : samples[index]);
    const end = samples.length + 1;
    while (this.step > 1 ? Math.floor(this.at + this.step) <= end : this.at < samples.length) {
      const index = Math.floor(this.at) - 1;
      if (this.step > 1) {
        const next = Math.floor(this.at + this.step) - 1;
        let sum = 0;
        for (let one = index; one < next; one++) sum += of(one);
        give(sum / (next - index));
      } else {
        const share = this.at - Math.floor(this.at);
        give(of(index) * (1 - share) + of(index + 1) * share);
      }
      this.at += this.step;
    }
    this.at -= samples.length;
    this.last = samples[samples.length - 1];
  }
}

class Microphone extends AudioWorkletProcessor {
  constructor() {
    super();
    this.resampler = new Resampler(sampleRate, RATE);
    this.chunk = new Int16Array(CHUNK);
    this.filled = 0;
  }

  process([channels]) {
    if (channels.length && channels[0].length) {
      this.resampler.feed(channels[0], (sample) => {
        this.chunk[this.filled++] = Math.round(Math.max(-1, Math.min(1, sample)) * 32767);
        if (this.filled === CHUNK) {
          this.port.postMessage(this.chunk.buffer, [this.chunk.buffer]);
          this.chunk = new Int16Array(CHUNK);
          this.filled = 0;
        }
      });
    }
    return true;
  }
}

class Loudspeaker extends AudioWorkletProcessor {
  constructor() {
    super();
    this.waiting = [];
    this.at = 0;
    this.heard = false;
    this.resampler = new Resampler(RATE, sampleRate);
    this.port.onmessage = ({ data }) => {
      if (data === "stop") {
        this.waiting = [];
        this.at = 0;
        return;
      }
      const sound = new Int16Array(data);
      const samples = new Float32Array(Math.ceil((sound.length * sampleRate) / RATE) + 2);
      let count = 0;
      this.resampler.feed(Float32Array.from(sound, (one) => one / 32768), (one) => (samples[count++] = one));
      this.waiting.push(samples.subarray(0, count));
    };
  }

  process(_inputs, [[left, ...others]]) {
    let filled = 0;
    while (filled < left.length && this.waiting.length) {
      const samples = this.waiting[0];
      const some = samples.subarray(this.at, this.at + left.length - filled);
      left.set(some, filled);
      filled += some.length;
      this.at += some.length;
      if (this.at >= samples.length) {
        this.waiting.shift();
        this.at = 0;
      }
    }
    for (const other of others) other.set(left);
    const hears = filled > 0;
    if (hears !== this.heard) {
      this.heard = hears;
      this.port.postMessage(hears);
    }
    return true;
  }
}

registerProcessor("gendei-microphone", Microphone);
registerProcessor("gendei-loudspeaker", Loudspeaker);
