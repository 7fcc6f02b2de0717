#!/usr/bin/env python3
"""Tests that far-kv answers as memcached does, to commands that a seed chooses (commands.py).

usage: replies_test.py [--server PATH] [--commands N] [--seed S] [--ranks N]

Sends the same bytes to both and compares the replies (replies.py says what may differ). A
difference is shown with its seed and the fewest commands that were found to lead to it. Without
memcached (Debian: memcached) the test is skipped, with status 77.
"""

import argparse
import socket
import sys
import threading
import time
import unittest
from pathlib import Path

from commands import FILLER, Batch, has_long_line
from differences import Minimizer, first_difference, generated
from replies import Comparison
from servers import Exchange, Server, find_memcached

QUICK_COMMANDS = 20_000
SKIPPED = 77
asked = argparse.Namespace(server=None, commands=QUICK_COMMANDS, seed=1, ranks=None)


def check_equal(test, pair, seed, count, ranks=1):
    found = first_difference(pair, generated(seed, count), ranks)
    if found:
        first = len(found.batches)
        found = Minimizer(pair, found, ranks).run()
        test.fail(f"seed {seed}, batch {first}: the replies differ\n{found.text()}")


class Altered:
    """Another server's replies, of which one text is replaced."""

    def __init__(self, server, text, replacement):
        self.server, self.text, self.replacement = server, text, replacement
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = self.socket.getsockname()
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        while True:
            connection, _ = self.socket.accept()
            with connection:
                data = b""
                while part := connection.recv(1 << 16):
                    data += part
                if data == b"stop":
                    return
                reply = Exchange(self.server.address, data, 0).reply()
                try:
                    connection.sendall(reply.replace(self.text, self.replacement))
                except OSError:
                    pass

    def restart(self):
        self.server.restart()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        Exchange(self.address, b"stop", 0).reply()
        self.thread.join()
        self.socket.close()


class Tool(unittest.TestCase):
    """Tests of the test."""

    def test_memcached_answers_as_memcached_does(self):
        with Server(find_memcached()) as one, Server(find_memcached()) as other:
            check_equal(self, (one, other), asked.seed, 5000)

    def test_a_planted_difference_is_found_and_made_small(self):
        planted = [(b"NOT_STORED\r\n", b"NOT_STORED \r\n"), (b" W\r\n", b"\r\n"),
                   (b"CLIENT_ERROR bad data chunk\r\n", b"ERROR\r\n"), (b" 1000\r\n", b" 1001\r\n")]
        for text, replacement in planted:
            with self.subTest(text=text), Server(find_memcached()) as one, \
                    Server(find_memcached()) as other, Altered(other, text, replacement) as altered:
                found = first_difference((one, altered), generated(3, 20_000))
                self.assertIsNotNone(found)
                small = Minimizer((one, altered), found).run()
                count = sum(len(batch.commands) for batch in small.batches)
                self.assertLessEqual(count, 3, small.text())
                self.assertIn(text, small.replies[0], small.text())

    def test_no_long_line_follows_a_wrong_size(self):
        batches = [batch for batch in generated(2, 50_000) if batch.commands[-1] == (FILLER,)]
        self.assertGreater(len(batches), 100)
        for batch in batches:
            self.assertFalse(any(map(has_long_line, batch.commands)))

    def test_what_may_differ(self):
        def equal(first, second):
            return Comparison().first_difference(first, second) is None

        self.assertTrue(equal(b"HD c5 t100\r\n", b"HD c900 t99\r\n"))
        self.assertFalse(equal(b"HD c5 t100\r\n", b"HD c900 t98\r\n"))
        self.assertFalse(equal(b"HD t1\r\n", b"HD t-1\r\n"))
        self.assertTrue(equal(b"HD c5\r\nHD c6\r\nHD c5\r\n", b"HD c1\r\nHD c2\r\nHD c1\r\n"))
        self.assertFalse(equal(b"HD c5\r\nHD c6\r\n", b"HD c5\r\nHD c5\r\n"))
        self.assertFalse(equal(b"HD c5\r\nHD c5\r\n", b"HD c5\r\nHD c6\r\n"))
        self.assertTrue(Comparison(2).first_difference(b"HD c5 kk\r\nHD c6 kj\r\n",
                                                       b"HD c1 kk\r\nHD c1 kj\r\n") is None)
        self.assertTrue(equal(b"VALUE k 0 2 7\r\nt1\r\nEND\r\n", b"VALUE k 0 2 8\r\nt1\r\nEND\r\n"))
        self.assertFalse(equal(b"VALUE k 0 2\r\nt1\r\nEND\r\n", b"VALUE k 0 2\r\nt2\r\nEND\r\n"))
        self.assertFalse(equal(b"HD Ot1\r\n", b"HD Ot2\r\n"))
        self.assertFalse(equal(b"STORED\r\n", b"STORED\n"))
        self.assertTrue(equal(b"STAT pid 1\r\nEND\r\n", b"STAT a b\r\nSTAT c d\r\nEND\r\n"))
        self.assertFalse(equal(b"STAT pid 1\r\nEND\r\n", b"STAT pid 1\r\n"))


