package io.github.libfar.shared;

import java.lang.reflect.Array;

/** The nine kinds of arrays: of each primitive type, and of references. */
enum ArrayKind {
  BOOLEAN(boolean.class, 1),
  BYTE(byte.class, 1),
  CHAR(char.class, 2),
  SHORT(short.class, 2),
  INT(int.class, 4),
  LONG(long.class, 8),
  FLOAT(float.class, 4),
  DOUBLE(double.class, 8),
  REF(Object.class, 8);

  /** Of the elements; of references: Object. */
  final Class<?> element;
  /** Of an element, in bytes, where ranks share it. */
  final int width;
  /** The class of the objects around such arrays. */
  final Class<?> wrapper;

  private final SharedArray prototype;

  ArrayKind(Class<?> element, int width) {
    this.element = element;
    this.width = width;
    final String name = name().charAt(0) + name().substring(1).toLowerCase() + "Array";
    try {
      final Object none = Array.newInstance(element, 0);
      wrapper = Class.forName("io.github.libfar.shared." + name);
      prototype = (SharedArray) wrapper.getConstructor(none.getClass()).newInstance(none);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the agent has not defined " + name, e);
    }
  }

  private static final ClassValue<ArrayKind> OF = new ClassValue<>() {
    @Override
    protected ArrayKind computeValue(Class<?> array) {
      for (ArrayKind k : values()) {
        if (k.element == array.getComponentType()) return k;
      }
      if (array.isArray()) return REF;
      for (ArrayKind k : values()) {
        if (k.wrapper == array) return k;
      }
      throw new ClassCastException(array.getName() + " is not an array");
    }
  };

  /** Of an array's class, or of that of the object around one. */
  static ArrayKind of(Class<?> array) {
    return OF.get(array);
  }

  SharedArray wrap(Object raw) {
    return prototype.around(raw);
  }
}
