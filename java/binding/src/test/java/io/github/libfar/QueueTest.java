package io.github.libfar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class QueueTest {
  private final Job job = Ranks.job();

  @Test
  void elementsArriveOnce() {
    try (FarQueue<Long> queue = new FarQueue<>(job, job.size() - 1, 64, 8, Codec.LONG);
        FarLongArray sum = new FarLongArray(job, 1)) {
      for (long i = 0; i < 1000; ++i) {
        queue.push(i);
        sum.getAndAdd(0, queue.pop());
      }
      job.barrier();
      assertEquals(job.size() * 1000L * 999 / 2, sum.get(0));
      assertNull(queue.poll());
    }
  }

  @Test
  void waitsForElements() throws Exception {
    try (FarQueue<String> queue = new FarQueue<>(job, 0, 4, 100, Codec.STRING)) {
      Thread consumer =
          new Thread(
              () -> {
                try (Job.Attachment own = job.attach()) {
                  for (int i = 0; i < 100; ++i) assertTrue(queue.pop().startsWith("work"));
                  assertTrue(own != null);
                }
              });
      consumer.start();
      for (int i = 0; i < 100; ++i) queue.push("work " + i);
      consumer.join();
    }
  }

  @Test
  void isFullAndRefusesWhatIsTooLarge() {
    try (FarQueue<String> queue = new FarQueue<>(job, 0, 4, 10, Codec.STRING)) {
      if (job.rank() == 0) {
        for (int i = 0; i < 4; ++i) assertTrue(queue.offer(""));
        assertFalse(queue.offer("full"));
        assertEquals("", queue.poll());
      }
      assertThrows(IllegalArgumentException.class, () -> queue.push("more than ten"));
      job.barrier();
    }
    assertThrows(
        IllegalArgumentException.class, () -> new FarQueue<>(job, 0, 4, 8189, Codec.STRING));
    assertThrows(
        IllegalArgumentException.class, () -> new FarQueue<>(job, 0, -4, 8, Codec.STRING));
    assertThrows(
        IllegalArgumentException.class, () -> new FarQueue<>(job, 99, 4, 8, Codec.STRING));
  }
}
