// A Python that runs one program and is thrown away: the worker of the engine `browser`.
//
// In: `{ base, module, library, limits, hashSeed }`, where `base` is the address of Pyodide's scripts, `module` its
// compiled Wasm and `library` Python's own library as a Blob; once. Then `{ harness, input }`, texts; once.
// Out: `{ ready: "Pyodide x / CPython y" }`; then `{ output }` and `{ errors }`, bytes as they are written, and
// `{ dropped }`, how many bytes of errors were not kept; last `{ exit: code }`, `{ fault: text }`,
// `{ outOfMemory: true }` or `{ flood: true }`. `{ failed: text }` says that Python could not be started.

const PAGE = 65536;
const MIB = 1 << 20;
/// Whoever prints more than this is stopped, in bytes.
const MOST_OUTPUT = 64 * MIB;
/// 2023-10-10 12:00:00 UTC: a program's clock starts here, as on the server.
const CLOCK_STARTS = 1_696_939_200_000;
/// WASI's numbers of errors.
const NO_SPACE = 51;
const TOO_LARGE = 22;

const send = postMessage.bind(globalThis);
let memoryWasRefused = false;

addEventListener("message", ({ data }) => start(data), { once: true });

async function start(parts) {
  try {
    closeDoors();
    const startClock = setClock();
    boundMemory(parts.limits.memory_mib * MIB);
    const pyodide = await load(parts);
    boundDisk(pyodide.FS, parts.limits);
    const version = pyodide.runPython("import os, platform; os.environ.clear(); platform.python_version()");
    addEventListener("message", ({ data }) => {
      startClock();
      run(pyodide, parts.limits, data);
    }, { once: true });
    send({ ready: `Pyodide ${pyodide.version} / CPython ${version}` });
  } catch (error) {
    send({ failed: String(error?.message ?? error) });
  }
}

async function load({ base, module, library, hashSeed }) {
  // Pyodide asks for its files by address; they are here already.
  globalThis.fetch = async (url) => new Response(String(url).endsWith("python_stdlib.zip") ? library : null);
  WebAssembly.instantiateStreaming = async (_response, imports) => ({
    module,
    instance: await WebAssembly.instantiate(module, imports),
  });
  const { loadPyodide } = await import(`${base}pyodide.mjs`);
  const pyodide = await loadPyodide({
    indexURL: base,
    packageBaseUrl: base,
    // No packages beyond Python's own library; the version is the one that this Pyodide expects.
    lockFileContents: { info: { abi_version: "2026_0" }, packages: {} },
    env: { HOME: "/work", PYTHONHASHSEED: String(hashSeed) },
    // What Python finds as its module `js`.
    jsglobals: Object.create(null),
  });
  pyodide.unregisterJsModule("pyodide_js");
  pyodide.runPython("import sys; sys.modules.pop('pyodide_js', None)");
  Reflect.deleteProperty(globalThis, "fetch");
  Reflect.deleteProperty(WebAssembly, "instantiateStreaming");
  return pyodide;
}

function run(pyodide, limits, { harness, input }) {
  let left = MOST_OUTPUT;
  let kept = limits.output_kib * 1024;
  let dropped = 0;
  let told = 0;
  const tellDropped = () => {
    if (dropped > told) send({ dropped: dropped - told });
    told = dropped;
  };
  const count = (bytes) => {
    if (left >= 0 && (left -= bytes.length) < 0) {
      tellDropped();
      send({ flood: true });
    }
    return left >= 0;
  };
  const output = (bytes) => {
    if (count(bytes)) send({ output: bytes.slice() });
    return bytes.length;
  };
  const errors = (bytes) => {
    if (!count(bytes)) return bytes.length;
    const now = bytes.slice(0, kept);
    kept -= now.length;
    dropped += bytes.length - now.length;
    if (now.length > 0) send({ errors: now });
    if (dropped - told > MIB) tellDropped();
    return bytes.length;
  };
  pyodide.setStdin({ stdin: lines(input), isatty: false });
  pyodide.setStdout({ write: output, isatty: false });
  pyodide.setStderr({ write: errors, isatty: false });
  let last;
  try {
    pyodide.runPython(harness, { globals: pyodide.toPy({ __name__: "__main__" }) });
    last = { exit: 0 };
  } catch (error) {
    last = ending(error);
  }
  tellDropped();
  send(last);
}

