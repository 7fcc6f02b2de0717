package io.github.libfar.agent;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.objectweb.asm.Type;

/**
 * A value on the stack or in a local: its type, and the instructions that may have made it. Two
 * values that the same instructions have made are the same object, until one of these runs again.
 *
 * @param sources instructions, and numbers of parameters; empty: it is not known
 * @param type of a reference; null: unknown or not initialized
 * @param viaVolatile it has been reached through a volatile field
 */
record Value(int size, Type type, Set<Object> sources, boolean viaVolatile)
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
    return new Value(size, other, sources, viaVolatile);
  }

  static Value merge(Value a, Value b, Hierarchy hierarchy) {
    if (a.equals(b)) return a;
    if (a.size != b.size) return new Value(1, null, Set.of(), false);
    final Type type = merge(a.type, b.type, hierarchy);
    final Set<Object> sources;
    if (a.sources.isEmpty() || b.sources.isEmpty()) {
      sources = Set.of();
    } else if (a.sources.containsAll(b.sources)) {
      sources = a.sources;
    } else {
      sources = new HashSet<>(a.sources);
      sources.addAll(b.sources);
    }
    return new Value(a.size, type, sources, a.viaVolatile || b.viaVolatile);
  }

  static Type merge(Type a, Type b, Hierarchy hierarchy) {
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
