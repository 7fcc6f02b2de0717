package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * Moves the static fields of a class into an object of a class of its own, which ranks share like
 * any other. The class's initializer gets that object first, and runs if no other rank has run it.
 */
final class StaticFields {
  private final ClassNode c;
  private final ClassInfo info;

  StaticFields(ClassNode c, ClassInfo info) {
    this.c = c;
    this.info = info;
  }

  /** Returns the file of the class with the fields, or null if there are none. */
  byte[] move() {
    final MethodNode initializer = c.methods.stream()
        .filter(m -> m.name.equals("<clinit>")).findFirst().orElse(null);
    if (!hasWork(initializer != null)) return null;
    final byte[] file = makeClass();
    c.fields.removeIf(this::isMoved);
    c.fields.add(new FieldNode(ACC_PUBLIC | ACC_STATIC | ACC_SYNTHETIC
        | (info.isEnum() ? 0 : ACC_FINAL), Names.staticsField(c.name), desc(), null, null));
    MethodNode m = initializer;
    if (m == null) {
      m = new MethodNode(ACC_STATIC, "<clinit>", "()V", null, null);
      m.instructions.add(new InsnNode(RETURN));
      c.methods.add(m);
    }
    if (info.isEnum()) runThenJoin(m); else open(m);
    return file;
  }

  private boolean isMoved(FieldNode f) {
    final ClassInfo.Field field = info.fields.get(f.name + f.desc);
    return field != null && field.isMoved();
  }

  /** Initializers of classes that declare no fields are run once, too. */
  private boolean hasWork(boolean hasInitializer) {
    if (c.fields.stream().anyMatch(this::isMoved)) return true;
    if (info.isEnum()) return false;
    return hasInitializer && info.fields.values().stream()
        .noneMatch(f -> f.isStatic() && !f.constant());
  }

  private String name() {
    return Names.staticsClass(c.name);
  }

  private String desc() {
    return "L" + name() + ";";
  }

  /** As javac would have made it: it is rewritten when it is defined. */
  private byte[] makeClass() {
    final ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    w.visit(V1_8, ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, name(), null, Names.OBJECT,
        null);
    for (FieldNode f : c.fields) {
      if (!isMoved(f)) continue;
      w.visitField(ACC_PUBLIC | f.access & (ACC_VOLATILE | ACC_TRANSIENT), f.name, f.desc, null,
          null);
    }
    final var m = w.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
    m.visitCode();
    m.visitVarInsn(ALOAD, 0);
    m.visitMethodInsn(INVOKESPECIAL, Names.OBJECT, "<init>", "()V", false);
    m.visitInsn(RETURN);
    m.visitMaxs(0, 0);
    m.visitEnd();
    w.visitEnd();
    return w.toByteArray();
  }

  /** Each rank makes an enum's constants: the initializer runs with an object of the rank's own. */
  private void runThenJoin(MethodNode m) {
    for (AbstractInsnNode i : m.instructions.toArray()) {
      if (i.getOpcode() != RETURN) continue;
      final InsnList end = Code.list(
          new FieldInsnNode(GETSTATIC, c.name, Names.staticsField(c.name), desc()),
          Code.call(Names.STATICS, "join", "(Ljava/lang/Object;)Ljava/lang/Object;"));
      end.add(store());
      m.instructions.insertBefore(i, end);
    }
    final InsnList begin = Code.list(new LdcInsnNode(Type.getObjectType(c.name)),
        Code.call(Names.STATICS, "make", "(Ljava/lang/Class;)Ljava/lang/Object;"));
    begin.add(store());
    m.instructions.insert(begin);
  }

  private InsnList store() {
    return Code.list(Code.cast(name()),
        new FieldInsnNode(PUTSTATIC, c.name, Names.staticsField(c.name), desc()));
  }

  private void open(MethodNode m) {
    for (AbstractInsnNode i : m.instructions.toArray()) {
      if (i.getOpcode() == RETURN) m.instructions.insertBefore(i, closing(false));
    }
    final LabelNode first = new LabelNode();
    final LabelNode last = new LabelNode();
    final InsnList begin = new InsnList();
    assertionFlag(begin);
    begin.add(new LdcInsnNode(Type.getObjectType(c.name)));
    begin.add(Code.call(Names.STATICS, "open", "(Ljava/lang/Class;)Ljava/lang/Object;"));
    begin.add(new InsnNode(DUP));
    begin.add(store());
    begin.add(Code.call(Names.STATICS, "mustInitialize", "(Ljava/lang/Object;)Z"));
    final LabelNode own = new LabelNode();
    begin.add(new JumpInsnNode(IFNE, own));
    begin.add(new InsnNode(RETURN));
    begin.add(own);
    begin.add(frame());
    begin.add(new InsnNode(NOP));  // the method's first instruction may have a frame
    begin.add(first);
    m.instructions.insert(begin);
    m.instructions.add(last);
    m.instructions.add(frame("java/lang/Throwable"));
    m.instructions.add(closing(true));
    m.instructions.add(new InsnNode(ATHROW));
    m.tryCatchBlocks.add(new TryCatchBlockNode(first, last, last, null));
  }

  /** Is not moved: the JVM's options decide. */
  private void assertionFlag(InsnList to) {
    if (info.fields.values().stream().noneMatch(ClassInfo.Field::isAssertionFlag)) return;
    to.add(new LdcInsnNode(Type.getObjectType(c.name)));
    to.add(new MethodInsnNode(INVOKEVIRTUAL, "java/lang/Class", "desiredAssertionStatus", "()Z",
        false));
    to.add(new InsnNode(ICONST_1));
    to.add(new InsnNode(IXOR));
    to.add(new FieldInsnNode(PUTSTATIC, c.name, "$assertionsDisabled", "Z"));
  }

  private static FrameNode frame(Object... stack) {
    return new FrameNode(F_NEW, 0, new Object[0], stack.length, stack);
  }

  private InsnList closing(boolean failed) {
    final InsnList list = new InsnList();
    list.add(new FieldInsnNode(GETSTATIC, c.name, Names.staticsField(c.name), desc()));
    list.add(new InsnNode(failed ? ICONST_1 : ICONST_0));
    list.add(Code.call(Names.STATICS, "close", "(Ljava/lang/Object;Z)V"));
    return list;
  }
}