function lines(input) {
  const all = [input];
  return () => all.shift() ?? null;
}

function ending(error) {
  if (typeof error?.status === "number") return { exit: error.status };
  if (error?.type === "SystemExit") return { exit: 1 };
  if (memoryWasRefused) return { outOfMemory: true };
  return { fault: String(error?.message ?? error).trim().split("\n").at(-1) };
}

/// Takes away what leads out of here, should a program get at JavaScript. No new realm can be made that has it
/// again, and the policy that comes with this file forbids every connection.
function closeDoors() {
  const doors = [
    "BroadcastChannel", "EventSource", "FileReaderSync", "SharedWorker", "WebSocket", "WebSocketStream", "WebTransport",
    "Worker", "XMLHttpRequest", "caches", "cookieStore", "fetch", "importScripts", "indexedDB", "navigator",
    "requestFileSystem", "webkitRequestFileSystem", "webkitRequestFileSystemSync",
  ];
  for (let holder = globalThis; holder; holder = Object.getPrototypeOf(holder)) {
    for (const door of doors) Reflect.deleteProperty(holder, door);
  }
}

/// A clock in UTC that starts at the same moment in every run, and goes; gives what starts it again.
function setClock() {
  const RealDate = Date;
  let began = performance.now();
  const now = () => CLOCK_STARTS + Math.floor(performance.now() - began);
  const moment = (parts) => {
    if (parts.length === 0) return [now()];
    return parts.length === 1 ? parts : [RealDate.UTC(...parts)];
  };
  globalThis.Date = class extends RealDate {
    constructor(...parts) {
      super(...moment(parts));
    }
    static now() {
      return now();
    }
    getTimezoneOffset() {
      return 0;
    }
  };
  for (const part of ["Date", "Day", "FullYear", "Hours", "Milliseconds", "Minutes", "Month", "Seconds"]) {
    Date.prototype[`get${part}`] = RealDate.prototype[`getUTC${part}`];
  }
  return () => {
    began = performance.now();
  };
}

function boundMemory(most) {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE > most) {
      memoryWasRefused = true;
      throw new RangeError("more memory than a program may have");
    }
    return grow.call(this, pages);
  };
}

/// The bounds are on what is written and made in all, as on the server.
function boundDisk(FS, { disk_mib, files }) {
  const most = disk_mib * MIB;
  let bytesLeft = most;
  let filesLeft = files;
  const refuse = (errno) => {
    throw new FS.ErrnoError(errno);
  };
  const before = (name, check) => {
    const call = FS[name];
    FS[name] = (...args) => {
      check(...args);
      return call(...args);
    };
  };
  const resize = (_file, length) => {
    if (length > most) refuse(TOO_LARGE);
  };
  before("write", (stream, _buffer, _offset, length, position) => {
    if (FS.isChrdev(stream.node?.mode ?? 0)) return;
    if ((bytesLeft -= length) < 0) refuse(NO_SPACE);
    if ((position ?? stream.position) + length > most) refuse(TOO_LARGE);
  });
  before("mknod", () => {
    if (--filesLeft < 0) refuse(NO_SPACE);
  });
  before("symlink", () => {
    if (--filesLeft < 0) refuse(NO_SPACE);
  });
  before("truncate", resize);
  before("ftruncate", resize);
  if (FS.allocate) before("allocate", (_stream, offset, length) => resize(null, offset + length));
  FS.mkdirTree("/work");
}
