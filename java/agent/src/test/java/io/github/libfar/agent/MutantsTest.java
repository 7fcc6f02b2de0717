package io.github.libfar.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bugs that are planted into the run time: a program must show each. Some make it wait for ever, so
 * several run at a time.
 */
@Execution(ExecutionMode.CONCURRENT)
final class MutantsTest {
  private static final String SHARED = "io/github/libfar/shared/";
  private static final Path SOURCES = Path.of("src/main/java");

  /** A class, what is replaced in its source and by what, and the program that shows it. */
  enum Mutant {
    RANKS_STAY_STOPPED("Collector", "    tellOthers(RESUME);\n", "", "Dropped"),
    UNKNOWN_TO_THE_COLLECTOR("Space", "    Native.keep(place);\n", "", "Dropped"),
    SEEN_ONCE_AND_NEVER_AGAIN("Space", "          makeStale(m);\n        } else {", "        } else {",
        "Late"),
    LOCKED_BEFORE_PUBLISHED("Space", "    Monitors.published(o, m);\n", "", "Late"),
    TICKETS_OF_THE_IMPATIENT("Monitors", "    if (gone > 0) notify(o, m, gone);\n", "", "Late"),
    SYNCHRONIZED_UNNOTICED("Contexts", "    return TESTS.get()[0] > 0;", "    return false;",
        "Loops1"),
    LEFT_WITHOUT_VALUES("NumberArrays",
        "      U.copyMemory(m.twin, base + bytes(i), null, to + bytes(i), bytes(end - i));\n", "",
        "RandomArrays"),
    LEFT_AS_ONE_PIECE("NumberArrays", "to + bytes(i), bytes(end - i));\n      i = end;",
        "to + bytes(i), bytes(n));\n      i = n;", "RandomArrays"),
    PACKED_THOUGH_ALONE("Space", "      if (m.alone || o", "      if (o", "RandomArrays"),
    OLD_TWIN("NumberArrays", "        m.twinIsOld = true;\n", "", "RandomArrays"),
    TAKEN_FROM_OTHERS("UseWord", "address, stamp | OPEN | IN_SPACE,", "address, load(address),",
        "RandomArrays");

    final String type;
    final String text;
    final String instead;
    final String program;

    Mutant(String type, String text, String instead, String program) {
      this.type = type;
      this.text = text;
      this.instead = instead;
      this.program = program;
    }
  }

  /** Puts the class with this bug into a folder. */
  private static void plant(Mutant mutant, Path folder) throws Exception {
    final String source = Files.readString(SOURCES.resolve(SHARED + mutant.type + ".java"));
    assertEquals(2, source.split(Pattern.quote(mutant.text), -1).length,
        "places for the bug, plus one");
    final Path copy = folder.resolve(mutant.type + ".java");
    Files.writeString(copy, source.replace(mutant.text, mutant.instead));
    final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertEquals(0, compiler.run(null, null, null, "-nowarn", "--add-exports",
        "java.base/jdk.internal.misc=ALL-UNNAMED", "-d", folder.toString(), copy.toString()));
  }

  @ParameterizedTest
  @EnumSource
  void isFound(Mutant mutant, @TempDir Path folder) throws Exception {
    assumeTrue(Programs.haveRanks(), "no build of libfar");
    final boolean ofArrays = mutant.program.equals("RandomArrays");
    final String option = ofArrays ? "-Dfar.alone=0" : "-Dfar.heap=" + (1 << 20);
    final List<String> command =
        Programs.farJava(3, !ofArrays, List.of(option), mutant.program);
    final Programs.Outcome right = Programs.plain(mutant.program);
    plant(mutant, folder);
    assertNotEquals(right, Programs.runWith(folder, 15, command));
  }
}
