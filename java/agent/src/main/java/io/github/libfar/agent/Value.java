package io.github.libfar.agent;

import java.util.Objects;
import org.objectweb.asm.Type;

/**
 * A value on the stack or in a local: its type, and what has made it. Two values of the same source
 * are the same object, until the source makes another one.
 *
 * @param source an instruction, the number of a parameter, or a Graph.Merge; null: it is not known
 * @param type of a reference; null: unknown or not initialized
 * @param viaVolatile it has been reached through a volatile field
 */
record Value(int size, Type type, Object source, boolean viaVolatile)
    implements org.objectweb.asm.tree.analysis.Value {
  static final Type NULL = Type.getObjectType("null");

  @Override
  public int getSize() {
    return size;
  }

  boolean isArray() {
    return Types.isArray(type);
  }

  Value withType(Type other) {
    return new Value(size, other, source, viaVolatile);
  }

  /** Where two ways meet; {@code source}: of a value that was made in two places. */
  static Value merge(Value a, Value b, Object source, Hierarchy hierarchy) {
    if (a.equals(b)) return a;
    if (a.size != b.size) return new Value(1, null, null, false);
    final Object made = Objects.equals(a.source, b.source) ? a.source
        : a.source == null || b.source == null ? null : source;
    return new Value(a.size, merge(a.type, b.type, hierarchy), made,
        a.viaVolatile || b.viaVolatile);
  }

  private static Type merge(Type a, Type b, Hierarchy hierarchy) {
    if (Objects.equals(a, b)) return a;
    if (a == null || b == null) return null;
    if (a.equals(NULL)) return b;
    if (b.equals(NULL)) return a;
    if (Types.isArray(a) && Types.isArray(b)) {
      final Type x = Types.elementOf(a);
      final Type y = Types.elementOf(b);
      if (Types.isPrimitive(x) || Types.isPrimitive(y)) return Types.OBJECT;
      return Type.getType("[" + merge(x, y, hierarchy).getDescriptor());
    }
    if (a.getSort() != Type.OBJECT || b.getSort() != Type.OBJECT) return Types.OBJECT;
    return Type.getObjectType(hierarchy.commonSuper(a.getInternalName(), b.getInternalName()));
  }
}
