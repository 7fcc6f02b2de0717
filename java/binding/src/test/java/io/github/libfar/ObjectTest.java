package io.github.libfar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ObjectTest {
  private final Job job = Ranks.job();

  private static ObjectType nodes(ObjectSpace space) {
    return space.describe("node").number("key", 8).number("flag", 4).reference("next").build();
  }

  /** Calls what it is given with a space in one memory, and with one that makes copies. */
  private void inSpaces(java.util.function.Consumer<ObjectSpace> test) {
    for (boolean copies : new boolean[] {false, true}) {
      try (ObjectSpace space = new ObjectSpace(job, 0, 0, copies)) {
        test.accept(space);
        job.barrier();
      }
    }
  }

  @Test
  void listsCrossRanks() {
    inSpaces(
        space -> {
          ObjectType node = nodes(space);
          int key = node.offsetOf("key");
          int next = node.offsetOf("next");
          long head = space.make(node);
          space.setLong(head, node, key, job.rank());
          space.setInt(head, node, node.offsetOf("flag"), -5);
          space.setRoot("head" + job.rank(), head, node);
          job.barrier();
          long other = space.root("head" + (job.rank() + 1) % job.size());
          space.setLong(head, node, next, other);
          job.barrier();
          long at = head;
          for (int i = 0; i < 2 * job.size(); ++i) {
            assertEquals((job.rank() + i) % job.size(), space.getLong(at, node, key));
            assertEquals(-5, space.getInt(at, node, node.offsetOf("flag")));
            at = space.getLong(at, node, next);
          }
          assertEquals(0, space.root("nobody's"));
          assertThrows(IllegalArgumentException.class, () -> space.getLong(0, node, key));
          assertThrows(IndexOutOfBoundsException.class, () -> space.getLong(head, node, 24));
          assertThrows(IndexOutOfBoundsException.class, () -> space.getLong(head, node, 4));
          assertThrows(IllegalArgumentException.class, () -> node.offsetOf("none"));
        });
  }

  @Test
  void arraysAreLong() {
    inSpaces(
        space -> {
          ObjectType pair = space.describe("pair[]").number("x", 8).number("y", 8).build();
          if (job.rank() == 0) space.setRoot("pairs", space.makeArray(pair, 10_000), pair);
          job.barrier();
          long pairs = space.root("pairs");
          assertEquals(10_000, space.length(pairs, pair));
          for (long i = job.rank(); i < 10_000; i += job.size()) {
            space.setLong(pairs, pair, i, pair.offsetOf("y"), 2 * i);
          }
          job.barrier();
          for (long i = 0; i < 10_000; i += 99) {
            assertEquals(2 * i, space.getLong(pairs, pair, i, pair.offsetOf("y")));
            assertEquals(0, space.getLong(pairs, pair, i, pair.offsetOf("x")));
          }
          assertThrows(
              IllegalArgumentException.class, () -> space.getLong(pairs, pair, 10_000, 0));
          assertThrows(IllegalArgumentException.class, () -> space.getLong(pairs, pair, -1, 0));
        });
  }

  @Test
  void monitorsExcludeAndWait() {
    inSpaces(
        space -> {
          ObjectType node = nodes(space);
          int key = node.offsetOf("key");
          if (job.rank() == 0) space.setRoot("turn", space.make(node), node);
          job.barrier();
          long turn = space.root("turn");
          // Ranks take turns.
          for (int round = 0; round < 20; ++round) {
            try (ObjectSpace.Monitor monitor = space.enter(turn)) {
              while (space.getLong(turn, node, key) % job.size() != job.rank()) {
                monitor.await(null);
              }
              space.setLong(turn, node, key, space.getLong(turn, node, key) + 1);
              monitor.signalAll();
            }
          }
          job.barrier();
          assertEquals(20L * job.size(), space.getLong(turn, node, key));
          try (ObjectSpace.Monitor monitor = space.enter(turn)) {
            assertFalse(monitor.await(Duration.ofMillis(1)));
          }
        });
  }

  @Test
  void keptObjectsStay() {
    inSpaces(
        space -> {
          ObjectType node = nodes(space);
          long made = space.make(node);
          space.setLong(made, node, 0, 77);
          try (ObjectSpace.Kept kept = space.keep(made)) {
            job.barrier();
            space.collect();
            job.barrier();
            assertEquals(77, space.getLong(kept.reference(), node, 0));
          }
          job.barrier();
          space.collect();
          job.barrier();
          assertTrue(space.make(node) != 0);
        });
  }
}
