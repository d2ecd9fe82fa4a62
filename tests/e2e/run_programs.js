// Runs programs beside each other, each in a worker of the site's own for Python, as the page does, and ends each
// after so many milliseconds. Gives what they told: lists of a word and a value, bytes as text of one character a
// byte; of a flood only its beginning.
const [base, programs] = arguments;
const MOST_BYTES = 8 << 20;
const url = document.querySelector("#python-worker").href;
globalThis.pythonFiles ??= (async () => ({
  module: await WebAssembly.compileStreaming(fetch(`${base}pyodide.asm.wasm`)),
  library: await (await fetch(`${base}python_stdlib.zip`)).blob(),
}))();
const files = await globalThis.pythonFiles;
const plain = (value) => {
  if (!(value instanceof Uint8Array)) return value;
  let text = "";
  for (const byte of value) text += String.fromCharCode(byte);
  return text;
};
const run = ([parts, harness, input, limitMs]) => new Promise((resolve) => {
  const worker = new Worker(url, { type: "module" });
  const told = [];
  let bytesLeft = MOST_BYTES;
  const end = () => {
    worker.terminate();
    resolve(told);
  };
  worker.onerror = (event) => {
    told.push(["failed", event.message]);
    end();
  };
  worker.onmessage = ({ data }) => {
    const [[word, value]] = Object.entries(data);
    bytesLeft -= value.length ?? 0;
    if (!(value instanceof Uint8Array) || bytesLeft > 0) told.push([word, plain(value)]);
    if (word === "ready") {
      setTimeout(end, limitMs);
      worker.postMessage({ harness, input });
    }
    if (["exit", "fault", "outOfMemory", "flood", "failed"].includes(word)) end();
  };
  worker.postMessage({ base, ...files, ...parts });
});
return Promise.all(programs.map(run));
