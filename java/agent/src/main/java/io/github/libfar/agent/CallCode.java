package io.github.libfar.agent;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/** Calls: of the program's methods by their new descriptors, of the JDK's with plain arrays. */
final class CallCode {
  private static final String FIELD = "java/lang/reflect/Field";
  private static final String TEST = "(L" + FIELD + ";Ljava/lang/Object;)V";

  private final Code code;
  private final Conversions conversions;

  CallCode(Code code, Conversions conversions) {
    this.code = code;
    this.conversions = conversions;
  }

  /**
   * Whether a method has another descriptor now. Native ones have not, and those by which the JDK
   * finds an enum's constants. An interface's method that is the JDK's, too, is called as that.
   */
  static boolean isMapped(Hierarchy hierarchy, ClassInfo declares, String name, String desc) {
    return keepsNewDesc(declares, name, desc)
        && !(declares.isInterface() && hierarchy.overridesForeign(declares, name, desc));
  }

  /** The same, of the declaration. */
  static boolean keepsNewDesc(ClassInfo declares, String name, String desc) {
    if (!declares.isRewritten()) return false;
    return !declares.isNative(name, desc) && !isEnumConstants(declares, name, desc);
  }

  static boolean isEnumConstants(ClassInfo declares, String name, String desc) {
    return declares.isEnum() && (name.equals("values") || name.equals("$values"))
        && desc.startsWith("()[");
  }

  void rewrite(MethodInsnNode i, Frame<Value> frame) {
    if (clonesArray(i, frame)) {
      code.replace(i, Code.call(Names.WRAP, "clone", "(Ljava/lang/Object;)Ljava/lang/Object;"));
      return;
    }
    if (i.owner.startsWith("[")) i.owner = Names.OBJECT;
    ClassInfo declares = code.hierarchy.method(i.owner, i.name, i.desc);
    if (redirect(i, declares)) declares = code.hierarchy.method(i.owner, i.name, i.desc);
    if (i.getOpcode() == Opcodes.INVOKESPECIAL) {
      final boolean foreign = declares == null || !declares.isRewritten();
      if (foreign && i.name.equals("clone") && i.desc.equals("()Ljava/lang/Object;")) cloned(i);
      if (foreign && i.name.equals(HiddenState.MESSAGE)) {
        code.before(i, Code.op(Opcodes.DUP),
            Code.call(Names.SLOW, "readAny", "(Ljava/lang/Object;)V"));
      }
      final String substitute = Types.substitute(i.owner);
      final boolean isAbove = i.owner.equals(code.owner.superName);
      if ((i.name.equals("<init>") || isAbove) && !substitute.equals(code.owner.name)) {
        i.owner = substitute;
      }
    } else if (substitute(i, ownerOf(i, declares), frame)) {
      return;
    }
    if (i.owner.equals(FIELD)) accessField(i);
    if (i.owner.equals("java/lang/reflect/Array")) accessArray(i);
    if (declares != null && declares.isRewritten() && declares.isNative(i.name, i.desc)) {
      refuseShared(i);
    }
    if (declares != null && !declares.isRewritten()) {
      adopt(i);
      if (mayReadText(i, frame)) {
        code.before(i, Code.op(Opcodes.DUP), Code.call(Names.TEXTS, "fresh",
            "(Ljava/lang/Object;)Ljava/lang/Object;"), Code.op(Opcodes.POP));
      }
      code.method.instructions.insertBefore(i, conversions.refuseTwins(
          Type.getArgumentTypes(i.desc), (i.owner + "." + i.name).replace('/', '.'),
          code.firstTemp));
    }
    if (i.desc.indexOf('[') < 0) return;
    final boolean mapped = declares == null ? Scope.contains(i.owner)
        : isMapped(code.hierarchy, declares, i.name, i.desc);
    if (mapped) {
      final Signatures.Method now = Signatures.of(declares, i.name, i.desc);
      i.name = now.name();
      i.desc = now.desc();
    } else {
      callForeign(i);
    }
  }

  /** Compilers of before Java 5 call the method by Object's name. */
  private static boolean clonesArray(MethodInsnNode i, Frame<Value> frame) {
    if (!i.name.equals("clone") || !i.desc.equals("()Ljava/lang/Object;")) return false;
    if (i.owner.startsWith("[")) return true;
    return i.getOpcode() == Opcodes.INVOKEVIRTUAL && i.owner.equals(Names.OBJECT)
        && Types.isArray(frame.getStack(frame.getStackSize() - 1).type());
  }

  /** Calls a static method of a class that is rewritten, too, instead of the JDK's method. */
  private static boolean redirect(MethodInsnNode i, ClassInfo declares) {
    if (declares == null || declares.isRewritten()) return false;
    final boolean isStatic = i.getOpcode() == Opcodes.INVOKESTATIC;
    final String by = isStatic && InterfaceMethods.INTERFACES.contains(declares.name)
        ? InterfaceMethods.nameOf(declares.name)
        : Substitutions.classOf(declares.name, i.name, i.desc);
    if (by == null || !Scope.contains(by)) return false;
    i.setOpcode(Opcodes.INVOKESTATIC);
    i.owner = by;
    i.itf = false;
    i.desc = Twins.renameDesc(isStatic ? i.desc
        : "(L" + declares.name + ";" + i.desc.substring(1));
    return true;
  }

  private void refuseShared(MethodInsnNode i) {
    final List<Type> passed = new ArrayList<>(List.of(Type.getArgumentTypes(i.desc)));
    if (i.getOpcode() != Opcodes.INVOKESTATIC) passed.add(0, Type.getObjectType(i.owner));
    code.method.instructions.insertBefore(i, conversions.refuseShared(
        passed.toArray(new Type[0]), (i.owner + "." + i.name).replace('/', '.'), code.firstTemp));
  }

