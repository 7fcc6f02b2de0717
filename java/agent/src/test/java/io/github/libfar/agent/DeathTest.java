package io.github.libfar.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A JVM that is killed at any time ends the job with one line, and leaves nothing. */
final class DeathTest {
  private static final int RANKS = 3;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void isTold(int seed) throws Exception {
    assumeTrue(Programs.haveRanks(), "no build of libfar");
    final Random random = new Random(seed);
    final Process job =
        Programs.start(Programs.farJava(RANKS, seed % 2 == 0, List.of(), "Endless"));
    try (BufferedReader output = job.inputReader()) {
      assertEquals("running", output.readLine());
      final List<ProcessHandle> ranks = job.children().toList();
      assertEquals(RANKS, ranks.size());
      Thread.sleep(random.nextInt(500));
      final ProcessHandle victim = ranks.get(random.nextInt(RANKS));
      victim.destroyForcibly();
      final List<String> lines = output.lines().toList();
      assertNotEquals(0, job.waitFor());
      assertEquals(1, lines.size(), lines::toString);
      assertTrue(lines.get(0).contains("(pid " + victim.pid() + ")"), lines::toString);
      for (ProcessHandle rank : ranks) assertFalse(rank.isAlive());
    } finally {
      job.destroyForcibly();
    }
  }
}
