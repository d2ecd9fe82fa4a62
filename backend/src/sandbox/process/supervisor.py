"""The first process of a sandbox: starts guests in it, one after another, and says how each ended.

The first argument is a JSON object: "argv" and "environment" of a guest, "etc" (files of /etc and their texts),
"disk" (bytes) and "files" (how many) of what guests write, "limits" (names of resource limits and values), "filter"
(the bytes of a seccomp program). Standard input is a socket. What is said on it is a line: "ready"; for each guest
"code N", "signal N" or "failed WHY". What is heard is a byte: "g" with three descriptors starts a guest on them, "k"
ends it.
"""

import ctypes
import json
import os
import resource
import select
import signal
import socket
import sys

NO_SUID, NO_DEVICES, BIND = 2, 4, 4096
CAPABILITIES_V3 = 0x20080522
SET_NO_NEW_PRIVILEGES, SET_SECCOMP, SECCOMP_FILTER = 38, 22, 2
libc = ctypes.CDLL(None, use_errno=True)


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("program", ctypes.c_char_p)]


def check(result, what):
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def furnish(job):
    """One bounded file system for all that guests write."""
    # Its root, the two folders and the files of /etc are not the guests'.
    size = f"size={job['disk']},nr_inodes={job['files'] + 3 + len(job['etc'])},mode=0755".encode()
    check(libc.mount(b"tmpfs", b"/space", b"tmpfs", NO_SUID | NO_DEVICES, size), "mount")
    for name in ("work", "tmp"):
        os.mkdir(f"/space/{name}")
        check(libc.mount(f"/space/{name}".encode(), f"/{name}".encode(), None, BIND, None), "mount")
    for name, text in job["etc"].items():
        with open(f"/space/{name}", "w") as file:
            file.write(text)


def give_up_capabilities():
    header, none = (ctypes.c_uint32 * 2)(CAPABILITIES_V3, 0), (ctypes.c_uint32 * 6)()
    check(libc.capset(header, none), "capset")


def become_guest(job, descriptors):
    for to, descriptor in enumerate(descriptors):
        os.dup2(descriptor, to)
        os.close(descriptor)
    os.chdir("/work")
    for name, value in job["limits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    program = bytes(job["filter"])
    filter = Filter(len(program) // 8, program)
    check(libc.prctl(SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "prctl")
    check(libc.prctl(SET_SECCOMP, SECCOMP_FILTER, ctypes.byref(filter), 0, 0), "seccomp")
    os.execve(job["argv"][0], job["argv"], job["environment"])


def start(job, descriptors):
    """Gives the guest's process, or why there is none."""
    failing, failed = os.pipe()
    guest = os.fork()
    if guest == 0:
        try:
            become_guest(job, descriptors)
        except BaseException as error:
            os.write(failed, repr(error).encode())
        os._exit(1)
    os.close(failed)
    # It is closed when the guest's program runs.
    why = os.read(failing, 1000)
    os.close(failing)
    if not why:
        return guest, None
    os.waitpid(guest, 0)
    return None, why.decode()


def watch(guest, host):
    """Until the guest has ended; `False` where the host is gone."""
    ended = os.pidfd_open(guest)
    try:
        while True:
            ready, _, _ = select.select([ended, host], [], [])
            if host in ready:
                if not host.recv(1):
                    return False
                os.kill(guest, signal.SIGKILL)
            if ended in ready:
                return True
    finally:
        os.close(ended)


def main():
    # A guest may send signals to this process; those that it handles not, do not reach it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Whoever started the host may have left descriptors open for its children.
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    job = json.loads(sys.argv[1])
    host = socket.socket(fileno=os.dup(0))
    furnish(job)
    give_up_capabilities()
    host.sendall(b"ready\n")
    while True:
        word, descriptors, _, _ = socket.recv_fds(host, 1, 3)
        if not word:
            return
        if word != b"g":
            continue
        guest, why = start(job, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        if guest is None:
            host.sendall(f"failed {why}\n".encode("utf-8", "replace").replace(b"\n", b" ").strip() + b"\n")
            continue
        if not watch(guest, host):
            return
        status = os.waitstatus_to_exitcode(os.waitpid(guest, 0)[1])
        host.sendall((f"code {status}\n" if status >= 0 else f"signal {-status}\n").encode())


main()
