// A live call, for any page: microphone and loudspeaker on one side, the WebSocket on the other. It knows nothing of how
// a page looks. The protocol is in docs/voice.md.
const MOST_UNSENT = 256 * 1024; // bytes; what a slow network does not take of the microphone is left out
const RETRIES = [500, 1000, 2000, 4000, 8000]; // ms
const OURS = (code) => code === 1000 || (code >= 4000 && code < 5000);

export class LiveCall {
  /**
   * `token`: a visitor's, or a function that gets one that is good now, also when a lost call goes on later.
   * `on.state(state)`: connecting, listening, hearing, thinking, speaking, reconnecting. `on.frame(frame)`: every other
   * JSON frame. `on.end(problem)`: the call is over; `problem` is null, a sentence of the service's, or the key of one:
   * "no_microphone", "not_allowed", "unsupported", "lost".
   */
  constructor({ address, token, worklet, on }) {
    Object.assign(this, { address, token, worklet, on });
    this.session = null;
    this.after = null;
    this.said = null; // what the service said last before it closed
    this.tries = 0;
    this.told = "";
    this.isHeard = false;
    this.isOver = false;
  }

  /** Ask for the microphone, then call. To be called from a tap: browsers make no sound otherwise. */
  async start() {
    if (!navigator.mediaDevices?.getUserMedia || !window.AudioWorkletNode) return this.#finish("unsupported");
    this.#tell("connecting");
    this.context = new AudioContext();
    try {
      const [stream] = await Promise.all([
        navigator.mediaDevices.getUserMedia({
          audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
        }),
        this.context.audioWorklet.addModule(this.worklet),
        this.context.resume(),
      ]);
      this.stream = stream;
    } catch (error) {
      return this.#finish(error.name === "NotAllowedError" ? "not_allowed" : "no_microphone");
    }
    if (this.isOver) return this.#release();
    const options = { channelCount: 1, channelCountMode: "explicit" };
    const microphone = new AudioWorkletNode(this.context, "gendei-microphone", { ...options, numberOfOutputs: 0 });
    this.loudspeaker = new AudioWorkletNode(this.context, "gendei-loudspeaker", options);
    this.loudspeaker.connect(this.context.destination);
    this.loudspeaker.port.onmessage = ({ data }) => this.#hears(data);
    this.context.createMediaStreamSource(this.stream).connect(microphone);
    microphone.port.onmessage = ({ data }) => this.#send(data);
    this.stream.getAudioTracks()[0].onended = () => this.#finish("no_microphone");
    this.#connect();
  }

  write(text) {
    this.#send(JSON.stringify({ type: "text", text }));
  }

  tap(id, title) {
    this.#send(JSON.stringify({ type: "tap", id, title }));
  }

  interrupt() {
    this.loudspeaker?.port.postMessage("stop");
    this.#send(JSON.stringify({ type: "interrupt" }));
  }

  /** Hang up. */
  end() {
    this.#send(JSON.stringify({ type: "end" }));
    this.#finish(null);
  }

  #connect() {
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    socket.onopen = async () => {
      const token = typeof this.token === "function" ? await this.token() : this.token;
      const known = this.session ? { session: this.session, ...(this.after && { after: this.after }) } : {};
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "start", token, ...known }));
    };
    socket.onmessage = ({ data }) => (typeof data === "string" ? this.#frame(JSON.parse(data)) : this.#play(data));
    socket.onclose = ({ code }) => this.#closed(code);
    this.socket = socket;
    this.isReady = false;
  }

  #frame(frame) {
    if (frame.type === "ready") {
      this.session = frame.session;
      this.isReady = true;
      this.tries = 0;
    } else if (frame.type === "state") {
      this.state = frame.state;
      this.#show();
    } else if (frame.type === "stop") {
      this.loudspeaker.port.postMessage("stop");
    } else if (frame.type === "bye") {
      this.said = frame.text;
    } else {
      if (frame.type === "message") this.after = frame.id;
      this.on.frame(frame);
    }
  }

  #play(sound) {
    this.loudspeaker.port.postMessage(sound, [sound]);
  }

  /** What was sent is heard for a while after the service has gone on to listen. */
  #hears(isHeard) {
    this.isHeard = isHeard;
    this.#show();
  }

  #show() {
    if (this.state) this.#tell(this.isHeard && this.state === "listening" ? "speaking" : this.state);
  }

  #send(data) {
    const isText = typeof data === "string";
    if (this.isReady && this.socket.readyState === WebSocket.OPEN && (isText || this.socket.bufferedAmount < MOST_UNSENT))
      this.socket.send(data);
  }

  #closed(code) {
    if (this.isOver) return;
    this.loudspeaker.port.postMessage("stop");
    this.isReady = false;
    if (OURS(code)) this.#finish(code === 1000 ? null : this.said || "lost");
    else if (this.tries < RETRIES.length) {
      this.state = "";
      this.#tell("reconnecting");
      this.retry = setTimeout(() => this.#connect(), RETRIES[this.tries++]);
    } else this.#finish("lost");
  }

  #tell(state) {
    if (state !== this.told) this.on.state((this.told = state));
  }

  #finish(problem) {
    if (this.isOver) return;
    this.isOver = true;
    this.#release();
    this.on.end(problem);
  }

  #release() {
    clearTimeout(this.retry);
    this.stream?.getTracks().forEach((track) => track.stop());
    this.socket?.close();
    this.context?.close();
  }
}
