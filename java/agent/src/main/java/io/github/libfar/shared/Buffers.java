package io.github.libfar.shared;

import java.util.stream.IntStream;

/** The methods of StringBuffer that a program calls: see Texts. */
public final class Buffers {
  public static StringBuffer append(StringBuffer b, Object x) {
    Texts.read(x);
    if (Texts.isNone()) return b.append(x);
    Texts.write(b, () -> b.append(x));
    return b;
  }

  public static StringBuffer append(StringBuffer b, String x) {
    if (Texts.isNone()) return b.append(x);
    Texts.write(b, () -> b.append(x));
    return b;
  }

  public static StringBuffer append(StringBuffer b, StringBuffer x) {
    Texts.read(x);
    if (Texts.isNone()) return b.append(x);
    Texts.write(b, () -> b.append(x));
    return b;
  }

  public static StringBuffer append(StringBuffer b, CharSequence x) {
    Texts.read(x);
    if (Texts.isNone()) return b.append(x);
    Texts.write(b, () -> b.append(x));
    return b;
  }

  public static StringBuffer append(StringBuffer b, SharedArray x) {
    if (Texts.isNone()) return b.append(Texts.chars(x));
    Texts.write(b, () -> b.append(Texts.chars(x)));
    return b;
  }

  public static StringBuffer append(StringBuffer b, boolean x) {
    if (Texts.isNone()) return b.append(x);
    Texts.write(b, () -> b.append(x));
    return b;
  }

  public static StringBuffer append(StringBuffer b, char x) {
    if (Texts.isNone()) return b.append(x);
    Texts.write(b, () -> b.append(x));
    return b;
  }

  public static StringBuffer append(StringBuffer b, int x) {
    if (Texts.isNone()) return b.append(x);
    Texts.write(b, () -> b.append(x));
    return b;
  }

  public static StringBuffer append(StringBuffer b, long x) {
    if (Texts.isNone()) return b.append(x);
    Texts.write(b, () -> b.append(x));
    return b;
  }

  public static StringBuffer append(StringBuffer b, float x) {
    if (Texts.isNone()) return b.append(x);
    Texts.write(b, () -> b.append(x));
    return b;
  }

  public static StringBuffer append(StringBuffer b, double x) {
    if (Texts.isNone()) return b.append(x);
    Texts.write(b, () -> b.append(x));
    return b;
  }

  public static StringBuffer append(StringBuffer b, CharSequence x, int from, int to) {
    Texts.read(x);
    if (Texts.isNone()) return b.append(x, from, to);
    Texts.write(b, () -> b.append(x, from, to));
    return b;
  }

  public static StringBuffer append(StringBuffer b, SharedArray x, int from, int n) {
    if (Texts.isNone()) return b.append(Texts.chars(x), from, n);
    Texts.write(b, () -> b.append(Texts.chars(x), from, n));
    return b;
  }

  public static StringBuffer appendCodePoint(StringBuffer b, int point) {
    if (Texts.isNone()) return b.appendCodePoint(point);
    Texts.write(b, () -> b.appendCodePoint(point));
    return b;
  }

  public static StringBuffer insert(StringBuffer b, int at, Object x) {
    Texts.read(x);
    if (Texts.isNone()) return b.insert(at, x);
    Texts.write(b, () -> b.insert(at, x));
    return b;
  }

  public static StringBuffer insert(StringBuffer b, int at, String x) {
    if (Texts.isNone()) return b.insert(at, x);
    Texts.write(b, () -> b.insert(at, x));
    return b;
  }

  public static StringBuffer insert(StringBuffer b, int at, CharSequence x) {
    Texts.read(x);
    if (Texts.isNone()) return b.insert(at, x);
    Texts.write(b, () -> b.insert(at, x));
    return b;
  }

  public static StringBuffer insert(StringBuffer b, int at, SharedArray x) {
    if (Texts.isNone()) return b.insert(at, Texts.chars(x));
    Texts.write(b, () -> b.insert(at, Texts.chars(x)));
    return b;
  }

  public static StringBuffer insert(StringBuffer b, int at, boolean x) {
    if (Texts.isNone()) return b.insert(at, x);
    Texts.write(b, () -> b.insert(at, x));
    return b;
  }

  public static StringBuffer insert(StringBuffer b, int at, char x) {
    if (Texts.isNone()) return b.insert(at, x);
    Texts.write(b, () -> b.insert(at, x));
    return b;
  }

