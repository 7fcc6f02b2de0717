package io.github.libfar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.DoubleBuffer;
import org.junit.jupiter.api.Test;

class ArrayTest {
  private final Job job = Ranks.job();

  @Test
  void rangesCrossRanks() {
    int n = 1001;
    try (FarDoubleArray array = new FarDoubleArray(job, n)) {
      assertEquals(n, array.length());
      for (long i = array.localBegin(); i < array.localEnd(); ++i) {
        assertEquals(job.rank(), array.ownerOf(i));
        array.set(i, i * 0.5);
      }
      job.barrier();
      double[] all = new double[n + 2];
      array.get(0, all, 1, n);
      for (int i = 0; i < n; ++i) assertEquals(i * 0.5, all[i + 1]);
      assertEquals(500.0, array.get(n - 1));
      job.barrier();
      if (job.rank() == job.size() - 1) {
        for (int i = 0; i < n; ++i) all[i] = -i;
        array.set(0, all, 0, n);
      }
      job.barrier();
      DoubleBuffer own = array.local();
      assertEquals(array.localEnd() - array.localBegin(), own.remaining());
      for (int i = 0; i < own.remaining(); ++i) {
        assertEquals(-(array.localBegin() + i), own.get(i));
      }
      assertThrows(IndexOutOfBoundsException.class, () -> array.get(n));
      assertThrows(IndexOutOfBoundsException.class, () -> array.set(-1, 0));
      assertThrows(IndexOutOfBoundsException.class, () -> array.get(1, new double[n], 0, n));
      assertThrows(IndexOutOfBoundsException.class, () -> array.get(0, new double[5], 3, 3));
    }
  }

  @Test
  void atomicsCount() {
    try (FarIntArray ints = new FarIntArray(job, 3);
        FarLongArray longs = new FarLongArray(job, 3)) {
      for (int i = 0; i < 300; ++i) {
        ints.getAndAdd(i % 3, -1);
        longs.getAndAdd(i % 3, 1L << 33);
      }
      job.barrier();
      for (int i = 0; i < 3; ++i) {
        assertEquals(-100 * job.size(), ints.get(i));
        assertEquals(100L * job.size() << 33, longs.get(i));
      }
      job.barrier();
      if (job.rank() == 0) {
        assertTrue(ints.compareAndSet(2, -100 * job.size(), -7));
        assertFalse(ints.compareAndSet(2, 7, 8));
        assertEquals(-7, ints.getAndSet(2, 9));
        assertTrue(longs.compareAndSet(0, 100L * job.size() << 33, -1));
        assertEquals(-1, longs.getAndSet(0, 5));
        int[] seen = new int[1];
        ints.get(2, seen, 0, 1);
        assertEquals(9, seen[0]);
      }
      job.barrier();
      assertEquals(5, longs.get(0));
    }
  }

  @Test
  void mayBeEmptyOrShorterThanTheJob() {
    try (FarLongArray none = new FarLongArray(job, 0);
        FarLongArray one = new FarLongArray(job, 1)) {
      assertEquals(0, none.local().remaining());
      assertThrows(IndexOutOfBoundsException.class, () -> none.get(0));
      none.get(0, new long[0], 0, 0);
      assertEquals(job.rank() == 0 ? 1 : 0, one.local().remaining());
      assertEquals(0, one.get(0));
    }
    assertThrows(IllegalArgumentException.class, () -> new FarLongArray(job, -1));
    assertThrows(ArithmeticException.class, () -> new FarLongArray(job, Long.MAX_VALUE / 2));
  }

  @Test
  void memoryIsUsedAgain() {
    for (int i = 0; i < 50; ++i) {
      try (FarDoubleArray large = new FarDoubleArray(job, 1_000_000)) {
        assertEquals(0.0, large.get(999_999));
        job.barrier();
        large.set(999_999, 1);
        job.barrier();
      }
    }
  }
}
