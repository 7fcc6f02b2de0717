package io.github.libfar.agent;


import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;

/** Between an array, as the JDK wants it, and the object around it. */
final class Conversions {
  /** Puts the array on the stack into an object. Null stays null. */
  InsnList wrap(Type type) {
    if (isDeep(type)) {
      return Code.list(Code.call(Names.WRAP, "wrapDeep", "([Ljava/lang/Object;)L"
          + Names.SHARED_ARRAY + ";"), Code.cast(Names.REF_ARRAY));
    }
    final Type wrapper = Types.wrapper(type);
    return Code.list(Code.call(wrapper.getInternalName(), "wrap",
        "(" + Types.rawField(type).getDescriptor() + ")" + wrapper.getDescriptor()));
  }

  /** Takes the array out of the object on the stack, for code that may read and write it. */
  InsnList unwrap(Type type) {
    if (isDeep(type)) {
      return Code.list(new LdcInsnNode(type), Code.call(Names.WRAP, "unwrapDeep",
          "(L" + Names.SHARED_ARRAY + ";Ljava/lang/Class;)[Ljava/lang/Object;"), Code.cast(
          type.getDescriptor()));
    }
    final Type wrapper = Types.wrapper(type);
    final Type raw = Types.rawField(type);
    return Code.list(
        Code.call(wrapper.getInternalName(), "raw",
            "(" + wrapper.getDescriptor() + ")" + raw.getDescriptor()),
        raw.equals(type) ? null : Code.cast(type.getDescriptor()));
  }

  private static boolean isDeep(Type type) {
    return Types.isArray(Types.elementOf(type));
  }

  /**
   * Converts the arguments of a call that are on the stack. Those above the first array wait in
   * locals from {@code temp} on.
   */
  InsnList unwrapArguments(Type[] arguments, int temp) {
    final InsnList list = new InsnList();
    int first = 0;
    while (first < arguments.length && !Types.isArray(arguments[first])) first++;
    if (first == arguments.length) return list;
    final int[] local = new int[arguments.length];
    int next = temp;
    for (int k = arguments.length - 1; k > first; k--) {
      local[k] = next;
      next += arguments[k].getSize();
      list.add(Code.store(Types.map(arguments[k]), local[k]));
    }
    list.add(unwrap(arguments[first]));
    for (int k = first + 1; k < arguments.length; k++) {
      list.add(Code.load(Types.map(arguments[k]), local[k]));
      if (Types.isArray(arguments[k])) list.add(unwrap(arguments[k]));
    }
    return list;
  }
}
