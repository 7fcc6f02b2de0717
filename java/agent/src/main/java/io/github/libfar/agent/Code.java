package io.github.libfar.agent;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A method that is being rewritten. No jump is inserted: tests and conversions are calls, which the
 * JIT compiler inlines. So the frames that the compiler has written remain right.
 */
final class Code {
  final ClassNode owner;
  final MethodNode method;
  final Hierarchy hierarchy;
  final Facts facts;
  /** Locals from here on are for a few inserted instructions each. */
  final int firstTemp;
  /** Of the call of another constructor in a constructor; -1: this is none. */
  private final int superCall;

  Code(ClassNode owner, MethodNode method, Hierarchy hierarchy, Facts facts) {
    this.owner = owner;
    this.method = method;
    this.hierarchy = hierarchy;
    this.facts = facts;
    firstTemp = method.maxLocals;
    superCall = method.name.equals("<init>") ? findSuperCall() : -1;
  }

  private int findSuperCall() {
    final AbstractInsnNode[] code = facts.code();
    for (int i = 0; i < code.length; i++) {
      if (code[i].getOpcode() != Opcodes.INVOKESPECIAL || facts.frame(i) == null) continue;
      final MethodInsnNode call = (MethodInsnNode) code[i];
      if (!call.name.equals("<init>")) continue;
      final int arguments = Type.getArgumentTypes(call.desc).length;
      final var frame = facts.frame(i);
      final Value made = frame.getStack(frame.getStackSize() - 1 - arguments);
      if (Integer.valueOf(0).equals(made.source())) return i;
    }
    return -1;
  }

  /** Whether {@code this} may not be initialized yet: then it cannot be passed to a test. */
  boolean isBeforeSuper(int at) {
    return at < superCall;
  }

  void before(AbstractInsnNode at, AbstractInsnNode... inserted) {
    method.instructions.insertBefore(at, list(inserted));
  }

  void after(AbstractInsnNode at, AbstractInsnNode... inserted) {
    method.instructions.insert(at, list(inserted));
  }

  void replace(AbstractInsnNode at, AbstractInsnNode... by) {
    before(at, by);
    method.instructions.remove(at);
  }

  static InsnList list(AbstractInsnNode... instructions) {
    final InsnList list = new InsnList();
    for (AbstractInsnNode i : instructions) {
      if (i != null) list.add(i);
    }
    return list;
  }

  static InsnNode op(int opcode) {
    return new InsnNode(opcode);
  }

  static MethodInsnNode call(String owner, String name, String desc) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, owner, name, desc, false);
  }

  static VarInsnNode load(Type type, int local) {
    return new VarInsnNode(type.getOpcode(Opcodes.ILOAD), local);
  }

  static VarInsnNode store(Type type, int local) {
    return new VarInsnNode(type.getOpcode(Opcodes.ISTORE), local);
  }

  static FieldInsnNode rawOf(Type array) {
    return new FieldInsnNode(Opcodes.GETFIELD, Types.wrapper(array).getInternalName(), "a",
        Types.rawField(array).getDescriptor());
  }

  static TypeInsnNode cast(String name) {
    return new TypeInsnNode(Opcodes.CHECKCAST, name);
  }

  /** The test of the object on the stack, which it takes. */
  static MethodInsnNode test(String testOwner, boolean write) {
    return call(testOwner, write ? Names.WRITE : Names.READ, "(L" + testOwner + ";)V");
  }

  /**
   * The class whose method tests objects of a class: SharedObject is above most; classes that
   * extend one of the JDK have state and tests of their own. Null if a class is missing.
   */
  static String testOwner(Hierarchy hierarchy, String name) {
    if (Names.isStaticsClass(name)) return name;
    final ClassInfo root = hierarchy.root(name);
    if (root == null) return null;
    final String above = Types.substitute(root.superName);
    return above.equals(root.superName) ? root.name : above;
  }
}
