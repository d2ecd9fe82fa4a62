// The first message is the compiled module; everything after it belongs to the Rust side, which must
// listen before the next message comes: so no waiting here.
import { initSync, start_worker } from "%PKG_JS%";

addEventListener("message", ({ data }) => {
  initSync({ module: data });
  start_worker();
}, { once: true });
