package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.List;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Has the finalizers of shared objects do nothing: a JVM calls one when the rank that has made the
 * object has done with it, and others may be using it.
 */
final class Finalizers {
  static void guard(ClassNode c) {
    for (MethodNode m : c.methods) {
      if (!m.name.equals("finalize") || !m.desc.equals("()V")) continue;
      if ((m.access & (ACC_STATIC | ACC_NATIVE | ACC_ABSTRACT)) == 0) guard(c, m);
    }
  }

  private static void guard(ClassNode c, MethodNode m) {
    final LabelNode local = new LabelNode();
    final InsnList list = new InsnList();
    list.add(new VarInsnNode(ALOAD, 0));
    list.add(Code.call(Names.SLOW, "isShared", "(Ljava/lang/Object;)Z"));
    list.add(new JumpInsnNode(IFEQ, local));
    list.add(Code.op(RETURN));
    list.add(local);
    final Object[] locals = List.of(c.name).toArray();
    list.add(new FrameNode(F_NEW, 1, locals, 0, new Object[0]));
    list.add(Code.op(NOP));  // no two frames at one place
    m.instructions.insert(list);
  }

  private Finalizers() {}
}
