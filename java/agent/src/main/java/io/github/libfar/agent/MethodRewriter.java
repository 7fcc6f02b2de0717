package io.github.libfar.agent;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
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
    code = new Code(owner, method, hierarchy, new Facts(hierarchy, owner.name, method));
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
        code.after(i, Code.call(Names.MONITORS, "entered", "(Ljava/lang/Object;)V"));
        break;
      case Opcodes.MONITOREXIT:
        code.before(i, Code.op(Opcodes.DUP),
            Code.call(Names.MONITORS, "leaving", "(Ljava/lang/Object;)V"), Code.op(Opcodes.DUP));
        code.after(i, Code.call(Names.MONITORS, "left", "(Ljava/lang/Object;)V"));
        break;
      default:
        if (i instanceof FieldInsnNode f) fields.rewrite(at, f, frame);
        if (i instanceof MethodInsnNode m) calls.rewrite(m, frame);
        if (i instanceof InvokeDynamicInsnNode d) indys.rewrite(d);
    }
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
