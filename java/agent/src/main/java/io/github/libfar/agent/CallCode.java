package io.github.libfar.agent;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/** Calls: of the program's methods by their new descriptors, of the JDK's with plain arrays. */
final class CallCode {
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
    final Integer access = declares.methods.get(name + desc);
    if (access != null && (access & Opcodes.ACC_NATIVE) != 0) return false;
    return !isEnumConstants(declares, name, desc);
  }

  static boolean isEnumConstants(ClassInfo declares, String name, String desc) {
    return declares.isEnum() && (name.equals("values") || name.equals("$values"))
        && desc.startsWith("()[");
  }

  void rewrite(MethodInsnNode i, Frame<Value> frame) {
    if (i.owner.startsWith("[")) {
      if (i.name.equals("clone")) {
        code.replace(i, Code.call(Names.WRAP, "clone", "(Ljava/lang/Object;)Ljava/lang/Object;"));
        return;
      }
      i.owner = Names.OBJECT;
    }
    final ClassInfo declares = code.hierarchy.method(i.owner, i.name, i.desc);
    if (i.getOpcode() == Opcodes.INVOKESPECIAL) {
      final boolean foreign = declares == null || !declares.isRewritten();
      if (foreign && i.name.equals("clone") && i.desc.equals("()Ljava/lang/Object;")) cloned(i);
      final String substitute = Types.substitute(i.owner);
      final boolean isAbove = i.owner.equals(code.owner.superName);
      if ((i.name.equals("<init>") || isAbove) && !substitute.equals(code.owner.name)) {
        i.owner = substitute;
      }
    } else if (substitute(i, declares == null ? i.owner : declares.name, frame)) {
      return;
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

  private void callForeign(MethodInsnNode i) {
    final InsnList before =
        conversions.unwrapArguments(Type.getArgumentTypes(i.desc), code.firstTemp);
    code.method.instructions.insertBefore(i, before);
    final Type result = Type.getReturnType(i.desc);
    if (Types.isArray(result)) code.method.instructions.insert(i, conversions.wrap(result));
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
