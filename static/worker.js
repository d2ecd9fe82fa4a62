// The first message is the compiled module; everything after it belongs to the Rust side.
import init, { start_worker } from "%PKG_JS%";

addEventListener("message", async ({ data }) => {
  await init({ module_or_path: data });
  start_worker();
}, { once: true });
