#!/usr/bin/env python3
"""Tests the checks: each runs on small trees that are good, and then made bad."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import claims
import environment
import layering
import links
import outputs
import snippets

TABLE = """\
| layer | what | start reading at | may include |
|---|---|---|---|
| `team` | teams | `team.hpp` | all layers below |
| `world` | view | `world.hpp` | all layers below |
| `fabric/sim` | leaf | `clock.hpp` | `base`, `fabric` |
| `fabric/shm` | leaf | `layout.hpp` | `base`, `fabric` |
| `fabric` | verbs | `fabric.hpp` | `base` |
| `base` | ground | `error.hpp` | nothing |
"""


class Tree(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def write_layers(self):
        """Writes the table, and the folders that it names."""
        self.write("src/far/LAYERS.md", TABLE)
        for layer in ("base", "fabric/shm", "fabric/sim", "world", "team"):
            (self.root / "src/far" / layer).mkdir(parents=True, exist_ok=True)

    def expect_good(self, check):
        self.assertEqual(check.check(self.root), [])

    def expect_bad(self, check, *parts):
        problems = check.check(self.root)
        self.assertEqual(len(problems), 1, problems)
        for part in parts:
            self.assertIn(part, problems[0])


class Layering(Tree):
    def setUp(self):
        super().setUp()
        self.write_layers()
        self.write("src/far/base/bits.hpp", "#include <vector>\n")
        self.write(
            "src/far/world/world.cpp",
            '#include "far/world/world.hpp"\n#include <far/base/bits.hpp>\n',
        )

    def test_lower_layers_may_be_included(self):
        self.expect_good(layering)

    def test_a_later_layer(self):
        self.write("src/far/base/bad.hpp", '\n#include "far/world/world.hpp"\n')
        self.expect_bad(layering, "src/far/base/bad.hpp:2", "base must not include far/world/")

    def test_a_later_layer_in_angle_brackets(self):
        self.write("src/far/world/bad.hpp", "#  include <far/team/team.hpp>\n")
        self.expect_bad(layering, "src/far/world/bad.hpp:1", "base, fabric")

    def test_tests_benchmarks_and_the_umbrella_are_free(self):
        include = '#include "far/team/team.hpp"\n#include "far/fabric/shm/x.hpp"\n'
        for name in ("base/bits_test.cpp", "base/bits_bench.cpp", "far.hpp"):
            self.write(f"src/far/{name}", include)
        self.expect_good(layering)

    def test_the_umbrella_is_for_users(self):
        self.write("src/far/team/bad.cpp", "#include <far/far.hpp>\n")
        self.expect_bad(layering, "umbrella")

    def test_the_umbrella_of_a_layer_belongs_to_the_layer(self):
        self.write("src/far/world.hpp", '#include "far/base/bits.hpp"\n')
        self.expect_good(layering)
        self.write("src/far/base.hpp", '#include "far/world.hpp"\n')
        self.expect_bad(layering, "src/far/base.hpp:1", "base must not include")

    def test_only_the_opener_includes_a_leaf(self):
        self.write(
            "src/far/fabric/open.cpp",
            '#include "far/fabric/shm/shm.hpp"\nauto f = shm::open();\n',
        )
        self.write(
            "src/far/fabric/shm/shm.hpp",
            '#include "far/fabric/shm/map.hpp"\n#include "far/fabric/f.hpp"\n',
        )
        self.expect_good(layering)
        self.write("src/far/world/bad.cpp", '#include "far/fabric/shm/shm.hpp"\n')
        self.expect_bad(layering, "src/far/world/bad.cpp:1", "leaf fabric/shm")

    def test_a_leaf_includes_no_other_leaf(self):
        self.write("src/far/fabric/sim/bad.hpp", '#include "far/fabric/shm/shm.hpp"\n')
        self.expect_bad(layering, "leaf fabric/shm", "not fabric/sim")

    def test_only_the_opener_names_a_leaf(self):
        self.write("src/far/fabric/good.cpp", "// shm::open does it\n")
        self.expect_good(layering)
        self.write("src/far/fabric/bad.cpp", "auto fabric = shm::open();\n")
        self.expect_bad(layering, "src/far/fabric/bad.cpp:1", "shm::")

    def test_a_leaf_includes_no_later_layer(self):
        self.write("src/far/fabric/sim/bad.hpp", '#include "far/world/world.hpp"\n')
        self.expect_bad(layering, "fabric/sim must not include far/world/world.hpp")

    def test_a_layer_without_a_row(self):
        self.write("src/far/attic/x.hpp", "")
        self.expect_bad(layering, "layer 'attic' has no row")

    def test_a_row_without_a_folder(self):
        self.write("src/far/LAYERS.md", TABLE + "| `attic` | old things | `base` |\n")
        self.expect_bad(layering, "no folder src/far/attic")

    def test_a_path_from_elsewhere(self):
        self.write("src/far/base/bad.hpp", '#include "../base/bits.hpp"\n')
        self.expect_bad(layering, "the path from src")

    def test_an_app_that_includes_another(self):
        self.write("apps/graph/x.hpp", '#include "common/y.hpp"\n#include "apps/graph/z.hpp"\n')
        self.write("apps/common/y.hpp", "")
        self.expect_good(layering)
        self.write("apps/count/bad.hpp", '#include "graph/x.hpp"\n')
        self.expect_bad(layering, "apps/count/bad.hpp:1", "app graph")

    def test_no_table(self):
        self.write("src/far/LAYERS.md", "nothing\n")
        self.expect_bad(layering, "no table")


class Claims(Tree):
    def setUp(self):
        super().setUp()
        self.write(
            "src/far/a_test.cpp",
            "TEST(Suite, One) {\nTEST_P(Suite, Two) {\nRANKS_TEST(Suite, Three, world) {\n",
        )

    def header(self, comment):
        self.write("src/far/a.hpp", f"#pragma once\n{comment}\nvoid f();\n")

    def test_names_of_tests(self):
        self.header("/// Checked by: Suite.One, Suite.Two,\n///   Suite.Three.\n/// More prose.")
        self.expect_good(claims)
        self.header("/// *Checked by* Suite.One\n")
        self.expect_good(claims)

    def test_a_name_without_a_test(self):
        self.header("/// Checked by: Suite.One, Suite.Four")
        self.expect_bad(claims, "src/far/a.hpp:2", "Suite.Four")

    def test_a_wrong_name_in_the_second_line(self):
        self.header("/// Checked by: Suite.One,\n///   Suite.Five")
        self.expect_bad(claims, "src/far/a.hpp:3", "Suite.Five")

    def test_the_other_spelling(self):
        self.header("/// *Checked by* Suite.Six")
        self.expect_bad(claims, "Suite.Six")

    def test_no_name_at_all(self):
        self.header("/// Checked by:")
        self.expect_bad(claims, "names no test")

    def test_a_test_outside_tests_does_not_count(self):
        self.write("src/far/b.cpp", "TEST(Suite, Seven) {\n")
        self.header("/// Checked by: Suite.Seven")
        self.expect_bad(claims, "Suite.Seven")

    def test_a_long_file(self):
        self.write("src/far/long.cpp", "\n" * 400)
        self.expect_good(claims)
        self.write("src/far/long.cpp", "\n" * 401)
        self.expect_bad(claims, "src/far/long.cpp", "401 lines")

    def test_a_header_without_guard(self):
        self.write("src/far/b.hpp", "// nothing\n")
        self.expect_bad(claims, "src/far/b.hpp", "#pragma once")


class Links(Tree):
    def setUp(self):
        super().setUp()
        self.write("docs/model.md", "# The Memory `model`, twice\n\n```\n[x](nowhere.md)\n```\n")
        self.write("a b.md", "text\n")

    def test_good_links(self):
        self.write(
            "README.md",
            "[a](docs/model.md) [b](docs/model.md#the-memory-model-twice) [c](a%20b.md) [d](docs)\n"
            "[e](https://example.org/x) [f](mailto:a@b.c) `[g](none.md)`\n\n[h]: docs/model.md\n",
        )
        self.expect_good(links)

    def test_no_file(self):
        self.write("docs/more.md", "\nsee [this](docs/model.md)\n")
        self.expect_bad(links, "docs/more.md:2", "no file")

    def test_no_file_in_a_reference(self):
        self.write("README.md", "[h]: docs/gone.md\n")
        self.expect_bad(links, "docs/gone.md", "no file")

    def test_no_heading(self):
        self.write("README.md", "[a](docs/model.md#other)\n")
        self.expect_bad(links, "no heading")

    def test_an_absolute_link(self):
        self.write("README.md", "[a](/docs/model.md)\n")
        self.expect_bad(links, "absolute")

    def test_a_page_that_the_index_leaves_out(self):
        self.write("docs/README.md", "[a](model.md), [b](b.md#part) and [c](c/1.md)\n")
        self.write("docs/b.md", "# Part\n")
        self.write("docs/c/1.md", "")
        self.expect_good(links)
        self.write("docs/c/2.md", "")
        self.expect_bad(links, "docs/README.md", "docs/c/2.md")

    def test_a_link_that_leaves(self):
        self.write("README.md", "[a](../)\n")
        self.expect_bad(links, "out of the repository")


class Environment(Tree):
    def setUp(self):
        super().setUp()
        self.write("docs/environment.md", "| variable | what |\n|---|---|\n| `FAR_RANK` | rank |\n")
        self.write("src/far/a.cpp", 'getenv("FAR_RANK"); setenv("FAR_RANK=3"); puts("FAR_");\n')

    def test_both_agree(self):
        self.write("src/far/a_test.cpp", 'setenv("FAR_NONSENSE");\n')
        self.write("test/programs/b.cpp", 'setenv("FAR_NONSENSE");\n')
        self.expect_good(environment)
        self.write("test/support/c.cpp", 'getenv("FAR_SEEDS");\n')
        self.expect_bad(environment, "FAR_SEEDS")

    def test_not_in_the_table(self):
        self.write("apps/x/b.cpp", '\nconstexpr auto name = "FAR_SECRET";\n')
        self.expect_bad(environment, "apps/x/b.cpp:2", "FAR_SECRET")

    def test_not_in_the_code(self):
        self.write("src/far/a.cpp", "")
        self.expect_bad(environment, "docs/environment.md:3", "no code reads FAR_RANK")

    def test_twice_in_the_table(self):
        self.write("docs/environment.md", "| `FAR_RANK` | a |\n| `FAR_RANK` | b |\n")
        self.expect_bad(environment, "second row")

    def test_no_table(self):
        (self.root / "docs/environment.md").unlink()
        self.expect_bad(environment, "FAR_RANK", "missing")
        self.write("src/far/a.cpp", "")
        self.expect_good(environment)


class Snippets(Tree):
    def setUp(self):
        super().setUp()
        self.write("examples/a.cpp", "int main() {\n  int a = 1;\n  return a;\n}\n")
        self.write("docs/a.md", self.page("  int a = 1;\n  return a;\n"))

    @staticmethod
    def page(code, file="examples/a.cpp"):
        return f"# A\n\n```cpp file={file}\n{code}```\n\n```cpp\nint other;\n```\n"

    def test_lines_of_the_file(self):
        self.expect_good(snippets)
        self.write("docs/a.md", self.page("int a = 1;\nreturn a;\n"))  # shown without indentation
        self.expect_good(snippets)

    def test_a_line_that_changed(self):
        self.write("examples/a.cpp", "int main() {\n  int a = 2;\n  return a;\n}\n")
        self.expect_bad(snippets, "docs/a.md:3", "not in examples/a.cpp")

    def test_lines_that_do_not_follow_each_other(self):
        self.write("docs/a.md", self.page("int main() {\n  return a;\n"))
        self.expect_bad(snippets, "docs/a.md:3")

    def test_relative_indentation_counts(self):
        self.write("docs/a.md", self.page("int a = 1;\n  return a;\n"))
        self.expect_bad(snippets, "docs/a.md:3")

    def test_no_file(self):
        self.write("docs/a.md", self.page("int a;\n", "examples/gone.cpp"))
        self.expect_bad(snippets, "docs/a.md:3", "no such file")

    def test_no_code(self):
        self.write("docs/a.md", self.page(""))
        self.expect_bad(snippets, "docs/a.md:3")

    def test_a_tutorial_shows_each_of_its_programs(self):
        self.write("examples/tutorial_1.cpp", "int main() {}\n")
        self.expect_bad(snippets, "docs/tutorial.md", "examples/tutorial_1.cpp")
        self.write("docs/tutorial.md", self.page("int main() {}\n", "examples/tutorial_1.cpp"))
        self.expect_good(snippets)


class Outputs(Tree):
    """A shell script takes the place of the `far` command."""

    def setUp(self):
        super().setUp()
        self.write("far", '#!/bin/sh\nif [ "$1" = fail ]; then exit 3; fi\necho "$1  "\necho end\n')
        (self.root / "far").chmod(0o755)

    def problems(self, page):
        self.write("docs/a.md", page)
        return outputs.check(str(self.root / "far"), self.root)

    def test_what_is_printed(self):
        self.assertEqual(
            self.problems('```text command="far first"\nfirst\nend\n```\n\n```\nother\n```\n'), []
        )

    def test_what_is_not_printed(self):
        (problem,) = self.problems('A\n\n```text command="far first"\nsecond\nend\n```\n')
        for part in ("docs/a.md:3", "-second", "+first"):
            self.assertIn(part, problem)

    def test_a_command_that_fails(self):
        (problem,) = self.problems('```text command="far fail"\n```\n')
        self.assertIn("docs/a.md:1", problem)

    def test_another_command(self):
        (problem,) = self.problems('```text command="rm x"\n```\n')
        self.assertIn("does not begin with far", problem)


class Programs(Tree):
    """The checks as programs: their status and their output."""

    here = Path(__file__).resolve().parent

    def run_check(self, *command):
        return subprocess.run(
            [*command, self.root], capture_output=True, text=True, check=False, env=dict(os.environ)
        )

    def test_status(self):
        for check, path, text in (
            ("layering.py", "src/far/LAYERS.md", "no table"),
            ("claims.py", "src/far/b.hpp", "no guard"),
            ("links.py", "README.md", "[a](gone.md)"),
            ("environment.py", "src/far/c.cpp", '"FAR_SECRET"'),
            ("snippets.py", "docs/d.md", "```cpp file=gone.cpp\n```\n"),
        ):
            with self.subTest(check=check):
                self.write_layers()
                good = self.run_check("python3", self.here / check)
                self.assertEqual((good.returncode, good.stderr), (0, ""))
                self.write(path, text)
                bad = self.run_check("python3", self.here / check)
                self.assertEqual(bad.returncode, 1)
                self.assertIn(path, bad.stderr)
                (self.root / path).unlink()

    @unittest.skipUnless(shutil.which("clang-format-16"), "needs clang-format-16")
    def test_formatting(self):
        shutil.copy(self.here.parents[1] / ".clang-format", self.root)
        self.write("src/far/a.cpp", "int main();\n")
        self.assertEqual(self.run_check(self.here / "formatting.sh").returncode, 0)
        self.write("src/far/b.cpp", "int  g( ) ;\n")
        bad = self.run_check(self.here / "formatting.sh")
        self.assertEqual(bad.returncode, 1)
        self.assertIn("src/far/b.cpp", bad.stderr)
        self.assertEqual(self.run_check(self.here / "formatting.sh", "--fix").returncode, 0)
        self.assertEqual(self.run_check(self.here / "formatting.sh").returncode, 0)


if __name__ == "__main__":
    unittest.main()
