// One module serves the page and its worker: compiled here, handed on to `%WORKER_JS%`.
import init, { start_app } from "%PKG_JS%";

// Before the first paint, so that a chosen theme does not flash; `state/settings.rs` takes over from here.
try {
  for (const name of ["theme", "size"]) {
    const kept = localStorage.getItem(name);
    if (kept) document.documentElement.dataset[name] = kept;
  }
} catch {
  // No storage here: nothing was chosen.
}

const starting = document.getElementById("starting");
try {
  const module = await WebAssembly.compileStreaming(fetch("%PKG_WASM%"));
  await init({ module_or_path: module });
  starting.remove();
  start_app("%WORKER_JS%", module);
} catch (error) {
  starting.textContent = `CtxLab could not start (${error.message}). Reload the page; if that does not help, use a current version of Firefox, Chrome, Edge or Safari.`;
  throw error;
}
