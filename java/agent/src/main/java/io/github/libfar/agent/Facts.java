package io.github.libfar.agent;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Which tests a method has made on every way to an instruction, so that they need not be repeated.
 * A test holds until the thread may have synchronized, which any call may do. Another thread of the
 * rank can synchronize at any time: what this thread has read stays as new as its own last
 * acquire, and the run time looks at what this thread may still write until this thread releases.
 */
final class Facts {
  /** What a place in an array is named by. */
  private record Index(Object source) {}

  /**
   * A part of the object of a source, or of a class's static fields: a field, by its name, or an
   * element, by its Index. Itself a source.
   */
  private record Place(Object base, Object part) {
    boolean isOf(Object source) {
      return base.equals(source) || part instanceof Index x && x.source.equals(source)
          || base instanceof Place p && p.isOf(source);
    }

    boolean isMergedAt(Frame<Value> at) {
      return Graph.isMergedAt(at, base) || part instanceof Index x && Graph.isMergedAt(at, x.source)
          || base instanceof Place p && p.isMergedAt(at);
    }

    boolean isIn(Set<Object> sources) {
      return isAt(base, sources) && (!(part instanceof Index x) || isAt(x.source, sources));
    }

    /** Whether a store to that part of some object may change it. */
    boolean isChangedBy(Object stored) {
      return part.equals(stored) || part instanceof Index && stored instanceof Index
          || base instanceof Place p && p.isChangedBy(stored);
    }
  }

  private sealed interface Fact {
    /** What has made the object that it is about. */
    Object source();

    /** The place that it is about, or null. */
    Place place();

    default boolean isOf(Object other) {
      return source().equals(other) || place() != null && place().isOf(other);
    }

    /** Whether there is a variable, or a value on the stack, that it can be used for. */
    default boolean isIn(Set<Object> sources) {
      return isAt(source(), sources) && (place() == null || place().isIn(sources));
    }

    /** Of a variable that is set where ways meet, it is known of its value before. */
    default boolean isMergedAt(Frame<Value> at) {
      return Graph.isMergedAt(at, source()) || place() != null && place().isMergedAt(at);
    }
  }

  /** The source's object may be read, or written as well. */
  private record Tested(Object source, boolean write) implements Fact {
    @Override
    public Place place() {
      return source instanceof Place p ? p : null;
    }
  }

  /** The class has been initialized; it stays so. */
  private record Initialized(String source) implements Fact {
    @Override
    public Place place() {
      return null;
    }
  }

  /** The field refers to the source's object. */
  private record Holds(Place place, Object source) implements Fact {}

  private final MethodNode method;
  private final AbstractInsnNode[] code;
  private final Frame<Value>[] frames;
  private final Set<Fact>[] before;
  private final Graph graph;
  private final Hierarchy hierarchy;
  private final String owner;

  @SuppressWarnings("unchecked")
  Facts(Hierarchy hierarchy, String owner, MethodNode method) throws AnalyzerException {
    this.hierarchy = hierarchy;
    this.owner = owner;
    this.method = method;
    code = method.instructions.toArray();
    before = (Set<Fact>[]) new Set<?>[code.length];
    graph = new Graph(hierarchy, owner, method);
    frames = graph.frames;
    if (code.length > 0) find(graph.handlers, firstFacts(method));
  }

  /** A constructor's own object is new. */
  private static Set<Fact> firstFacts(MethodNode method) {
    final Set<Fact> facts = new HashSet<>();
    if (method.name.equals("<init>")) facts.add(new Tested(0, true));
    return facts;
  }

  private void find(BitSet handlers, Set<Fact> first) {
    final BitSet work = new BitSet();  // the first comes first, which is mostly that all lead to
    before[0] = first;
    work.set(0);
    work.or(handlers);
    handlers.stream().forEach(h -> before[h] = new HashSet<>());
    for (int i = 0; i >= 0; i = work.nextSetBit(0)) {
      work.clear(i);
      final Set<Fact> out = after(i);
      for (int j : graph.next(i)) {
        if (handlers.get(j)) continue;
        if (before[j] == null) {
          before[j] = usable(out, frames[j]);
          work.set(j);
        } else if (before[j].retainAll(out)) {
          work.set(j);
        }
      }
    }
  }

