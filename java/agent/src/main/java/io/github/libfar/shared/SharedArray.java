package io.github.libfar.shared;

import java.io.Serializable;
import java.lang.reflect.Array;

/** An array, in an object with hidden state. The agent makes a class for each type of element. */
public abstract class SharedArray extends SharedObject implements Cloneable, Serializable {
  /** The array inside. */
  protected abstract Object raw();

  /** A new object of the same class around another array. */
  protected abstract SharedArray around(Object raw);

  /** The object around an array; what is none yet gets one. Null stays null. */
  public static SharedArray wrapAny(Object array) {
    if (array == null || array instanceof SharedArray) return (SharedArray) array;
    return ArrayKind.of(array.getClass()).wrap(array);
  }

  /** The wrapped array, for code without tests. It counts as written. Null for null. */
  public static Object rawOf(SharedArray w) {
    if (w == null) return null;
    far$write(w);
    return w.raw();
  }

  /** For casts to an array of references: {@code to} is the class of the array inside. */
  public static SharedArray castTo(Object o, Class<?> to) {
    if (o == null) return null;
    final Object raw = o instanceof SharedArray w ? w.raw() : o;
    if (!to.isInstance(raw)) {
      throw new ClassCastException("class " + Wrap.classOf(o).getName()
          + " cannot be cast to class " + to.getName());
    }
    return wrapAny(o);
  }

  final int length() {
    return Array.getLength(raw());
  }

  @Override
  public String toString() {
    return Wrap.classOf(this).getName() + "@" + Integer.toHexString(hashCode());
  }
}
