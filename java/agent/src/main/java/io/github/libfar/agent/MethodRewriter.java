package io.github.libfar.agent;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/** Rewrites the code of one method. */
final class MethodRewriter {
  private final Code code;
  private final ArrayCode arrays;
  private final FieldCode fields;
  private final CallCode calls;
  private final IndyCode indys;

  MethodRewriter(ClassNode owner, MethodNode method, Hierarchy hierarchy)
      throws AnalyzerException {
    final Conversions conversions = new Conversions();
    Facts facts = new Facts(hierarchy, owner.name, method);
    if (LoopTests.add(hierarchy, method, facts)) facts = new Facts(hierarchy, owner.name, method);
    code = new Code(owner, method, hierarchy, facts);
    arrays = new ArrayCode(code);
    fields = new FieldCode(code, conversions);
    calls = new CallCode(code, conversions);
    indys = new IndyCode(code);
  }

  void rewrite() {
    final AbstractInsnNode[] all = code.facts.code();
    final List<AbstractInsnNode> dead = new ArrayList<>();
    for (int at = 0; at < all.length; at++) {
      final AbstractInsnNode i = all[at];
      final Frame<Value> frame = code.facts.frame(at);
      if (i instanceof FrameNode f) Types.map(f);
      if (frame == null) {
        if (!(i instanceof LabelNode || i instanceof LineNumberNode)) dead.add(i);
        continue;
      }
      if (i.getOpcode() >= 0) rewrite(at, i, frame);
    }
    dead.forEach(code.method.instructions::remove);
    if (!dead.isEmpty()) removeEmptyHandlers();
  }

  private void rewrite(int at, AbstractInsnNode i, Frame<Value> frame) {
    if (arrays.rewrite(at, i, frame)) return;
    switch (i.getOpcode()) {
      case Opcodes.NEW: {
        final TypeInsnNode made = (TypeInsnNode) i;
        made.desc = Types.substitute(made.desc);
        break;
      }
      case Opcodes.MONITORENTER:
        code.before(i, Code.op(Opcodes.DUP));
        code.after(i, boundOfHandlers(i),
            Code.call(Names.MONITORS, "entered", "(Ljava/lang/Object;)V"));
        break;
      case Opcodes.MONITOREXIT:
        final AbstractInsnNode operand = i.getPrevious();
        code.before(i, Code.op(Opcodes.DUP),
            Code.call(Names.MONITORS, "leaving", "(Ljava/lang/Object;)V"), Code.op(Opcodes.DUP));
        final LabelNode bound = boundOfHandlers(i);
        code.after(i, bound, Code.call(Names.MONITORS, "left", "(Ljava/lang/Object;)V"));
        if (operand.getOpcode() == Opcodes.ALOAD) leaveElsewhere(operand, bound);
        break;
      default:
        if (i instanceof FieldInsnNode f) fields.rewrite(at, f, frame);
        if (i instanceof LoopTests.Early e) {
          removeIfKnown(at, e, frame);
        } else if (i instanceof MethodInsnNode m && !(i instanceof LoopTests.Element)) {
          calls.rewrite(m, frame);
        }
        if (i instanceof InvokeDynamicInsnNode d) indys.rewrite(d);
    }
  }

  /**
   * A label for what is inserted behind an instruction: ranges that begin there contain it, those
   * that end there do not. The JIT compilers take no method that may leave a monitor twice, or never.
   */
  private LabelNode boundOfHandlers(AbstractInsnNode i) {
    final LabelNode bound = new LabelNode();
    for (AbstractInsnNode n = i.getNext(); n != null && n.getOpcode() < 0; n = n.getNext()) {
      for (TryCatchBlockNode block : code.method.tryCatchBlocks) {
        if (block.start == n) block.start = bound;
        if (block.end == n) block.end = bound;
      }
    }
    return bound;
  }

  /**
   * javac has the handler that leaves a monitor protect itself. Now it has a call, which C1 does
   * not take there. So another handler protects it.
   */
  private void leaveElsewhere(AbstractInsnNode load, LabelNode bound) {
    for (TryCatchBlockNode block : code.method.tryCatchBlocks) {
      if (block.end != bound || block.start != block.handler) continue;
      if (!endsPath(block.handler)) continue;
      FrameNode frame = null;
      for (AbstractInsnNode n = block.handler; n.getOpcode() < 0; n = n.getNext()) {
        if (n instanceof FrameNode f) frame = f;
      }
      // Before the old one, where the same handlers of other monitors protect it.
      final InsnList list = new InsnList();
      final LabelNode handler = new LabelNode();
      list.add(handler);
      if (frame != null) {
        list.add(new FrameNode(Opcodes.F_NEW, frame.local.size(), frame.local.toArray(), 1,
            new Object[] {"java/lang/Throwable"}));
      }
      list.add(load.clone(Map.of()));
      list.add(Code.op(Opcodes.MONITOREXIT));
      list.add(Code.op(Opcodes.ATHROW));
      code.method.instructions.insertBefore(block.handler, list);
      block.handler = handler;
    }
  }

  /** Whether nothing comes to a label from the instruction before it. */
  private static boolean endsPath(LabelNode label) {
    AbstractInsnNode i = label.getPrevious();
    while (i != null && i.getOpcode() < 0) i = i.getPrevious();
    if (i == null) return false;
    final int op = i.getOpcode();
    return op == Opcodes.GOTO || op == Opcodes.ATHROW
        || op >= Opcodes.IRETURN && op <= Opcodes.RETURN;
  }

  private void removeIfKnown(int at, LoopTests.Early test, Frame<Value> frame) {
    final Value tested = frame.getStack(frame.getStackSize() - 1);
    if (code.facts.isKnown(at, tested, test.write)) code.replace(test, Code.op(Opcodes.POP));
  }

  /** Ranges of which only dead instructions were. */
  private void removeEmptyHandlers() {
    code.method.tryCatchBlocks.removeIf(block -> {
      final Set<AbstractInsnNode> seen = new HashSet<>();
      for (AbstractInsnNode i = block.start; i != null && i != block.end; i = i.getNext()) {
        if (!seen.add(i)) break;
        if (i.getOpcode() >= 0) return false;
      }
      return true;
    });
  }
}
