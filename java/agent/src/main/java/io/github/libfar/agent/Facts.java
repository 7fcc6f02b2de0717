package io.github.libfar.agent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Which tests a method has made on every way to an instruction, so that they need not be repeated.
 * A test holds until the thread may have synchronized, which any call may do. Another thread of the
 * rank can synchronize at any time: what this thread has read stays as new as its own last
 * acquire, and the run time looks at what this thread may still write until this thread releases.
 */
final class Facts {
  /** The object that these instructions have made may be read, or written as well. */
  private record Fact(Set<Object> sources, boolean write) {}

  private final AbstractInsnNode[] code;
  private final Frame<Value>[] frames;
  private final Set<Fact>[] before;
  private final Hierarchy hierarchy;
  private final String owner;

  @SuppressWarnings("unchecked")
  Facts(Hierarchy hierarchy, String owner, MethodNode method) throws AnalyzerException {
    this.hierarchy = hierarchy;
    this.owner = owner;
    code = method.instructions.toArray();
    before = (Set<Fact>[]) new Set<?>[code.length];
    final List<List<Integer>> next = new ArrayList<>();
    for (int i = 0; i < code.length; i++) next.add(new ArrayList<>(2));
    final BitSet handlers = new BitSet();
    frames = new Analyzer<>(new Flow(hierarchy)) {
      @Override
      protected void newControlFlowEdge(int from, int to) {
        next.get(from).add(to);
      }

      @Override
      protected boolean newControlFlowExceptionEdge(int from, int to) {
        handlers.set(to);
        return true;
      }
    }.analyze(owner, method);
    if (code.length > 0) find(next, handlers, firstFacts(method));
  }

  /** A constructor's own object is new. */
  private static Set<Fact> firstFacts(MethodNode method) {
    final Set<Fact> facts = new HashSet<>();
    if (method.name.equals("<init>")) facts.add(new Fact(Set.of(0), true));
    return facts;
  }

  private void find(List<List<Integer>> next, BitSet handlers, Set<Fact> first) {
    final Deque<Integer> work = new ArrayDeque<>();
    before[0] = first;
    work.add(0);
    handlers.stream().forEach(h -> {
      before[h] = new HashSet<>();
      work.add(h);
    });
    while (!work.isEmpty()) {
      final int i = work.poll();
      final Set<Fact> out = after(i);
      for (int j : next.get(i)) {
        if (handlers.get(j)) continue;
        if (before[j] == null) {
          before[j] = new HashSet<>(out);
          work.add(j);
        } else if (before[j].retainAll(out)) {
          work.add(j);
        }
      }
    }
  }

  private Set<Fact> after(int at) {
    final AbstractInsnNode i = code[at];
    final Frame<Value> frame = frames[at];
    if (i.getOpcode() < 0 || frame == null) return before[at];
    final Set<Fact> out = new HashSet<>(before[at]);
    out.removeIf(fact -> fact.sources.contains(i));
    if (mayAcquire(i, frame)) out.clear();
    final int op = i.getOpcode();
    final Set<Object> sources = sourcesOfTarget(i, frame);
    if (!sources.isEmpty()) out.add(new Fact(sources, writes(i)));
    if (op == Opcodes.NEW || op == Opcodes.NEWARRAY || op == Opcodes.ANEWARRAY) {
      out.add(new Fact(Set.of(i), true));
    }
    return out;
  }

  private boolean mayAcquire(AbstractInsnNode i, Frame<Value> frame) {
    final int op = i.getOpcode();
    if (i instanceof MethodInsnNode call) return !isPure(call);
    if (i instanceof InvokeDynamicInsnNode || op == Opcodes.MONITORENTER) return true;
    if (i instanceof FieldInsnNode f) {
      final ClassInfo.Field field = hierarchy.field(f.owner, f.name, f.desc);
      if (field == null || field.isVolatile()) return true;
      // The first use of a class runs its initializer.
      return field.isStatic() && !f.owner.equals(owner);
    }
    final Value array = arrayOf(i, frame);
    return array != null && array.viaVolatile();
  }

  private static boolean isPure(MethodInsnNode call) {
    return switch (call.owner) {
      case "java/lang/Math", "java/lang/String", "java/lang/Integer", "java/lang/Double",
          "java/lang/Long", "java/lang/StrictMath", "java/lang/Character" -> true;
      case Names.OBJECT -> call.name.equals("<init>");
      default -> false;
    };
  }

  AbstractInsnNode[] code() {
    return code;
  }

  /** The stack and the locals before an instruction; null if it is never reached. */
  Frame<Value> frame(int at) {
    return frames[at];
  }

  boolean isKnown(int at, Value target, boolean write) {
    if (target.viaVolatile() && target.isArray()) return false;  // it is synchronized before
    return isKnown(at, target.sources(), write);
  }

  boolean isKnownOfStatics(int at, String owner, boolean write) {
    return isKnown(at, sourcesOfStatics(owner), write);
  }

  private boolean isKnown(int at, Set<Object> sources, boolean write) {
    if (sources.isEmpty()) return false;
    return before[at].contains(new Fact(sources, true))
        || !write && before[at].contains(new Fact(sources, false));
  }

  /** The array of an instruction that loads or stores an element, or null. */
  static Value arrayOf(AbstractInsnNode i, Frame<Value> frame) {
    final int op = i.getOpcode();
    final int top = frame.getStackSize() - 1;
    if (op >= Opcodes.IALOAD && op <= Opcodes.SALOAD) return frame.getStack(top - 1);
    if (op >= Opcodes.IASTORE && op <= Opcodes.SASTORE) return frame.getStack(top - 2);
    return null;
  }

  /** Where the object that an instruction reads or writes comes from. */
  private Set<Object> sourcesOfTarget(AbstractInsnNode i, Frame<Value> frame) {
    if (!(i instanceof FieldInsnNode f)) {
      final Value array = arrayOf(i, frame);
      return array == null ? Set.of() : array.sources();
    }
    final ClassInfo.Field field = hierarchy.field(f.owner, f.name, f.desc);
    if (field == null || field.isVolatile() || !field.owner().isRewritten()) return Set.of();
    final int top = frame.getStackSize() - 1;
    return switch (i.getOpcode()) {
      case Opcodes.GETFIELD -> frame.getStack(top).sources();
      case Opcodes.PUTFIELD -> frame.getStack(top - 1).sources();
      default -> field.isMoved() ? sourcesOfStatics(field.owner().name) : Set.of();
    };
  }

  /** There is one object with a class's static fields. */
  private static Set<Object> sourcesOfStatics(String owner) {
    return Set.of(Names.staticsClass(owner));
  }

  static boolean writes(AbstractInsnNode i) {
    final int op = i.getOpcode();
    return op == Opcodes.PUTFIELD || op == Opcodes.PUTSTATIC
        || op >= Opcodes.IASTORE && op <= Opcodes.SASTORE;
  }
}
