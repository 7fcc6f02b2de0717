package io.github.libfar.shared;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The values of a thread's own variables: they stay on its rank. They keep their keys, so a key has
 * one Java object on the rank as long as the thread lives.
 */
public final class ThreadValues {
  private static final ThreadLocal<Map<Object, Object>> MINE =
      ThreadLocal.withInitial(IdentityHashMap::new);

  public static boolean contains(Object key) {
    return MINE.get().containsKey(key);
  }

  public static Object get(Object key) {
    return MINE.get().get(key);
  }

  public static void set(Object key, Object value) {
    MINE.get().put(key, value);
  }

  public static void remove(Object key) {
    MINE.get().remove(key);
  }

  private ThreadValues() {}
}
