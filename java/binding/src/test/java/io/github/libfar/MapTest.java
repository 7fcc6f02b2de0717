package io.github.libfar;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MapTest {
  private final Job job = Ranks.job();

  record Point(int x, String name) implements Serializable {}

  @Test
  void ranksSeeEachOthersKeys() {
    try (FarMap<String, Long> map = new FarMap<>(job, Codec.STRING, Codec.LONG)) {
      for (long i = 0; i < 500; ++i) assertTrue(map.put(i + " von " + job.rank(), i));
      assertEquals(500L * job.size(), map.size());
      int next = (job.rank() + 1) % job.size();
      for (long i = 0; i < 500; ++i) assertEquals(i, map.get(i + " von " + next));
      assertNull(map.get("nobody's"));
      assertEquals(7, map.getOrDefault("nobody's", 7L));
      job.barrier();
      assertFalse(map.putIfAbsent("1 von " + next, 99L));
      assertTrue(map.remove("0 von " + next));
      assertFalse(map.remove("0 von " + next));
      assertEquals(499L * job.size(), map.size());
      map.clear();
      assertEquals(0, map.size());
    }
  }

  @Test
  void eachKeyIsAtOneRank() {
    try (FarMap<Integer, Integer> map = new FarMap<>(job, Codec.INT, Codec.INT);
        FarLongArray sum = new FarLongArray(job, 2)) {
      for (int i = job.rank(); i < 2000; i += job.size()) map.put(i, 3 * i);
      job.barrier();
      Map<Integer, Integer> here = new HashMap<>();
      map.forEachLocal(here::put);
      here.forEach((key, value) -> assertEquals(3 * key, value));
      sum.getAndAdd(0, here.size());
      here.keySet().forEach(key -> sum.getAndAdd(1, key));
      job.barrier();
      assertEquals(2000, sum.get(0));
      assertEquals(2000L * 1999 / 2, sum.get(1));
    }
  }

  @Test
  void codecsAreWholeAndEmptyValuesToo() {
    try (FarMap<byte[], Point> points =
            new FarMap<>(job, Codec.BYTES, Codec.serialized(Point.class));
        FarMap<Double, byte[]> bytes = new FarMap<>(job, Codec.DOUBLE, Codec.BYTES)) {
      points.put(new byte[0], new Point(3, "x"));
      assertEquals(new Point(3, "x"), points.get(new byte[0]));
      bytes.put(1.5, new byte[0]);
      assertArrayEquals(new byte[0], bytes.get(1.5));
      bytes.put(2.5, new byte[1_000_000]);
      assertEquals(1_000_000, bytes.get(2.5).length);
      assertThrows(NullPointerException.class, () -> bytes.put(3.5, null));
      assertThrows(NullPointerException.class, () -> bytes.get(null));
    }
  }

  @Test
  void closedMapsSaySo() {
    FarMap<String, String> map = new FarMap<>(job, Codec.STRING, Codec.STRING);
    map.close();
    map.close();
    assertThrows(IllegalStateException.class, () -> map.get("a"));
    for (int ignored : List.of(1, 2, 3)) {
      new FarMap<>(job, Codec.STRING, Codec.STRING).close();
    }
  }
}
