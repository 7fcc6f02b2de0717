package io.github.libfar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class JobTest {
  private final Job job = Ranks.job();

  @Test
  void hasRanks() {
    assertTrue(job.size() >= 1);
    assertTrue(job.rank() >= 0 && job.rank() < job.size());
    assertTrue(job.nodeOf(job.size() - 1) >= 0);
    assertThrows(IllegalArgumentException.class, () -> job.nodeOf(job.size()));
    assertThrows(IllegalArgumentException.class, Job::join);
  }

  @Test
  void threadsAttach() throws Exception {
    try (FarLongArray sum = new FarLongArray(job, 1)) {
      List<Thread> all = new ArrayList<>();
      AtomicReference<Throwable> failed = new AtomicReference<>();
      for (int i = 0; i < 40; ++i) {
        Thread thread =
            new Thread(
                () -> {
                  assertThrows(IllegalStateException.class, () -> sum.get(0));
                  try (Job.Attachment own = job.attach()) {
                    assertNotNull(own);
                    sum.getAndAdd(0, 1);
                  }
                });
        thread.setUncaughtExceptionHandler((t, failure) -> failed.set(failure));
        thread.start();
        all.add(thread);
      }
      for (Thread thread : all) thread.join();
      if (failed.get() != null) throw new AssertionError(failed.get());
      job.barrier();
      assertEquals(40L * job.size(), sum.get(0));
    }
  }

  @Test
  void contextsAreLimited() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    List<Thread> all = new ArrayList<>();
    CountDownLatch attached = new CountDownLatch(13);
    for (int i = 0; i < 13; ++i) {
      Thread thread =
          new Thread(
              () -> {
                try (Job.Attachment own = job.attach()) {
                  assertNotNull(own);
                  attached.countDown();
                  mayEnd.await();
                } catch (InterruptedException interrupted) {
                  throw new IllegalStateException(interrupted);
                }
              });
      thread.start();
      all.add(thread);
    }
    attached.await();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread late =
        new Thread(
            () -> {
              try (Job.Attachment own = job.attach(Duration.ofMillis(1))) {
                assertNotNull(own);
              } catch (RuntimeException refused) {
                thrown.set(refused);
              }
            });
    late.start();
    late.join();
    assertThrows(IllegalArgumentException.class, job::leave);
    mayEnd.countDown();
    for (Thread thread : all) thread.join();
    assertEquals(FarOutOfMemoryException.class, thrown.get().getClass());
    assertTrue(thrown.get().getMessage().contains("FAR_CONTEXTS"));
  }

  /** HotSpot finds null by a signal, which libfar leaves to it. */
  @Test
  void nullIsStillFound() {
    int[][] arrays = new int[100_000][];
    int found = 0;
    for (int i = 0; i < arrays.length; ++i) {
      if (i % 50_000 == 0) arrays[i] = new int[] {1};
      try {
        found += arrays[i].length;
      } catch (NullPointerException expected) {
        continue;
      }
    }
    assertEquals(2, found);
  }
}
