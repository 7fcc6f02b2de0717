package io.github.libfar.shared;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of a thread's own variables: they stay on its rank. They keep their keys, so a key has
 * one Java object on the rank as long as the thread lives.
 */
public final class ThreadValues {
  private static final ThreadLocal<Map<Object, Object>> MINE = new InheritableThreadLocal<>() {
    @Override
    protected Map<Object, Object> initialValue() {
      return new IdentityHashMap<>();
    }

    /** In one JVM. Over ranks, whoever runs the thread is told: see inherit. */
    @Override
    protected Map<Object, Object> childValue(Map<Object, Object> parent) {
      final Map<Object, Object> mine = new IdentityHashMap<>();
      if (Job.ACTIVE) return mine;
      parent.forEach((key, value) -> {
        if (key instanceof Inheritable i) mine.put(key, i.valueOfChild(value));
      });
      return mine;
    }
  };

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

  /** Keys and values for a thread that this one makes, in turn; null: none. */
  static SharedArray inherited() {
    if (!Job.ACTIVE) return null;
    final List<Object> all = new ArrayList<>();
    MINE.get().forEach((key, value) -> {
      if (key instanceof Inheritable i) all.addAll(Arrays.asList(key, i.valueOfChild(value)));
    });
    return all.isEmpty() ? null : SharedArray.wrapAny(all.toArray());
  }

  /** The new thread takes them. */
  static void inherit(SharedArray all) {
    if (all == null) return;
    final Object[] keysAndValues = (Object[]) SharedArray.rawOf(all);
    for (int k = 0; k < keysAndValues.length; k += 2) {
      MINE.get().put(keysAndValues[k], keysAndValues[k + 1]);
    }
  }

  private ThreadValues() {}
}