  /** Large methods have thousands of facts of values that are gone. */
  private static Set<Fact> usable(Set<Fact> facts, Frame<Value> frame) {
    final Set<Object> sources = new HashSet<>();
    for (int k = 0; k < frame.getLocals(); k++) sources.add(frame.getLocal(k).source());
    for (int k = 0; k < frame.getStackSize(); k++) sources.add(frame.getStack(k).source());
    final Set<Fact> usable = new HashSet<>();
    for (Fact fact : facts) {
      if (fact.isIn(sources) && !fact.isMergedAt(frame)) usable.add(fact);
    }
    return usable;
  }

  /** Whether a source is among these, as what is named by a class always is. */
  private static boolean isAt(Object source, Set<Object> sources) {
    return source instanceof String || source instanceof Place p && p.isIn(sources)
        || sources.contains(source);
  }

  private Set<Fact> after(int at) {
    final AbstractInsnNode i = code[at];
    final Frame<Value> frame = frames[at];
    if (i.getOpcode() < 0 || frame == null) return before[at];
    final Set<Fact> out = new HashSet<>(before[at]);
    out.removeIf(fact -> fact.isOf(i));
    if (mayAcquire(at)) out.removeIf(fact -> !(fact instanceof Initialized));
    if (initializedBy(i) != null) out.add(new Initialized(initializedBy(i)));
    final Object source = sourceOfTarget(i, frame);
    if (source != null) addTested(out, source, writes(i));
    final int op = i.getOpcode();
    if (op == Opcodes.NEW || op == Opcodes.NEWARRAY || op == Opcodes.ANEWARRAY) {
      out.add(new Tested(i, true));
    }
    final Object part = source == null ? null : partOf(i, frame);
    if (part == null) return out;
    if (op == Opcodes.PUTFIELD || op == Opcodes.PUTSTATIC || op == Opcodes.AASTORE) {
      out.removeIf(fact -> fact.place() != null && fact.place().isChangedBy(part));
      return out;
    }
    final Place place = new Place(placeOf(out, source), part);
    for (boolean write : new boolean[] {false, true}) {
      if (out.contains(new Tested(place, write))) out.add(new Tested(i, write));
    }
    out.add(new Holds(place, i));
    return out;
  }

  /** The part of an object that an instruction on references loads or stores; or null. */
  private Object partOf(AbstractInsnNode i, Frame<Value> frame) {
    if (i instanceof FieldInsnNode f) {
      return hierarchy.field(f.owner, f.name, f.desc).owner().name + "." + f.name;
    }
    final int top = frame.getStackSize() - 1;
    final Object index = switch (i.getOpcode()) {
      case Opcodes.AALOAD -> frame.getStack(top).source();
      case Opcodes.AASTORE -> frame.getStack(top - 1).source();
      default -> i instanceof LoopTests.Element ? frame.getStack(top).source() : null;
    };
    return index == null ? null : new Index(index);
  }
  private static void addTested(Set<Fact> facts, Object source, boolean write) {
    facts.add(new Tested(source, write));
    final Object place = placeOf(facts, source);
    if (place != source) facts.add(new Tested(place, write));
  }

  /** The field that refers to the source's object, or the source itself. */
  private static Object placeOf(Set<Fact> facts, Object source) {
    for (Fact fact : facts) {
      if (fact instanceof Holds h && h.source.equals(source)) return h.place;
    }
    return source;
  }

  boolean mayAcquire(int at) {
    if (code[at].getOpcode() < 0 || frames[at] == null || !mayAcquire(code[at], frames[at])) {
      return false;
    }
    final String initialized = initializedBy(code[at]);
    return initialized == null || !before[at].contains(new Initialized(initialized));
  }

  /**
   * The class that an access to a static field may initialize, which is all that it may wait for; or
   * null. It is the one that declares the field. That of the method and those above are initialized.
   */
  String initializedBy(AbstractInsnNode i) {
    if (!(i instanceof FieldInsnNode f)) return null;
    final ClassInfo.Field field = hierarchy.field(f.owner, f.name, f.desc);
    if (field == null || !field.isStatic() || field.isVolatile()) return null;
    return hierarchy.isSubclass(owner, field.owner().name) ? null : field.owner().name;
  }

  private boolean mayAcquire(AbstractInsnNode i, Frame<Value> frame) {
    final int op = i.getOpcode();
    if (i instanceof LoopTests.Early || i instanceof LoopTests.Element) return false;
    if (i instanceof MethodInsnNode call) return !isPure(call.owner, call.name, call.desc);
    if (i instanceof InvokeDynamicInsnNode || op == Opcodes.MONITORENTER) return true;
    if (i instanceof FieldInsnNode f) {
      final ClassInfo.Field field = hierarchy.field(f.owner, f.name, f.desc);
      return field == null || field.isVolatile() || initializedBy(i) != null;
    }
    final Value array = arrayOf(i, frame);
    return array != null && array.viaVolatile();
  }

