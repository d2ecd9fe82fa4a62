// One module serves the page and its worker: compiled here, handed on to `%WORKER_JS%`.
import init, { start_app } from "%PKG_JS%";

const module = await WebAssembly.compileStreaming(fetch("%PKG_WASM%"));
await init({ module_or_path: module });
start_app("%WORKER_JS%", module);
