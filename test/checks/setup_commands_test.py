#!/usr/bin/env python3
"""Tests the check of set-up commands, on small trees."""

import unittest

import setup_commands
from checks_test import Tree


class SetupCommands(Tree):
    def setUp(self):
        super().setUp()
        self.write("README.md", "```sh\n./dev demo  # first\n./dev test\nfar run\n```\n./dev docs\n")
        self.write(".ci/run", "commands=(\n  './dev demo'\n  './dev test'\n  './dev check'\n)\n")

    def test_good(self):
        self.expect_good(setup_commands)

    def test_a_command_that_is_not_run(self):
        self.write(".ci/run", "commands=(\n  './dev demo'\n  './dev tests'\n)\n")
        self.expect_bad(setup_commands, "README.md:3", "'./dev test'")

    def test_another_command_first(self):
        self.write(".ci/run", "commands=(\n  './dev check'\n  './dev demo'\n  './dev test'\n)\n")
        self.expect_bad(setup_commands, ".ci/run", "begin")

    def test_a_page_without_commands(self):
        self.write("README.md", "./dev demo\n")
        self.expect_bad(setup_commands, "no shell block")


if __name__ == "__main__":
    unittest.main()
