package io.github.libfar.shared;

import java.lang.ref.WeakReference;

/** What ranks share of a StringBuilder of the JDK: see Texts. */
class SharedText extends SharedObject {
  /** The characters; the array is longer than the text, so that this can grow. */
  private SharedArray array;
  private int length;
  /** The object of the JDK on this rank; null: none has been made. */
  private transient WeakReference<Object> far$object;

  SharedText(Object object) {
    far$object = new WeakReference<>(object);
    array = SharedArray.wrapAny(new char[16]);
    store(object);
  }

  /** Of a StringBuffer. */
  static final class OfBuffer extends SharedText {
    OfBuffer(StringBuffer object) {
      super(object);
    }
  }

  /** The object of the JDK. A new one is not up to date. */
  Object object() {
    final Object known = far$object == null ? null : far$object.get();
    if (known != null) return known;
    final Object made = this instanceof OfBuffer ? new StringBuffer() : new StringBuilder();
    far$object = new WeakReference<>(made);
    return made;
  }

  private static int length(Object o) {
    return ((CharSequence) o).length();
  }

  private static void get(Object o, int n, char[] to) {
    if (o instanceof StringBuffer b) b.getChars(0, n, to, 0);
    if (o instanceof StringBuilder b) b.getChars(0, n, to, 0);
  }

  /** Gives the JDK's object the text. */
  void load(Object o) {
    far$read(this);
    far$read(array);
    final char[] chars = (char[]) array.raw();
    if (isSame(o, chars)) return;
    if (o instanceof StringBuffer b) {
      b.setLength(0);
      b.append(chars, 0, length);
    } else if (o instanceof StringBuilder b) {
      b.setLength(0);
      b.append(chars, 0, length);
    }
  }

  private boolean isSame(Object o, char[] chars) {
    if (length(o) != length) return false;
    final char[] mine = new char[length];
    get(o, length, mine);
    return java.util.Arrays.equals(mine, 0, length, chars, 0, length);
  }

  /** Takes the text from the JDK's object. */
  void store(Object o) {
    final int n = length(o);
    far$write(this);
    length = n;
    if (n > ((char[]) array.raw()).length) array = SharedArray.wrapAny(new char[2 * n]);
    far$write(array);
    get(o, n, (char[]) array.raw());
  }
}
