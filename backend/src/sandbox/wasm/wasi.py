"""What CPython lacks on WASI and programs expect, as far as it can be given without a host."""


def repair():
    import builtins
    import errno
    import io
    import os
    import socket
    import stat
    import sys

    if os.path.isdir("/site"):
        sys.path.append("/site")

    read_only = set()
    real_open, real_chmod = io.open, getattr(os, "chmod", None)

    def place(path):
        return os.path.abspath(os.fspath(path))

    def open(file, mode="r", *args, **kwargs):
        if isinstance(file, (str, bytes, os.PathLike)):
            path = os.fspath(file)
            if not path:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
            if any(sign in mode for sign in "wax+") and place(path) in read_only:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return real_open(file, mode, *args, **kwargs)

    def chmod(path, mode, **kwargs):
        os.stat(path)
        if mode & stat.S_IWUSR:
            read_only.discard(place(path))
        else:
            read_only.add(place(path))

    builtins.open = io.open = open
    os.chmod = chmod

    def inet_pton(family, address):
        import ipaddress
        kind = ipaddress.IPv6Address if family == socket.AF_INET6 else ipaddress.IPv4Address
        try:
            return kind(address).packed
        except ValueError:
            raise OSError("illegal IP address string passed to inet_pton") from None

    def gethostbyaddr(address):
        if address in HOSTS:
            return HOSTS[address], [], [address]
        raise socket.herror(1, "Unknown host")

    def gethostbyname(name):
        for address, known in HOSTS.items():
            if name == known:
                return address
        raise socket.gaierror(-2, "Name or service not known")

    for name, value in {"AF_INET": 2, "AF_INET6": 10, "SOCK_STREAM": 1}.items():
        if not hasattr(socket, name):
            setattr(socket, name, value)
    for name, stand_in in {"inet_pton": inet_pton, "gethostbyaddr": gethostbyaddr, "gethostbyname": gethostbyname}.items():
        setattr(socket, name, stand_in)
    for name in ("getuid", "geteuid", "getgid", "getegid"):
        if not hasattr(os, name):
            setattr(os, name, lambda: 65534)

    def give_https(client):
        if not hasattr(client, "HTTPSConnection"):
            client.HTTPSConnection = type("HTTPSConnection", (client.HTTPConnection,), {"default_port": 443})

    def keep_offline(nltk):
        nltk.download = lambda *_, **__: False

    def keep_mat(numpy):
        if not hasattr(numpy, "mat"):
            numpy.mat = numpy.asmatrix

    sys.meta_path.insert(0, Repairs({"http.client": give_https, "nltk": keep_offline, "numpy": keep_mat}))


class Repairs:
    """Finds modules as usual, and repairs some of them once they are loaded."""

    def __init__(self, repairs):
        self.repairs = repairs

    def find_spec(self, name, path=None, target=None):
        if name not in self.repairs:
            return None
        import importlib.util
        repair = self.repairs.pop(name)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = Repaired(spec.loader, repair)
        return spec


class Repaired:
    """A loader that repairs what another one loads."""

    def __init__(self, loader, repair):
        self.loader, self.repair = loader, repair

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def exec_module(self, module):
        self.loader.exec_module(module)
        self.repair(module)


repair()
del repair
