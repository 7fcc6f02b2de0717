package io.github.libfar.shared;

/** What ranks share of a StringBuilder of the JDK. */
class SharedText extends SharedObject {
  /** The characters; the array is longer than the text, so that this can grow. */
  private SharedArray array;
  private int length;
  /** The object of the JDK on this rank. */
  private transient Object far$object;

  SharedText(Object object) {
    far$object = object;
    array = SharedArray.wrapAny(new char[16]);
    store();
  }

  /** Of a StringBuffer. */
  static final class OfBuffer extends SharedText {
    OfBuffer(StringBuffer object) {
      super(object);
    }
  }

  /** The object of the JDK. A new one is not up to date. */
  Object object() {
    if (far$object == null) {
      far$object = this instanceof OfBuffer ? new StringBuffer() : new StringBuilder();
    }
    return far$object;
  }

  private static int length(Object o) {
    return ((CharSequence) o).length();
  }

  private static void get(Object o, int n, char[] to) {
    if (o instanceof StringBuffer b) b.getChars(0, n, to, 0);
    if (o instanceof StringBuilder b) b.getChars(0, n, to, 0);
  }

  /** Gives the JDK's object the text. */
  void load() {
    far$read(this);
    far$read(array);
    final char[] chars = (char[]) array.raw();
    if (isSame(chars)) return;
    if (far$object instanceof StringBuffer b) {
      b.setLength(0);
      b.append(chars, 0, length);
    } else if (far$object instanceof StringBuilder b) {
      b.setLength(0);
      b.append(chars, 0, length);
    }
  }

  private boolean isSame(char[] chars) {
    if (length(far$object) != length) return false;
    final char[] mine = new char[length];
    get(far$object, length, mine);
    return java.util.Arrays.equals(mine, 0, length, chars, 0, length);
  }

  /** Takes the text from the JDK's object. */
  void store() {
    final int n = length(far$object);
    far$write(this);
    length = n;
    if (n > ((char[]) array.raw()).length) array = SharedArray.wrapAny(new char[2 * n]);
    far$write(array);
    get(far$object, n, (char[]) array.raw());
  }
}
