package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Puts tests before loops that never synchronize: of what is in a variable that the loop does not
 * set, in a field of {@code this} or of the class, or in an array there. Then the loop has none, and
 * the JIT compiler treats it as it was written. A test for writing goes there only if each round
 * writes: one in vain has the whole object compared.
 */
final class LoopTests {
  /** Stands for the test of the object on the stack, which may be null, until it is rewritten. */
  static final class Early extends MethodInsnNode {
    final boolean write;

    Early(boolean write) {
      super(INVOKESTATIC, Names.SHARED_OBJECT, write ? Names.WRITE_ANY : Names.READ_ANY,
          "(Ljava/lang/Object;)V", false);
      this.write = write;
    }
  }

  /** Looks an element up, of what may be no array; tests the array, too. */
  static final class Element extends MethodInsnNode {
    Element() {
      super(INVOKESTATIC, Names.SHARED_OBJECT, Names.ELEMENT,
          "(Ljava/lang/Object;I)Ljava/lang/Object;", false);
    }
  }

  /**
   * What is tested: a local, or what a field refers to, of local 0 or of the class; with indexes,
   * an element of that, and so on. These are in locals.
   */
  private record Target(int local, FieldInsnNode field, List<Integer> indexes) {
    void load(InsnList to) {
      if (local >= 0) to.add(new VarInsnNode(ALOAD, local));
      if (field != null) {
        to.add(new FieldInsnNode(field.getOpcode(), field.owner, field.name, field.desc));
      }
      for (int index : indexes) {
        to.add(new VarInsnNode(ILOAD, index));
        to.add(new Element());
      }
    }

    Target element(int index) {
      final List<Integer> more = new ArrayList<>(indexes);
      more.add(index);
      return new Target(local, field, more);
    }

    /** Two instructions may name one field. */
    @Override
    public boolean equals(Object o) {
      return o instanceof Target t && t.local == local && t.name().equals(name())
          && t.indexes.equals(indexes);
    }

    @Override
    public int hashCode() {
      return Objects.hash(local, name(), indexes);
    }

    private String name() {
      return field == null ? "" : field.owner + "." + field.name + field.desc;
    }
  }

  private final Hierarchy hierarchy;
  private final MethodNode method;
  private final Facts facts;
  private final AbstractInsnNode[] code;
  private final List<List<Integer>> before = new ArrayList<>();

  private LoopTests(Hierarchy hierarchy, MethodNode method, Facts facts) {
    this.hierarchy = hierarchy;
    this.method = method;
    this.facts = facts;
    code = facts.code();
    for (int i = 0; i < code.length; i++) before.add(new ArrayList<>(2));
    for (int i = 0; i < code.length; i++) {
      for (int j : facts.next(i)) before.get(j).add(i);
    }
  }

  /** Returns whether there are new tests. */
  static boolean add(Hierarchy hierarchy, MethodNode method, Facts facts) {
    return new LoopTests(hierarchy, method, facts).add();
  }

  private boolean add() {
    final Map<Integer, InsnList> all = new LinkedHashMap<>();
    loops().forEach((header, body) -> {
      if (!isEntered(header) || mayAcquire(body)) return;
      final InsnList tests = new InsnList();
      for (boolean write : new boolean[] {true, false}) {
        for (Target t : targets(header, body, write)) {
          t.load(tests);
          tests.add(new Early(write));
        }
      }
      if (tests.size() == 0) return;
      uses(body).forEach(f -> tests.insert(Code.list(
          new FieldInsnNode(GETSTATIC, f.owner, f.name, f.desc),
          Code.op(Type.getType(f.desc).getSize() == 1 ? POP : POP2))));
      all.put(header, tests);
    });
    all.forEach((header, tests) -> {
      method.instructions.insertBefore(code[header], tests);
      method.maxStack = Math.max(method.maxStack, facts.frame(header).getStackSize() + 2);
    });
    return !all.isEmpty();
  }

  // ---- loops

  /** The instructions of each loop, by that of the label where it begins. */
  private Map<Integer, BitSet> loops() {
    final Map<Integer, BitSet> loops = new LinkedHashMap<>();
    for (int from = 0; from < code.length; from++) {
      for (int to : facts.next(from)) {
        if (to > from || !(code[to] instanceof LabelNode)) continue;
        final BitSet body = bodyOf(to, from);
        // Entered elsewhere than at its first instruction.
        if (body.nextSetBit(0) < to) continue;
        loops.computeIfAbsent(to, k -> new BitSet()).or(body);
      }
    }
    return loops;
  }

  /** What leads to a jump back without passing the beginning. */
  private BitSet bodyOf(int header, int last) {
    final BitSet body = new BitSet();
    final ArrayDeque<Integer> work = new ArrayDeque<>();
    body.set(header);
    body.set(last);
    if (last != header) work.add(last);
    while (!work.isEmpty()) {
      for (int i : before.get(work.poll())) {
        if (body.get(i)) continue;
        body.set(i);
        work.add(i);
      }
    }
    return body;
  }