  /** field.get(object), field.setInt(object, value): the tests are before the call. */
  private void accessField(MethodInsnNode i) {
    final Type[] arguments = Type.getArgumentTypes(i.desc);
    if (arguments.length == 0 || !arguments[0].equals(Types.OBJECT)) return;
    if (arguments.length == 1 && i.name.startsWith("get")) {
      code.before(i, Code.op(Opcodes.DUP2), Code.call(Names.REFLECTED, "beforeRead", TEST));
    } else if (arguments.length == 2 && i.name.startsWith("set")) {
      final Type value = arguments[1];
      code.before(i, Code.store(value, code.firstTemp),
          Code.op(Opcodes.DUP2), Code.call(Names.REFLECTED, "beforeWrite", TEST),
          Code.load(value, code.firstTemp));
    }
  }

  /** Array.get(array, i), Array.setInt(array, i, value): of the array inside, tested. */
  private void accessArray(MethodInsnNode i) {
    final Type[] arguments = Type.getArgumentTypes(i.desc);
    if (!arguments[0].equals(Types.OBJECT) || arguments.length < 2) return;
    final Type value = arguments.length == 3 ? arguments[2] : null;
    if (value != null) code.before(i, Code.store(value, code.firstTemp));
    code.before(i, Code.op(Opcodes.SWAP), Code.call(Names.WRAP, "rawObject",
        "(Ljava/lang/Object;)Ljava/lang/Object;"), Code.op(Opcodes.SWAP));
    if (value != null) code.before(i, Code.load(value, code.firstTemp));
  }

  /** The JDK has made an object of a class that the program has a twin of. */
  private void adopt(MethodInsnNode i) {
    final Type result = Type.getReturnType(i.desc);
    final Type twin = Twins.typeOf(result);
    final boolean mayBeList = result.getDescriptor().equals("Ljava/util/List;")
        && !i.owner.startsWith("java/util/");
    if (twin.equals(result) && !mayBeList) return;
    code.after(i, Code.call(Names.ADOPT, "adopt", "(Ljava/lang/Object;)Ljava/lang/Object;"),
        Code.cast(twin.getInternalName()));
  }

  /** Whether the last argument may be a text that the JDK reads without a call: println(text). */
  private static boolean mayReadText(MethodInsnNode i, Frame<Value> frame) {
    if (i.desc.startsWith("()")) return false;
    final Type top = frame.getStack(frame.getStackSize() - 1).type();
    if (top == null || Types.isArray(top)) return false;
    final boolean prints =
        i.owner.startsWith("java/io/Print") || i.owner.equals("java/lang/String");
    return isText(top) || prints && mayBeText(top);
  }

  static boolean mayBeText(Type t) {
    return isText(t) || t.equals(Types.OBJECT)
        || t.getSort() == Type.OBJECT && t.getInternalName().equals("java/lang/CharSequence");
  }

  /** The class above them is of the JDK's package. */
  private static String ownerOf(MethodInsnNode i, ClassInfo declares) {
    return declares == null || isText(Type.getObjectType(i.owner)) ? i.owner : declares.name;
  }

  static boolean isText(Type t) {
    return t.getSort() == Type.OBJECT && (t.getInternalName().equals("java/lang/StringBuilder")
        || t.getInternalName().equals("java/lang/StringBuffer"));
  }

  private void callForeign(MethodInsnNode i) {
    final Type[] arguments = Type.getArgumentTypes(i.desc);
    code.method.instructions.insertBefore(
        i, conversions.unwrapArguments(arguments, code.firstTemp));
    final Type result = Type.getReturnType(i.desc);
    if (!Types.isArray(result)) return;
    code.method.instructions.insert(
        i, conversions.wrapResult(result, arguments, code.firstTemp));
  }

  /** A clone of an object is a new object. */
  private void cloned(AbstractInsnNode i) {
    if (code.owner.superName.equals(Names.OBJECT)) return;  // SharedObject.clone sees to it
    code.after(i, Code.op(Opcodes.DUP), Code.call(Names.WRAP, "forget", "(Ljava/lang/Object;)V"));
  }

  private boolean substitute(MethodInsnNode i, String owner, Frame<Value> frame) {
    final String by = Substitutions.classOf(owner, i.name, i.desc);
    if (by == null) return false;
    final boolean isStatic = i.getOpcode() == Opcodes.INVOKESTATIC;
    if (i.name.equals("getClass")) {
      final Type type = frame.getStack(frame.getStackSize() - 1).type();
      if (!isAny(type)) return true;  // as it is
    }
    final String desc = i.desc.replaceAll("\\[+(L[^;]*;|[A-Z])", "L" + Names.SHARED_ARRAY + ";");
    final Type result = Type.getReturnType(i.desc);
    if (Types.isArray(result)) code.after(i, Code.cast(Types.map(result).getInternalName()));
    code.replace(i,
        Code.call(by, i.name, isStatic ? desc : "(L" + owner + ";" + desc.substring(1)));
    return true;
  }

  /** Whether a variable of the type may hold an array, or an object whose class is a substitute. */
  private static boolean isAny(Type type) {
    if (type == null || type.getSort() != Type.OBJECT) return true;
    return switch (type.getInternalName()) {
      case Names.OBJECT, Names.THREAD, "java/lang/Runnable", "java/lang/Cloneable",
          "java/io/Serializable" -> true;
      default -> false;
    };
  }
}