class FarKv(unittest.TestCase):
    def setUp(self):
        if asked.server is None:
            self.skipTest("no far-kv: build it, or give --server")

    def test_answers_as_memcached_does(self):
        for ranks in (asked.ranks,) if asked.ranks else (1, 2):
            with self.subTest(ranks=ranks), Server(find_memcached()) as memcached, \
                    Server(asked.server, ranks) as ours:
                check_equal(self, (memcached, ours), asked.seed, asked.commands, ranks)

    def test_large_numbers_wrap_around(self):
        texts = [b"set n 0 0 20\r\n18446744073709551615\r\n", b"incr n 1\r\n", b"get n\r\n",
                 b"set m 0 0 1\r\n5\r\n", b"incr m 18446744073709551614\r\n", b"get m\r\n",
                 b"incr m 18446744073709551615\r\n", b"decr m 18446744073709551615\r\n",
                 b"ma l N0 J18446744073709551610 v\r\n", b"ma l D4 v\r\n", b"ma l D4 v\r\n"]
        with Server(find_memcached()) as memcached, Server(asked.server) as ours:
            found = first_difference((memcached, ours), [Batch([(text,)], 0) for text in texts])
            self.assertIsNone(found, found and found.text())

    def test_items_expire(self):
        stores = [b"set a 0 2 1\r\nx\r\n", b"ms b 1 T2\r\ny\r\n", b"set c 0 0 1\r\nz\r\n",
                  b"touch c 2\r\n", b"set d 0 2 1\r\nx\r\n", b"touch d 0\r\n", b"mg e N2\r\n",
                  b"set f 0 1000 1\r\nx\r\n", b"gat 2 f\r\n", b"ma g N2 J5\r\n",
                  b"set h 0 -1 1\r\nx\r\n", b"set i 0 1000 1\r\nx\r\n", b"mg i T2\r\n"]
        gets = [b"get a b c d e f g h i\r\n", b"add a 0 0 1\r\nn\r\n", b"replace b 0 0 1\r\nn\r\n",
                b"append c 0 0 1\r\nn\r\n", b"incr g 1\r\n", b"md e\r\n", b"touch f 0\r\n",
                b"mg i s v\r\n", b"get a b c d e f g h i\r\n"]
        batches = [Batch([(text,) for text in texts], 0) for texts in (stores, stores[:0], gets)]

        def slowly():
            for batch in batches:
                if not batch.commands:
                    time.sleep(3.2)
                yield batch

        with Server(find_memcached()) as memcached, Server(asked.server) as ours:
            found = first_difference((memcached, ours), slowly())
            self.assertIsNone(found, found and found.text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", help="default: bin/far-kv, if it is there")
    parser.add_argument("--commands", type=int, default=QUICK_COMMANDS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ranks", type=int, help="of far-kv; default: 1, and then 2")
    parser.parse_args(namespace=asked)
    if find_memcached() is None:
        print("skipped: memcached is not installed (Debian: memcached)")
        sys.exit(SKIPPED)
    if asked.server is None and Path("bin/far-kv").exists():
        asked.server = Path("bin/far-kv").resolve()
    unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main()