  /** Whether it is entered from the instruction before it, behind which no other jump leads. */
  private boolean isEntered(int header) {
    int i = header;
    do {
      if (!before.get(i).contains(i - 1)) return false;
      if (i < header && before.get(i).size() > 1) return false;
      i--;
    } while (code[i] instanceof LineNumberNode || code[i] instanceof LabelNode);
    return code[i].getOpcode() >= 0;
  }

  private boolean mayAcquire(BitSet body) {
    return body.stream().anyMatch(i -> facts.mayAcquire(i) && !isQuietUse(i));
  }

  /** Whether it acquires only if it initializes a class, which can as well be done before. */
  private boolean isQuietUse(int i) {
    final String initialized = facts.initializedBy(code[i]);
    return initialized != null && hierarchy.isQuiet(initialized);
  }

  /** A field of each class that the loop may initialize. */
  private Collection<FieldInsnNode> uses(BitSet body) {
    final Map<String, FieldInsnNode> of = new LinkedHashMap<>();
    body.stream().filter(i -> facts.mayAcquire(i)).mapToObj(i -> (FieldInsnNode) code[i])
        .forEach(f -> of.putIfAbsent(facts.initializedBy(f), f));
    return of.values();
  }

  /** Whether each round of the loop runs the instruction. */
  private boolean isInEachRound(int i, int header, BitSet body) {
    final BitSet seen = new BitSet();
    final ArrayDeque<Integer> work = new ArrayDeque<>(List.of(header));
    while (!work.isEmpty()) {
      for (int j : facts.next(work.poll())) {
        if (j == header) return false;
        if (j == i || !body.get(j) || seen.get(j)) continue;
        seen.set(j);
        work.add(j);
      }
    }
    return true;
  }

  // ---- what to test

  private Set<Target> targets(int header, BitSet body, boolean write) {
    final Set<Target> found = new LinkedHashSet<>();
    for (int i = body.nextSetBit(0); i >= 0; i = body.nextSetBit(i + 1)) {
      if (code[i].getOpcode() < 0 || facts.frame(i) == null || facts.isDone(i)) continue;
      if (write && !(Facts.writes(code[i]) && isInEachRound(i, header, body))) continue;
      final Target t = targetOf(i, header, body);
      if (t != null) found.add(t);
    }
    return found;
  }

  private Target targetOf(int i, int header, BitSet body) {
    final Value object = facts.target(i);
    if (object == null || object.source() == null || !isTestable(object)) return null;
    return targetOf(object.source(), header, body);
  }

  private Target targetOf(Object source, int header, BitSet body) {
    final int local = localOf(source, header, body);
    if (local >= 0) {
      return isTestable(facts.frame(header).getLocal(local))
          ? new Target(local, null, List.of()) : null;
    }
    if (source instanceof FieldInsnNode f) return targetOf(f, header, body);
    return source instanceof AbstractInsnNode i && i.getOpcode() == AALOAD
        ? elementOf(i, header, body) : null;
  }

  private Target targetOf(FieldInsnNode f, int header, BitSet body) {
    final int load = facts.indexOf(f);
    if (isSet(f, body) || facts.frame(load) == null || !facts.isMovable(load)) return null;
    if (f.getOpcode() == GETSTATIC) return new Target(-1, f, List.of());
    final Value above = facts.target(load);
    final boolean isThis = (method.access & ACC_STATIC) == 0 && !method.name.equals("<init>")
        && Integer.valueOf(0).equals(above.source());
    return isThis && localOf(0, header, body) == 0 ? new Target(0, f, List.of()) : null;
  }

  private Target elementOf(AbstractInsnNode load, int header, BitSet body) {
    if (body.stream().anyMatch(k -> code[k].getOpcode() == AASTORE)) return null;
    final Frame<Value> frame = facts.frame(facts.indexOf(load));
    final Value index = frame.getStack(frame.getStackSize() - 1);
    final Value array = Facts.arrayOf(load, frame);
    if (index.source() == null || array.source() == null || !isTestable(array)) return null;
    final int local = localOf(index.source(), header, body);
    final Target of = targetOf(array.source(), header, body);
    return local < 0 || of == null ? null : of.element(local);
  }

  private boolean isTestable(Value v) {
    if (v.isArray()) return !v.viaVolatile();
    return v.type() != null && v.type().getSort() == Type.OBJECT && !v.type().equals(Value.NULL)
        && Names.SHARED_OBJECT.equals(Code.testOwner(hierarchy, v.type().getInternalName()));
  }

  /** The local that has a value throughout the loop, or -1. */
  private int localOf(Object source, int header, BitSet body) {
    if (source instanceof AbstractInsnNode made && body.get(facts.indexOf(made))) return -1;
    if (body.stream().anyMatch(i -> Graph.isMergedAt(facts.frame(i), source))) return -1;
    final Frame<Value> frame = facts.frame(header);
    for (int k = 0; k < frame.getLocals(); k++) {
      if (source.equals(frame.getLocal(k).source())) return k;
    }
    return -1;
  }

  private boolean isSet(FieldInsnNode field, BitSet body) {
    return body.stream().anyMatch(i -> code[i] instanceof FieldInsnNode f && Facts.writes(f)
        && f.name.equals(field.name));
  }
}
