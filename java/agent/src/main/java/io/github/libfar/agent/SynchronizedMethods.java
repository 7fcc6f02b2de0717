package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Makes two methods of a synchronized one: one that enters the monitor, and the body. */
final class SynchronizedMethods {
  private final ClassNode c;

  SynchronizedMethods(ClassNode c) {
    this.c = c;
  }

  void split() {
    for (MethodNode m : new ArrayList<>(c.methods)) {
      if ((m.access & ACC_SYNCHRONIZED) == 0 || m.instructions.size() == 0) continue;
      final MethodNode body = new MethodNode(
          ACC_PRIVATE | ACC_SYNTHETIC | m.access & (ACC_STATIC | ACC_STRICT),
          "far$body$" + m.name, m.desc, null, m.exceptions.toArray(new String[0]));
      body.instructions = m.instructions;
      body.tryCatchBlocks = m.tryCatchBlocks;
      body.localVariables = m.localVariables;
      body.maxLocals = m.maxLocals;
      body.maxStack = m.maxStack;
      m.access &= ~ACC_SYNCHRONIZED;
      m.localVariables = null;
      m.tryCatchBlocks = new ArrayList<>();
      m.instructions = enter(m, body);
      c.methods.add(body);
    }
  }

  private InsnList enter(MethodNode m, MethodNode body) {
    final InsnList list = new InsnList();
    final LabelNode begin = new LabelNode();
    final LabelNode end = new LabelNode();
    final LabelNode handler = new LabelNode();
    final boolean isStatic = (m.access & ACC_STATIC) != 0;
    list.add(monitor(isStatic));
    list.add(new InsnNode(MONITORENTER));
    list.add(monitor(isStatic));
    list.add(Code.call(Names.MONITORS, "entered", "(Ljava/lang/Object;)V"));
    list.add(begin);
    final List<Object> locals = new ArrayList<>();
    int local = 0;
    if (!isStatic) {
      list.add(new VarInsnNode(ALOAD, local++));
      locals.add(c.name);
    }
    for (Type t : Type.getArgumentTypes(m.desc)) {
      list.add(Code.load(t, local));
      local += t.getSize();
      locals.add(Types.ofFrame(t));
    }
    list.add(new MethodInsnNode(isStatic ? INVOKESTATIC : INVOKESPECIAL, c.name, body.name,
        body.desc, false));
    list.add(leave(isStatic));
    list.add(end);
    list.add(new InsnNode(Type.getReturnType(m.desc).getOpcode(IRETURN)));
    list.add(handler);
    list.add(new FrameNode(F_NEW, locals.size(), locals.toArray(), 1,
        new Object[] {"java/lang/Throwable"}));
    list.add(leave(isStatic));
    list.add(new InsnNode(ATHROW));
    m.tryCatchBlocks.add(new TryCatchBlockNode(begin, end, handler, null));
    return list;
  }

  private AbstractInsnNode monitor(boolean isStatic) {
    return isStatic ? new LdcInsnNode(Type.getObjectType(c.name)) : new VarInsnNode(ALOAD, 0);
  }

  private InsnList leave(boolean isStatic) {
    final InsnList list = new InsnList();
    list.add(monitor(isStatic));
    list.add(Code.call(Names.MONITORS, "leaving", "(Ljava/lang/Object;)V"));
    list.add(monitor(isStatic));
    list.add(new InsnNode(MONITOREXIT));
    list.add(monitor(isStatic));
    list.add(Code.call(Names.MONITORS, "left", "(Ljava/lang/Object;)V"));
    return list;
  }
}
