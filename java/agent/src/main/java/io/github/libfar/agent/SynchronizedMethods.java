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

/**
 * Puts a synchronized method's code into one of its own, around which there are two, so that the
 * run time is told when the monitor has been entered, before it is left, and afterwards:
 *
 * <pre>
 *   int m(int x) { try { return far$locked$m(x); } finally { Monitors.left(this); } }
 *   synchronized int far$locked$m(int x) {
 *     Monitors.entered(this);
 *     try { return far$body$m(x); } finally { Monitors.leaving(this); }
 *   }
 * </pre>
 *
 * <p>No method of these enters a monitor by an instruction: the JIT compilers are particular about
 * what handlers of such methods may do.
 */
final class SynchronizedMethods {
  private final ClassNode c;

  SynchronizedMethods(ClassNode c) {
    this.c = c;
  }

  void split() {
    for (MethodNode m : new ArrayList<>(c.methods)) {
      if ((m.access & ACC_SYNCHRONIZED) == 0 || m.instructions.size() == 0) continue;
      final MethodNode body = inner("far$body$", m, 0);
      body.instructions = m.instructions;
      body.tryCatchBlocks = m.tryCatchBlocks;
      body.localVariables = m.localVariables;
      body.maxLocals = m.maxLocals;
      body.maxStack = m.maxStack;
      final MethodNode locked = inner("far$locked$", m, ACC_SYNCHRONIZED);
      call(locked, body, "entered", "leaving");
      m.access &= ~ACC_SYNCHRONIZED;
      m.localVariables = null;
      call(m, locked, null, "left");
    }
  }

  private MethodNode inner(String prefix, MethodNode m, int access) {
    final MethodNode made = new MethodNode(
        ACC_PRIVATE | ACC_SYNTHETIC | access | m.access & (ACC_STATIC | ACC_STRICT),
        prefix + m.name, m.desc, null, m.exceptions.toArray(new String[0]));
    c.methods.add(made);
    return made;
  }

  /** Has a method call another one with its arguments, and Monitors before and after it. */
  private void call(MethodNode m, MethodNode inner, String before, String after) {
    final boolean isStatic = (m.access & ACC_STATIC) != 0;
    final InsnList list = new InsnList();
    final LabelNode begin = new LabelNode();
    final LabelNode end = new LabelNode();
    final LabelNode handler = new LabelNode();
    if (before != null) list.add(tell(isStatic, before));
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
    list.add(new MethodInsnNode(isStatic ? INVOKESTATIC : INVOKESPECIAL, c.name, inner.name,
        inner.desc, (c.access & ACC_INTERFACE) != 0));
    list.add(end);
    list.add(tell(isStatic, after));
    list.add(new InsnNode(Type.getReturnType(m.desc).getOpcode(IRETURN)));
    list.add(handler);
    list.add(new FrameNode(F_NEW, locals.size(), locals.toArray(), 1,
        new Object[] {"java/lang/Throwable"}));
    list.add(tell(isStatic, after));
    list.add(new InsnNode(ATHROW));
    m.instructions = list;
    m.tryCatchBlocks =
        new ArrayList<>(List.of(new TryCatchBlockNode(begin, end, handler, null)));
  }

  private InsnList tell(boolean isStatic, String what) {
    final AbstractInsnNode monitor = isStatic
        ? new LdcInsnNode(Type.getObjectType(c.name)) : new VarInsnNode(ALOAD, 0);
    return Code.list(monitor, Code.call(Names.MONITORS, what, "(Ljava/lang/Object;)V"));
  }
}
