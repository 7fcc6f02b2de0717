package io.github.libfar.agent;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.Opcodes;

/**
 * New names and descriptors of methods with arrays. {@code f(String[])} and {@code f(Integer[])}
 * would both be {@code f(RefArray)}: so a method with arrays of references gets a name that has
 * their types, the same wherever it is overridden. A constructor cannot; where two would be the
 * same, one of them takes its array as a SharedArray, a SharedObject or an Object.
 */
final class Signatures {
  private static final String[] ABOVE_REF_ARRAY = {
    Names.REF_ARRAY, Names.SHARED_ARRAY, Names.SHARED_OBJECT, Names.OBJECT
  };

  /** The name of a method whose descriptor is mapped. */
  static String name(String name, String desc) {
    if (desc.indexOf('[') < 0 || name.startsWith("<") || name.equals(Names.MAKE)) return name;
    final StringBuilder types = new StringBuilder();
    for (Type t : Type.getArgumentTypes(desc)) append(types, t);
    append(types, Type.getReturnType(desc));
    if (types.isEmpty()) return name;
    return name + "$far" + Integer.toHexString(types.toString().hashCode());
  }

  private static void append(StringBuilder to, Type t) {
    if (!isPlain(t)) to.append(t.getDescriptor());
  }

  /** Whether the type and its new one say the same. */
  private static boolean isPlain(Type t) {
    return !Types.isArray(t) || !Types.isReferences(t) || Types.elementOf(t).equals(Types.OBJECT);
  }

  /** The descriptor of a constructor. */
  static String ofConstructor(ClassInfo declares, String desc) {
    final String mapped = Types.mapMethod(desc);
    int same = 0;
    for (String other : declares.constructors()) {
      if (other.equals(desc)) break;
      if (Types.mapMethod(other).equals(mapped)) same++;
    }
    if (same == 0) return mapped;
    final Type[] arguments = Type.getArgumentTypes(mapped);
    final Type[] before = Type.getArgumentTypes(desc);
    for (int k = 0; k < arguments.length && same > 0; k++) {
      if (!Types.isArray(before[k]) || !Types.isReferences(before[k])) continue;
      arguments[k] = Type.getObjectType(ABOVE_REF_ARRAY[same % ABOVE_REF_ARRAY.length]);
      same /= ABOVE_REF_ARRAY.length;
    }
    return Type.getMethodDescriptor(Type.VOID_TYPE, arguments);
  }

  /** Gives a constructor that takes less than a RefArray what its code expects. */
  static void castArguments(MethodNode constructor, String mapped) {
    final Type[] has = Type.getArgumentTypes(mapped);
    final Type[] wants = Type.getArgumentTypes(Types.mapMethod(constructor.desc));
    final InsnList list = new InsnList();
    int local = 1;
    for (int k = 0; k < has.length; k++) {
      if (!has[k].equals(wants[k])) {
        list.add(new VarInsnNode(Opcodes.ALOAD, local));
        list.add(Code.cast(wants[k].getInternalName()));
        list.add(new VarInsnNode(Opcodes.ASTORE, local));
      }
      local += has[k].getSize();
    }
    constructor.instructions.insert(list);
  }

  /** A method as it is now. */
  record Method(String name, String desc) {}

  static Method of(ClassInfo declares, String name, String desc) {
    if (name.equals("<init>") && declares != null) {
      return new Method(name, ofConstructor(declares, desc));
    }
    return new Method(name(name, desc), Types.mapMethod(desc));
  }

  private Signatures() {}
}
