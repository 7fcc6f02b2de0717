"""Servers that a test starts, and what they answer."""

import getpass
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

# With the threads that these switch off, memcached's replies depend on time: they hold items now and
# then, and incr makes a new item for one that is held, which was not fetched.
DETERMINISTIC = ("-t", "1", "-o", "no_lru_maintainer,no_lru_crawler")
START_LIMIT_S = 20
REPLY_LIMIT_S = 20
SMALL = 1 << 15  # bytes that a server's socket holds while the server waits for us to read


def find_memcached():
    """The path of memcached, or None."""
    return shutil.which("memcached") or shutil.which("memcached", path="/usr/bin:/usr/local/bin")


class Server:
    """A server's process, on a port of its own of 127.0.0.1."""

    def __init__(self, path, ranks=1):
        self.path = str(path)
        self.launcher = []
        if ranks > 1:
            self.launcher = [str(Path(path).with_name("far")), "run", "-n", str(ranks)]
        self.process = None
        self.start()

    def start(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.address = probe.getsockname()
        command = [*self.launcher, self.path, "-l", "127.0.0.1", "-p", str(self.address[1]), "-m",
                   "256"]
        if Path(self.path).name == "memcached":
            command += ["-u", getpass.getuser(), *DETERMINISTIC]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + START_LIMIT_S
        while True:
            try:
                socket.create_connection(self.address).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    raise RuntimeError(f"{self.path} ended with {self.process.returncode}") from None
                if time.monotonic() > deadline:
                    self.stop()
                    raise RuntimeError(f"{self.path} opens no port") from None
                time.sleep(0.01)

    def stop(self):
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def restart(self):
        self.process.kill()
        self.process.wait()
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Exchange:
    """Sends `data`, `piece` bytes at a time, and closes that side of the connection; then reads."""

    def __init__(self, address, data, piece):
        self.socket = socket.create_connection(address)
        self.socket.settimeout(REPLY_LIMIT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sender = None
        if len(data) <= SMALL:
            self.send(data, piece)
        else:  # the server may wait for us to read
            self.sender = threading.Thread(target=self.send, args=(data, piece))
            self.sender.start()

    def send(self, data, piece):
        try:
            if piece == 0:
                self.socket.sendall(data)
            else:
                for at in range(0, len(data), piece):
                    self.socket.sendall(data[at : at + piece])
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the server has closed the connection; what it answered is still to be read

    def reply(self):
        parts = []
        try:
            while True:
                part = self.socket.recv(1 << 16)
                if not part:
                    break
                parts.append(part)
        except TimeoutError:
            parts.append(b"(and then nothing for %d s)" % REPLY_LIMIT_S)
        except ConnectionError:
            pass
        self.socket.close()
        if self.sender:
            self.sender.join()
        return b"".join(parts)
