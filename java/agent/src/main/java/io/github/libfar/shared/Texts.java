package io.github.libfar.shared;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * StringBuilders and StringBuffers that ranks share. They are the JDK's: each has a SharedText, in
 * which the program's calls of methods find what others have written, and leave what they have. A
 * thread is in the monitor of a StringBuffer meanwhile. A call of one that is not shared costs one test
 * more than in the JDK.
 *
 * <p>A SharedText lives as long as its object of the JDK, which it does not keep.
 */
public final class Texts {
  /** An object of the JDK; equal keys are of the same one. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object o) {
      super(o, COLLECTED);
      hash = System.identityHashCode(o);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }

  /** Finds the key of an object. */
  private record Finder(Object o) {
    @Override
    public int hashCode() {
      return System.identityHashCode(o);
    }

    @Override
    public boolean equals(Object key) {
      return key instanceof Key k && k.refersTo(o);
    }
  }

  private static final ReferenceQueue<Object> COLLECTED = new ReferenceQueue<>();
  /** Changed under Space's lock only. */
  private static final Map<Object, SharedText> TEXTS = new ConcurrentHashMap<>();
  private static volatile boolean none = true;

  static boolean isNone() {
    return none;
  }

  static boolean isText(Object o) {
    return o instanceof StringBuilder || o instanceof StringBuffer;
  }

  private static SharedText find(Object o) {
    return none ? null : TEXTS.get(new Finder(o));
  }

  /** Of one that is to be shared; under Space's lock. */
  static SharedText of(Object o) {
    SharedText text = find(o);
    if (text == null) {
      text = o instanceof StringBuffer b ? new SharedText.OfBuffer(b) : new SharedText(o);
      add(o, text);
    }
    return text;
  }

  private static void add(Object o, SharedText text) {
    forgetCollected();
    TEXTS.put(new Key(o), text);
    none = false;
  }

  /** Gives up the texts of objects that are gone; under Space's lock. Whether there were any. */
  static boolean forgetCollected() {
    boolean any = false;
    for (Reference<?> r = COLLECTED.poll(); r != null; r = COLLECTED.poll()) {
      TEXTS.remove(r);
      any = true;
    }
    if (any && TEXTS.isEmpty()) none = true;
    return any;
  }

  /** What the program knows a shared object as; under Space's lock. */
  static Object objectOf(Shared s) {
    if (!(s instanceof SharedText text)) return s;
    final Object o = text.object();
    if (find(o) == null) add(o, text);
    return o;
  }

  static Mirror mirrorOf(Object o) {
    final SharedText text = find(o);
    return text == null ? null : text.far$mirror();
  }

  /** Before something is read. */
  static void read(Object o) {
    if (none || !isText(o)) return;
    final SharedText text = find(o);
    if (text != null) in(o, text, null);
  }

  /** Something that changes the text. */
  static void write(Object o, Runnable change) {
    final SharedText text = find(o);
    if (text == null) {
      change.run();
    } else {
      in(o, text, change);
    }
  }

  private static void in(Object o, SharedText text, Runnable change) {
    if (o instanceof StringBuilder) {
      bring(o, text, change);
      return;
    }
    synchronized (o) {
      Monitors.entered(o);
      try {
        bring(o, text, change);
      } finally {
        Monitors.leaving(o);
      }
    }
    Monitors.left(o);
  }

  private static void bring(Object o, SharedText text, Runnable change) {
    text.load(o);
    if (change == null) return;
    try {
      change.run();
    } finally {
      text.store(o);
    }
  }

  static char[] chars(SharedArray a) {
    return (char[]) SharedArray.rawOf(a);
  }

  /** The same object, for who reads it without one of its methods. */
  public static Object fresh(Object o) {
    read(o);
    return o;
  }

  private Texts() {}
}
