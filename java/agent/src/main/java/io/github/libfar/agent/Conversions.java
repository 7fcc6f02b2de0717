package io.github.libfar.agent;

import java.util.function.Function;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
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

  /** The object around an array that a method has returned: its argument's, if it is the same. */
  private InsnList wrapAs(Type type, int argument) {
    return Code.list(Code.load(Types.wrapper(type), argument), Code.call(Names.WRAP, "wrapAs",
        "(Ljava/lang/Object;L" + Names.SHARED_ARRAY + ";)L" + Names.SHARED_ARRAY + ";"),
        Code.cast(Types.wrapper(type).getInternalName()));
  }

  private static int firstArray(Type[] arguments) {
    int first = 0;
    while (first < arguments.length && !Types.isArray(arguments[first])) first++;
    return first;
  }

  /** Converts the result of a call whose arguments unwrapArguments has converted. */
  InsnList wrapResult(Type result, Type[] arguments, int temp) {
    final boolean mayBeArgument = firstArray(arguments) < arguments.length && !isDeep(result);
    return mayBeArgument ? wrapAs(result, temp) : wrap(result);
  }

  /** Refuses objects of twins among the arguments of a call: the JDK takes only its own. */
  InsnList refuseTwins(Type[] arguments, String method, int temp) {
    return refuse(arguments, Conversions::isTwin, "refuse",
        type -> method + " with a " + type.getClassName(), temp);
  }

  /** Refuses shared objects, which a native method would access without a test. */
  InsnList refuseShared(Type[] arguments, String method, int temp) {
    return refuse(arguments, type -> type.getSort() == Type.OBJECT, "refuseShared", type -> method,
        temp);
  }

  /**
   * Has a method of Foreign look at arguments that are on the stack. Locals from {@code temp} on
   * keep those above the first one meanwhile.
   */
  private static InsnList refuse(Type[] arguments, Predicate<Type> which, String by,
      Function<Type, String> text, int temp) {
    final InsnList list = new InsnList();
    int first = 0;
    while (first < arguments.length && !which.test(arguments[first])) first++;
    final int[] local = new int[arguments.length];
    int next = temp;
    for (int k = arguments.length - 1; k > first; k--) {
      local[k] = next;
      next += arguments[k].getSize();
      list.add(Code.store(Types.map(arguments[k]), local[k]));
    }
    for (int k = first; k < arguments.length; k++) {
      if (k > first) list.add(Code.load(Types.map(arguments[k]), local[k]));
      if (!which.test(arguments[k])) continue;
      list.add(new LdcInsnNode(text.apply(arguments[k])));
      list.add(Code.call(Names.FOREIGN, by,
          "(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;"));
      list.add(Code.cast(arguments[k].getInternalName()));
    }
    return list;
  }

  private static boolean isTwin(Type type) {
    return type.getSort() == Type.OBJECT && Twins.has(type.getInternalName());
  }

  /**
   * Converts the arguments of a call that are on the stack. Locals from {@code temp} on keep the
   * first array, and those above it meanwhile.
   */
  InsnList unwrapArguments(Type[] arguments, int temp) {
    final InsnList list = new InsnList();
    final int first = firstArray(arguments);
    if (first == arguments.length) return list;
    final int[] local = new int[arguments.length];
    int next = temp + 1;
    for (int k = arguments.length - 1; k > first; k--) {
      local[k] = next;
      next += arguments[k].getSize();
      list.add(Code.store(Types.map(arguments[k]), local[k]));
    }
    list.add(Code.op(Opcodes.DUP));
    list.add(Code.store(Types.map(arguments[first]), temp));
    list.add(unwrap(arguments[first]));
    for (int k = first + 1; k < arguments.length; k++) {
      list.add(Code.load(Types.map(arguments[k]), local[k]));
      if (Types.isArray(arguments[k])) list.add(unwrap(arguments[k]));
    }
    return list;
  }
}