  /** Whether a call runs no code of the program's, such as the toString of an argument. */
  static boolean isPure(String owner, String method, String desc) {
    return switch (owner) {
      case "java/lang/Math", "java/lang/String", "java/lang/Integer", "java/lang/Double",
          "java/lang/Long", "java/lang/StrictMath", "java/lang/Character" ->
          method.equals("equals") || Stream.of(Type.getArgumentTypes(desc)).allMatch(
              t -> Types.isPrimitive(t) || t.getInternalName().equals("java/lang/String"));
      case Names.OBJECT -> method.equals("<init>");
      default -> false;
    };
  }

  AbstractInsnNode[] code() {
    return code;
  }

  int indexOf(AbstractInsnNode i) {
    return method.instructions.indexOf(i);
  }

  /** Which instructions may follow, if there is no exception. */
  List<Integer> next(int at) {
    return graph.next(at);
  }

  /** Whether an instruction loads what only the program's own stores change. */
  boolean isMovable(int at) {
    return sourceOfTarget(code[at], frames[at]) != null;
  }

  /** Whether an instruction needs no test. */
  boolean isDone(int at) {
    final Value object = target(at);
    return object == null || isKnown(at, object, writes(code[at]));
  }

  /** The array or object that an instruction reads or writes a part of; null: none with a test. */
  Value target(int at) {
    final Value array = arrayOf(code[at], frames[at]);
    if (array != null) return array;
    if (sourceOfTarget(code[at], frames[at]) == null) return null;
    final int top = frames[at].getStackSize() - 1;
    return switch (code[at].getOpcode()) {
      case Opcodes.GETFIELD -> frames[at].getStack(top);
      case Opcodes.PUTFIELD -> frames[at].getStack(top - 1);
      default -> null;
    };
  }

  /** The stack and the locals before an instruction; null if it is never reached. */
  Frame<Value> frame(int at) {
    return frames[at];
  }

  boolean isKnown(int at, Value target, boolean write) {
    if (target.viaVolatile() && target.isArray()) return false;  // it is synchronized before
    return isKnown(at, target.source(), write);
  }

  boolean isKnownOfStatics(int at, String owner, boolean write) {
    return isKnown(at, sourceOfStatics(owner), write);
  }

  private boolean isKnown(int at, Object source, boolean write) {
    if (source == null) return false;
    return before[at].contains(new Tested(source, true))
        || !write && before[at].contains(new Tested(source, false));
  }

  /** The array of an instruction that loads or stores an element, or null. */
  static Value arrayOf(AbstractInsnNode i, Frame<Value> frame) {
    final int op = i.getOpcode();
    final int top = frame.getStackSize() - 1;
    if (op >= Opcodes.IALOAD && op <= Opcodes.SALOAD) return frame.getStack(top - 1);
    if (op >= Opcodes.IASTORE && op <= Opcodes.SASTORE) return frame.getStack(top - 2);
    return null;
  }

  /** Where the object that an instruction reads or writes comes from; null: from nowhere known. */
  private Object sourceOfTarget(AbstractInsnNode i, Frame<Value> frame) {
    if (i instanceof LoopTests.Early) return frame.getStack(frame.getStackSize() - 1).source();
    if (i instanceof LoopTests.Element) return frame.getStack(frame.getStackSize() - 2).source();
    if (!(i instanceof FieldInsnNode f)) {
      final Value array = arrayOf(i, frame);
      return array == null ? null : array.source();
    }
    final ClassInfo.Field field = hierarchy.field(f.owner, f.name, f.desc);
    if (field == null || field.isVolatile() || !field.owner().isRewritten()) return null;
    final int top = frame.getStackSize() - 1;
    return switch (i.getOpcode()) {
      case Opcodes.GETFIELD -> frame.getStack(top).source();
      case Opcodes.PUTFIELD -> frame.getStack(top - 1).source();
      default -> field.isMoved() ? sourceOfStatics(field.owner().name) : null;
    };
  }

  /** There is one object with a class's static fields. */
  private static Object sourceOfStatics(String owner) {
    return Names.staticsClass(owner);
  }

  static boolean writes(AbstractInsnNode i) {
    final int op = i.getOpcode();
    return i instanceof LoopTests.Early e && e.write
        || op == Opcodes.PUTFIELD || op == Opcodes.PUTSTATIC
        || op >= Opcodes.IASTORE && op <= Opcodes.SASTORE;
  }
}
