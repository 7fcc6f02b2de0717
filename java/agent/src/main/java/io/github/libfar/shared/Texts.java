package io.github.libfar.shared;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * StringBuilders and StringBuffers that ranks share. They are the JDK's: each has a SharedText, in
 * which the program's calls of methods find what others have written, and leave what they have. A
 * StringBuffer is in its text's monitor meanwhile. Those that are not shared cost one test.
 */
public final class Texts {
  /** Replaced when an entry is added, under Space's lock. */
  private static volatile Map<Object, SharedText> texts = new IdentityHashMap<>();
  private static volatile boolean none = true;

  static boolean isNone() {
    return none;
  }

  static boolean isText(Object o) {
    return o instanceof StringBuilder || o instanceof StringBuffer;
  }

  /** Of one that is to be shared; under Space's lock. */
  static SharedText of(Object o) {
    SharedText text = texts.get(o);
    if (text == null) {
      text = o instanceof StringBuffer b ? new SharedText.OfBuffer(b) : new SharedText(o);
      add(o, text);
    }
    return text;
  }

  private static void add(Object o, SharedText text) {
    final Map<Object, SharedText> more = new IdentityHashMap<>(texts);
    more.put(o, text);
    texts = more;
    none = false;
  }

  /** What the program knows a shared object as; under Space's lock. */
  static Object objectOf(Shared s) {
    if (!(s instanceof SharedText text)) return s;
    final Object o = text.object();
    if (texts.get(o) == null) add(o, text);
    return o;
  }

  static Mirror mirrorOf(Object o) {
    final SharedText text = texts.get(o);
    return text == null ? null : text.far$mirror();
  }

  /** Before something is read. */
  static void read(Object o) {
    if (none || !isText(o)) return;
    final SharedText text = texts.get(o);
    if (text != null) in(text, o instanceof StringBuffer, () -> { }, false);
  }

  /** Something that changes the text. */
  static void write(Object o, Runnable change) {
    final SharedText text = texts.get(o);
    if (text == null) {
      change.run();
    } else {
      in(text, o instanceof StringBuffer, change, true);
    }
  }

  private static void in(SharedText text, boolean locks, Runnable body, boolean changes) {
    if (!locks) {
      in(text, body, changes);
      return;
    }
    synchronized (text) {
      Monitors.entered(text);
      try {
        in(text, body, changes);
      } finally {
        Monitors.leaving(text);
      }
    }
    Monitors.left(text);
  }

  private static void in(SharedText text, Runnable body, boolean changes) {
    text.load();
    if (!changes) return;
    try {
      body.run();
    } finally {
      text.store();
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
