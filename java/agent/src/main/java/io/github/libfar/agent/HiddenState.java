package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Gives the objects of a class their hidden state: SharedObject becomes the superclass, and has it;
 * a class that extends another one of the JDK gets the fields itself.
 */
final class HiddenState {
  private static final String THROWABLE = "java/lang/Throwable";
  static final String MESSAGE = "getMessage";
  private static final String MESSAGE_DESC = "()Ljava/lang/String;";

  private final ClassNode c;
  private final Hierarchy hierarchy;

  HiddenState(ClassNode c, Hierarchy hierarchy) {
    this.c = c;
    this.hierarchy = hierarchy;
  }

  void add() {
    if ((c.access & ACC_INTERFACE) != 0) return;
    if (Names.isStaticsClass(c.name)) addTests();
    final ClassInfo above = hierarchy.find(c.superName);
    if (above == null || above.isRewritten()) return;
    final String substitute = Types.substitute(c.superName);
    if (!substitute.equals(c.superName) && !substitute.equals(c.name)) {
      c.superName = substitute;
      return;
    }
    field(Names.STATE_FIELD, "B");
    field(Names.MIRROR_FIELD, "L" + Names.MIRROR + ";");
    c.interfaces.add(Names.SHARED);
    addTests();
    if (hierarchy.isSubclass(c.superName, THROWABLE)) message();
    getter(Names.STATE_FIELD, "B", IRETURN);
    getter(Names.MIRROR_FIELD, "L" + Names.MIRROR + ";", ARETURN);
    setter(Names.STATE_FIELD, "B", ILOAD);
    setter(Names.MIRROR_FIELD, "L" + Names.MIRROR + ";", ALOAD);
  }

  /** The JDK reads an exception's message without a test. */
  private void message() {
    if (c.methods.stream().anyMatch(m -> m.name.equals(MESSAGE) && m.desc.equals(MESSAGE_DESC))) {
      return;  // which tests it before it asks the class above: see CallCode
    }
    final MethodNode m = new MethodNode(ACC_PUBLIC | ACC_SYNTHETIC, MESSAGE, MESSAGE_DESC, null,
        null);
    m.instructions.add(new VarInsnNode(ALOAD, 0));
    m.instructions.add(Code.test(c.name, false));
    m.instructions.add(new VarInsnNode(ALOAD, 0));
    m.instructions.add(new MethodInsnNode(INVOKESPECIAL, c.superName, MESSAGE, MESSAGE_DESC,
        false));
    m.instructions.add(new InsnNode(ARETURN));
    c.methods.add(m);
  }

  private void field(String name, String desc) {
    c.fields.add(new FieldNode(ACC_PUBLIC | ACC_TRANSIENT | ACC_SYNTHETIC, name, desc, null, null));
  }

  private void addTests() {
    c.methods.add(test(Names.READ, IFGE, "read"));
    c.methods.add(test(Names.WRITE, IFEQ, "write"));
  }

  private MethodNode test(String name, int passes, String slow) {
    final MethodNode m = new MethodNode(ACC_PUBLIC | ACC_STATIC | ACC_SYNTHETIC, name,
        "(L" + c.name + ";)V", null, null);
    final LabelNode end = new LabelNode();
    final InsnList list = m.instructions;
    list.add(new VarInsnNode(ALOAD, 0));
    list.add(new FieldInsnNode(GETFIELD, c.name, Names.STATE_FIELD, "B"));
    list.add(new JumpInsnNode(passes, end));
    list.add(new VarInsnNode(ALOAD, 0));
    list.add(Code.call(Names.SLOW, slow, "(L" + Names.SHARED + ";)V"));
    list.add(end);
    list.add(new FrameNode(F_NEW, 1, new Object[] {c.name}, 0, new Object[0]));
    list.add(new InsnNode(RETURN));
    return m;
  }

  private void getter(String field, String desc, int result) {
    final MethodNode m = new MethodNode(ACC_PUBLIC | ACC_SYNTHETIC, field, "()" + desc, null, null);
    m.instructions.add(new VarInsnNode(ALOAD, 0));
    m.instructions.add(new FieldInsnNode(GETFIELD, c.name, field, desc));
    m.instructions.add(new InsnNode(result));
    c.methods.add(m);
  }

  private void setter(String field, String desc, int load) {
    final MethodNode m =
        new MethodNode(ACC_PUBLIC | ACC_SYNTHETIC, field, "(" + desc + ")V", null, null);
    m.instructions.add(new VarInsnNode(ALOAD, 0));
    m.instructions.add(new VarInsnNode(load, 1));
    m.instructions.add(new FieldInsnNode(PUTFIELD, c.name, field, desc));
    m.instructions.add(new InsnNode(RETURN));
    c.methods.add(m);
  }
}
