package io.github.libfar.shared;

import java.io.IOException;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Objects that the JDK serializes: it reads their fields without a test. So whatever can be reached
 * from an object is tested before.
 */
public final class Serialized {
  /** What the outermost call writes, an inner one finds tested. */
  private static final ThreadLocal<Boolean> IS_WRITING = ThreadLocal.withInitial(() -> false);

  public static void writeObject(ObjectOutputStream out, Object o) throws IOException {
    writeObject((ObjectOutput) out, o);
  }

  public static void writeObject(ObjectOutput out, Object o) throws IOException {
    if (!Job.ACTIVE || IS_WRITING.get()) {
      out.writeObject(o);
      return;
    }
    IS_WRITING.set(true);
    try {
      read(o);
      out.writeObject(o);
    } finally {
      IS_WRITING.set(false);
    }
  }

  public static void writeUnshared(ObjectOutputStream out, Object o) throws IOException {
    if (Job.ACTIVE && !IS_WRITING.get()) read(o);
    out.writeUnshared(o);
  }

  private static void read(Object root) {
    final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    final ArrayDeque<Shared> left = new ArrayDeque<>();
    if (root instanceof Shared s) left.add(s);
    while (!left.isEmpty()) {
      final Shared s = left.remove();
      if (!seen.add(s)) continue;
      Slow.readAny(s);
      final Iterable<?> references;
      synchronized (Space.lock()) {
        final Kind kind = Records.of(s);
        if (s.far$mirror() != null) kind.copyVolatiles(s, s.far$mirror());
        references = kind.references(s);
      }
      for (Object to : references) {
        if (to instanceof Shared t) left.add(t);
      }
    }
  }

  private Serialized() {}
}
