"""The first process of a container: starts the guests of one job, one after another, and tells how each ended.

Its arguments: the harness's text, the folder where guests run, and for how many seconds it waits for a guest.
It reads lines of JSON from standard input: {"word", "input", "seconds", "hash_seed", "clock"} starts a guest that reads
"input" and has that many seconds where nobody ends it; an empty object ends it. When nothing of a guest runs any more,
the word and {"code" | "signal", "out_of_memory"} follow on standard output, and the word on standard error, each with
the end of a line: all before is the guest's.
At the end of its input and of its time it ends, and the container with it.
"""

import ctypes
import gc
import json
import os
import select
import signal
import sys
import time

HARNESS, FOLDER, IDLE = sys.argv[1:]
# Without it the interpreter itself would fail.
KEPT = ("LD_PRELOAD", "FAKETIME_NO_CACHE", "FAKETIME_DONT_FAKE_MONOTONIC", "OPENBLAS_NUM_THREADS", "NLTK_DATA")
PR_SET_DUMPABLE = 4
KILLED_FOR_MEMORY = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")


def main():
    # A guest runs as the same user: it must not read or change this process.
    set_dumpable(0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    ended, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    os.mkdir(FOLDER, 0o700)
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    code = compile(HARNESS, "<harness>", "exec")
    warm_up()
    deadline = time.monotonic() + int(IDLE)
    guest, told = None, b""
    while True:
        ready, _, _ = select.select([0, ended], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            return
        if ended in ready:
            os.read(ended, 4096)
            was_there, guest = guest, reap(guest)
            if guest is not was_there:
                deadline = time.monotonic() + int(IDLE)
        if 0 in ready:
            read = os.read(0, 1 << 20)
            if not read:
                return
            told += read
            *lines, told = told.split(b"\n")
            for line in lines:
                asked = json.loads(line)
                if "word" in asked:
                    guest = start(asked, code, environment)
                    deadline = time.monotonic() + asked["seconds"]
                elif guest is not None:
                    os.kill(-1, signal.SIGKILL)


def set_dumpable(value):
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, value, 0, 0, 0)


def warm_up():
    """Imports what every harness needs: a guest is a copy of this process."""
    import ast
    import io
    import linecache
    import random
    import types
    import unittest
    gc.freeze()


def start(asked, code, environment):
    """The process, its word, and how often memory ran out before it."""
    source = os.memfd_create("input")
    with open(source, "wb", closefd=False) as file:
        file.write(asked["input"].encode())
    os.lseek(source, 0, os.SEEK_SET)
    word, n_before = asked.pop("word"), n_killed_for_memory()
    process = os.fork()
    if process == 0:
        try:
            become_guest(source, asked, code, environment)
        finally:
            os._exit(1)
    os.close(source)
    return process, word, n_before


def become_guest(source, asked, code, environment):
    import traceback
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.setsid()
    os.dup2(source, 0)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    set_dumpable(1)
    # The first to go when memory runs out.
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    os.environ.clear()
    os.environ.update(environment, PYTHONHASHSEED=str(asked["hash_seed"]), PYTHONDONTWRITEBYTECODE="1")
    if asked["clock"] is not None:
        os.environ["FAKETIME"] = f"{asked['clock'] - time.time():+.6f}"
    if asked["hash_seed"] != 0:
        # Hashes are seeded when an interpreter starts.
        os.execv(sys.executable, [sys.executable, "-B", "-c", HARNESS])
    sys.argv = ["-c"]
    namespace = sys.modules["__main__"].__dict__
    for name in [name for name in namespace if not name.startswith("__")]:
        del namespace[name]
    try:
        exec(code, namespace)
        status = 0
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def reap(guest):
    """Takes what ended; where that is the guest, ends all that it left and tells how it ended."""
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return guest
        if process == 0:
            return guest
        if guest is not None and process == guest[0]:
            break
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass
    _, word, n_before = guest
    ending = {"out_of_memory": n_killed_for_memory() > n_before}
    if os.WIFSIGNALED(status):
        ending["signal"] = os.WTERMSIG(status)
    else:
        ending["code"] = os.WEXITSTATUS(status)
    tell(2, word)
    tell(1, word + json.dumps(ending))
    return None


def tell(stream, line):
    line = f"{line}\n".encode()
    while line:
        line = line[os.write(stream, line):]


def n_killed_for_memory():
    for path in KILLED_FOR_MEMORY:
        try:
            with open(path) as file:
                counts = dict(line.split() for line in file)
        except OSError:
            continue
        return int(counts.get("oom_kill", 0))
    return 0


main()
