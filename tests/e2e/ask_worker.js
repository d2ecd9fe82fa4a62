// Puts requests, one after the other, to a worker of the site's own, started as the page starts it. A request may
// come with the text of a file. Gives each reply, the text of its file, how many words of progress came before,
// and how many milliseconds it took.
const [requests] = arguments;
const app = await (await fetch(document.querySelector("script[type=module]").src)).text();
const found = (pattern) => app.match(pattern)[0];
const module = await WebAssembly.compileStreaming(fetch(found(/\/pkg\/[^"]+\.wasm/)));
const worker = new Worker(found(/\/pkg\/worker-[^"]+\.js/), { type: "module" });
worker.postMessage(module);
const ask = ({ request, file }, id) => new Promise((resolve, reject) => {
  let n_progress = 0;
  worker.onerror = (event) => reject(new Error(event.message));
  worker.onmessage = ({ data }) => {
    if (data.died || data.error) reject(new Error(data.died ?? data.error));
    if (data.progress) n_progress += 1;
    if (data.reply) resolve({ reply: data.reply, blob: data.blob, n_progress });
  };
  worker.postMessage({ id, request, files: file == null ? [] : [new Blob([file])] });
});
const answers = [];
for (const [id, request] of requests.entries()) {
  const began = performance.now();
  const { reply, blob, n_progress } = await ask(request, id);
  const ms = performance.now() - began;
  answers.push({ reply, file: await blob?.text() ?? null, n_progress, ms });
}
worker.terminate();
return answers;
