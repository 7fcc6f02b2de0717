package io.github.libfar.agent;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/** The values before each instruction of a method, and which instructions follow which. */
final class Graph extends Analyzer<Value> {
  /** The source of a value that depends on the way on which a frame's instruction was reached. */
  record Merge(Frame<Value> at, int slot) {}

  static boolean isMergedAt(Frame<Value> at, Object source) {
    return source instanceof Merge m && m.at == at;
  }

  /** Before each instruction; null if it is never reached. */
  final Frame<Value>[] frames;
  /** Where exceptions lead. */
  final BitSet handlers = new BitSet();

  private final Hierarchy hierarchy;
  private final List<List<Integer>> next = new ArrayList<>();
  /** The locals that a loop sets, by the instruction where it begins. */
  private final Map<Integer, BitSet> setInLoop = new HashMap<>();
  /** Whose first frame is made next; -1: of none. */
  private int reached = -1;

  Graph(Hierarchy hierarchy, String owner, MethodNode method) throws AnalyzerException {
    super(new Flow(hierarchy));
    this.hierarchy = hierarchy;
    for (int i = 0; i < method.instructions.size(); i++) next.add(new ArrayList<>(2));
    findLoops(method.instructions);
    frames = analyze(owner, method);
  }

  /** The instructions that may follow one, if there is no exception. */
  List<Integer> next(int at) {
    return next.get(at);
  }

  /** Compilers lay loops out in one piece; if not, merge finds later what was set. */
  private void findLoops(InsnList code) {
    for (AbstractInsnNode i : code) {
      if (!(i instanceof JumpInsnNode jump)) continue;
      final int begin = code.indexOf(jump.label);
      final int end = code.indexOf(i);
      for (int k = begin; k < end; k++) {
        final int local = setBy(code.get(k));
        if (local >= 0) setInLoop.computeIfAbsent(begin, b -> new BitSet()).set(local);
      }
    }
  }

  private static int setBy(AbstractInsnNode i) {
    if (i instanceof IincInsnNode increment) return increment.var;
    return i instanceof VarInsnNode v && i.getOpcode() >= Opcodes.ISTORE
        && i.getOpcode() <= Opcodes.ASTORE ? v.var : -1;
  }

  @Override
  protected void newControlFlowEdge(int from, int to) {
    if (!next.get(from).contains(to)) next.get(from).add(to);
    reached = to;
  }

  @Override
  protected boolean newControlFlowExceptionEdge(int from, int to) {
    handlers.set(to);
    reached = -1;
    return true;
  }

  @Override
  protected Frame<Value> newFrame(int locals, int stack) {
    return new MergingFrame(locals, stack);
  }

  @Override
  protected Frame<Value> newFrame(Frame<? extends Value> from) {
    final MergingFrame made = new MergingFrame(from);
    final BitSet set = setInLoop.get(reached);
    reached = -1;
    if (set == null) return made;
    set.stream().filter(k -> made.getLocal(k).source() != null).forEach(k -> {
      final Value v = made.getLocal(k);
      made.setLocal(k, new Value(v.size(), v.type(), new Merge(made, k), v.viaVolatile()));
    });
    return made;
  }

  /** A variable that two ways have set differently is as if it was set where they meet. */
  private final class MergingFrame extends Frame<Value> {
    MergingFrame(int locals, int stack) {
      super(locals, stack);
    }

    MergingFrame(Frame<? extends Value> from) {
      super(from);
    }

    @Override
    public boolean merge(Frame<? extends Value> other, Interpreter<Value> interpreter)
        throws AnalyzerException {
      if (getStackSize() != other.getStackSize()) {
        throw new AnalyzerException(null, "incompatible stack heights");
      }
      boolean changed = false;
      for (int k = 0; k < getLocals() + getStackSize(); k++) {
        final int inStack = k - getLocals();
        final Value mine = inStack < 0 ? getLocal(k) : getStack(inStack);
        final Value theirs = inStack < 0 ? other.getLocal(k) : other.getStack(inStack);
        final Value merged = Value.merge(mine, theirs, new Merge(this, k), hierarchy);
        if (merged.equals(mine)) continue;
        if (inStack < 0) setLocal(k, merged); else setStack(inStack, merged);
        changed = true;
      }
      return changed;
    }
  }
}