  public static StringBuffer insert(StringBuffer b, int at, int x) {
    if (Texts.isNone()) return b.insert(at, x);
    Texts.write(b, () -> b.insert(at, x));
    return b;
  }

  public static StringBuffer insert(StringBuffer b, int at, long x) {
    if (Texts.isNone()) return b.insert(at, x);
    Texts.write(b, () -> b.insert(at, x));
    return b;
  }

  public static StringBuffer insert(StringBuffer b, int at, float x) {
    if (Texts.isNone()) return b.insert(at, x);
    Texts.write(b, () -> b.insert(at, x));
    return b;
  }

  public static StringBuffer insert(StringBuffer b, int at, double x) {
    if (Texts.isNone()) return b.insert(at, x);
    Texts.write(b, () -> b.insert(at, x));
    return b;
  }

  public static StringBuffer insert(StringBuffer b, int at, CharSequence x, int from, int to) {
    Texts.read(x);
    if (Texts.isNone()) return b.insert(at, x, from, to);
    Texts.write(b, () -> b.insert(at, x, from, to));
    return b;
  }

  public static StringBuffer insert(StringBuffer b, int at, SharedArray x, int from, int n) {
    if (Texts.isNone()) return b.insert(at, Texts.chars(x), from, n);
    Texts.write(b, () -> b.insert(at, Texts.chars(x), from, n));
    return b;
  }

  public static StringBuffer delete(StringBuffer b, int from, int to) {
    if (Texts.isNone()) return b.delete(from, to);
    Texts.write(b, () -> b.delete(from, to));
    return b;
  }

  public static StringBuffer deleteCharAt(StringBuffer b, int at) {
    if (Texts.isNone()) return b.deleteCharAt(at);
    Texts.write(b, () -> b.deleteCharAt(at));
    return b;
  }

  public static StringBuffer replace(StringBuffer b, int from, int to, String x) {
    if (Texts.isNone()) return b.replace(from, to, x);
    Texts.write(b, () -> b.replace(from, to, x));
    return b;
  }

  public static StringBuffer reverse(StringBuffer b) {
    if (Texts.isNone()) return b.reverse();
    Texts.write(b, () -> b.reverse());
    return b;
  }

  public static void setLength(StringBuffer b, int n) {
    if (Texts.isNone()) b.setLength(n); else Texts.write(b, () -> b.setLength(n));
  }

  public static void setCharAt(StringBuffer b, int at, char c) {
    if (Texts.isNone()) b.setCharAt(at, c); else Texts.write(b, () -> b.setCharAt(at, c));
  }

  public static String toString(StringBuffer b) {
    Texts.read(b);
    return b.toString();
  }

  public static int length(StringBuffer b) {
    Texts.read(b);
    return b.length();
  }

  public static char charAt(StringBuffer b, int at) {
    Texts.read(b);
    return b.charAt(at);
  }

  public static String substring(StringBuffer b, int from) {
    Texts.read(b);
    return b.substring(from);
  }

  public static String substring(StringBuffer b, int from, int to) {
    Texts.read(b);
    return b.substring(from, to);
  }

  public static CharSequence subSequence(StringBuffer b, int from, int to) {
    Texts.read(b);
    return b.subSequence(from, to);
  }

  public static int indexOf(StringBuffer b, String x) {
    Texts.read(b);
    return b.indexOf(x);
  }

  public static int indexOf(StringBuffer b, String x, int from) {
    Texts.read(b);
    return b.indexOf(x, from);
  }

  public static int lastIndexOf(StringBuffer b, String x) {
    Texts.read(b);
    return b.lastIndexOf(x);
  }

  public static int lastIndexOf(StringBuffer b, String x, int from) {
    Texts.read(b);
    return b.lastIndexOf(x, from);
  }

  public static IntStream chars(StringBuffer b) {
    Texts.read(b);
    return b.chars();
  }

  public static IntStream codePoints(StringBuffer b) {
    Texts.read(b);
    return b.codePoints();
  }

  public static int codePointAt(StringBuffer b, int at) {
    Texts.read(b);
    return b.codePointAt(at);
  }

  public static void getChars(StringBuffer b, int from, int to, SharedArray x, int at) {
    Texts.read(b);
    b.getChars(from, to, Texts.chars(x), at);
  }

  private Buffers() {}
}
