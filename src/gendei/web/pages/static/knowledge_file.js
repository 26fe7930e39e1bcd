// A file from which a clinic's knowledge is brought. What the server tells of it is put in as text.
export default {
  template: `
    <div class="k-file">
      <label class="k-choose" :class="{'k-busy': reading}"><i class="q-icon material-icons" aria-hidden="true">upload_file</i>{{ reading ? words.reading : words.choose_file }}
        <input type="file" accept=".pdf,.html,.htm,.txt,.md,application/pdf,text/html,text/plain,text/markdown" :disabled="reading"
          @change="send($event.target.files[0]); $event.target.value = ''"></label>
      <div role="status"><p v-if="name" class="k-name" dir="auto">{{ name }}</p><p v-for="line in lines">{{ line }}</p></div>
      <p v-if="problem" class="k-fault" role="alert">{{ problem }}</p>
    </div>`,
  props: { words: Object, token: String, address: String },
  data: () => ({ reading: false, name: "", lines: [], problem: "" }),
  methods: {
    async send(file) {
      if (!file || this.reading) return;
      Object.assign(this, { reading: true, name: file.name, lines: [], problem: "" });
      try {
        const answer = await fetch(`${this.address}?name=${encodeURIComponent(file.name)}`, {
          method: "POST", body: file, headers: { "X-CSRF-Token": this.token },
        });
        const told = await answer.json();
        if (answer.ok) this.lines = told.lines;
        else this.problem = told.detail || this.words.read_failed;
      } catch {
        this.problem = this.words.read_failed;
      }
      this.reading = false;
    },
  },
};
