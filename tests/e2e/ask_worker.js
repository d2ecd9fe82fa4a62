// Puts requests, one after the other, to a worker of the site's own, started as the page starts it; gives each
// reply and how many milliseconds it took.
const [requests] = arguments;
const app = await (await fetch(document.querySelector("script[type=module]").src)).text();
const found = (pattern) => app.match(pattern)[0];
const module = await WebAssembly.compileStreaming(fetch(found(/\/pkg\/[^"]+\.wasm/)));
const worker = new Worker(found(/\/pkg\/worker-[^"]+\.js/), { type: "module" });
worker.postMessage(module);
const ask = (request, id) => new Promise((resolve, reject) => {
  worker.onerror = (event) => reject(new Error(event.message));
  worker.onmessage = ({ data }) => {
    if (data.died || data.error) reject(new Error(data.died ?? data.error));
    if (data.reply) resolve(data.reply);
  };
  worker.postMessage({ id, request });
});
const answers = [];
for (const [id, request] of requests.entries()) {
  const began = performance.now();
  const reply = await ask(request, id);
  answers.push({ reply, ms: performance.now() - began });
}
worker.terminate();
return answers;
