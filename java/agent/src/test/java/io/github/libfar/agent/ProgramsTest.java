package io.github.libfar.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs print the same when they are rewritten, and when their threads are on several ranks. */
final class ProgramsTest {
  @ParameterizedTest
  @ValueSource(strings = {"Arrays1", "Language", "Collections1", "Concurrent1", "Threads1", "Bank",
      "Loops1", "Philosophers", "Queues", "Tree"})
  void printsTheSameRewritten(String program) throws Exception {
    assertEquals(Programs.plain(program, "a", "b"), Programs.rewritten(program, "a", "b"));
  }

  /** A method that it does not take runs ten times as long, whatever it does. */
  @ParameterizedTest
  @ValueSource(strings = {"Bank", "Loops1", "Threads1"})
  void theJitCompilerTakesAllMethods(String program) throws Exception {
    final String text = Programs.compiled(program);
    assertTrue(text.contains("io.github.libfar.programs." + program + "::main"), text);
    final List<String> skipped = text.lines()
        .filter(line -> line.contains("COMPILE SKIPPED") && !line.contains("class loading"))
        .toList();
    assertEquals(List.of(), skipped);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void randomProgramsPrintTheSame(int seed) throws Exception {
    assumeTrue(Programs.haveRanks(), "no build of libfar");
    final String argument = String.valueOf(seed);
    final Programs.Outcome plain = Programs.plain("RandomCells", argument);
    assertEquals(plain, Programs.onRanks(2, seed % 2 == 0, "RandomCells", argument));
    assertEquals(plain, Programs.onRanks(3, seed % 2 != 0, "RandomCells", argument));
  }

  /** Where ranks take arrays for themselves at once, now and then, and never. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void randomArraysArePassedOn(int seed) throws Exception {
    assumeTrue(Programs.haveRanks(), "no build of libfar");
    final String argument = String.valueOf(seed);
    final Programs.Outcome plain = Programs.plain("RandomArrays", argument);
    for (int afterBytes : new int[] {0, 20_000, -1}) {
      final List<String> options = List.of("-Dfar.alone=" + afterBytes);
      assertEquals(plain, Programs.onRanks(2 + seed % 2, false, options, "RandomArrays", argument));
    }
    assertEquals(plain, Programs.onRanks(3, true, "RandomArrays", argument));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Language", "Collections1", "Concurrent1", "Threads1", "Bank",
      "Loops1", "Philosophers", "Queues", "Tree"})
  void printsTheSameOnRanks(String program) throws Exception {
    assumeTrue(Programs.haveRanks(), "no build of libfar");
    final Programs.Outcome plain = Programs.plain(program);
    assertEquals(plain, Programs.onRanks(2, false, program), "2 ranks");
    assertEquals(plain, Programs.onRanks(2, true, program), "2 ranks, copies");
    assertEquals(plain, Programs.onRanks(3, false, program), "3 ranks");
    assertEquals(plain, Programs.onRanks(4, true, program), "4 ranks, copies");
  }

  /** What the JDK provides: each has many short parts. */
  @ParameterizedTest
  @ValueSource(strings = {"Atomics1", "Classes1", "Classes2", "Enums1", "Exceptions1",
      "Functions1", "Futures1", "Late", "Locks1", "Pools1", "Pools2", "Queues2", "Reflected1",
      "Serialized1", "Staying1", "Styles1", "Styles2", "Texts1", "Texts2", "Threads2", "Threads3",
      "Updaters1", "Values1"})
  void classesOfTheJdkWorkOnRanks(String program) throws Exception {
    assumeTrue(Programs.haveRanks(), "no build of libfar");
    final Programs.Outcome plain = Programs.plain(program);
    assertEquals(plain, Programs.onRanks(2, true, program), "2 ranks, copies");
    assertEquals(plain, Programs.onRanks(3, false, program), "3 ranks");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void droppedObjectsAreCollected(boolean copies) throws Exception {
    assumeTrue(Programs.haveRanks(), "no build of libfar");
    final List<String> smallHeap = List.of("-Dfar.heap=" + (1 << 20));
    assertEquals(Programs.plain("Dropped"), Programs.onRanks(3, copies, smallHeap, "Dropped"));
    final List<String> forTexts = List.of("-Dfar.heap=" + (2 << 20));
    assertEquals(Programs.plain("Texts2"), Programs.onRanks(3, copies, forTexts, "Texts2"));
  }

  @Test
  void notificationsTakeFewThreads() throws Exception {
    assumeTrue(Programs.haveRanks(), "no build of libfar");
    assertEquals(Programs.plain("Notified"), Programs.onRanks(3, false, "Notified"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void racesAreNoticed(boolean copies) throws Exception {
    assumeTrue(Programs.haveRanks(), "no build of libfar");
    final List<String> explain = List.of("--explain");
    final String ordered = Programs.onRanks(2, copies, explain, "Races").text();
    assertTrue(ordered.contains("8 8\n"), ordered);
    assertTrue(ordered.contains("Races$Board.ordered"), ordered);
    assertFalse(ordered.contains("a race"), ordered);
    final String raced = Programs.onRanks(2, copies, explain, "Races", "at once").text();
    for (String field : List.of("Races$Board.torn", "Races$Board.owner", "int[].elements")) {
      assertTrue(raced.lines().anyMatch(l -> l.contains("a race") && l.contains(field)), raced);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void printsTheSameWhereOthersStartIt(int ranks) throws Exception {
    assumeTrue(Programs.haveRanks(), "no build of libfar");
    final String n = String.valueOf(ranks);
    final Programs.Outcome plain = Programs.plain("Queues");
    assertEquals(plain, Programs.inJob(List.of(Programs.far(), "run", "-n", n), "Queues"));
    final List<String> mpirun =
        List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", n);
    assertEquals(plain, Programs.inJob(mpirun, "Queues"));
  }
}
