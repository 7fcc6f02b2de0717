package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/** Instructions on arrays, in terms of the objects around them. */
final class ArrayCode {
  private static final Type[] OF_OPCODE = {
    Type.getType("[I"), Type.getType("[J"), Type.getType("[F"), Type.getType("[D"),
    Type.getType("[Ljava/lang/Object;"), Type.getType("[B"), Type.getType("[C"),
    Type.getType("[S"),
  };

  private final Code code;
  /** Stores into plain arrays, before they are wrapped. */
  private final Set<AbstractInsnNode> intoRaw = new HashSet<>();

  ArrayCode(Code code) {
    this.code = code;
  }

  /** Returns false if the instruction is none on arrays. */
  boolean rewrite(int at, AbstractInsnNode i, Frame<Value> frame) {
    final int op = i.getOpcode();
    if (op >= IALOAD && op <= SALOAD) {
      load(at, i, frame);
      return true;
    }
    if (op >= IASTORE && op <= SASTORE) {
      if (intoRaw.contains(i)) return true;
      store(at, i, frame);
      return true;
    }
    switch (op) {
      case ARRAYLENGTH:
        length(i, frame.getStack(frame.getStackSize() - 1));
        return true;
      case NEWARRAY:
        code.after(lastOfInitializer(at), made(Types.ofNewArray(((IntInsnNode) i).operand)));
        return true;
      case ANEWARRAY: {
        final TypeInsnNode made = (TypeInsnNode) i;
        final Type type = Type.getType("[" + Type.getObjectType(made.desc).getDescriptor());
        made.desc = Types.mapName(made.desc);
        code.after(lastOfInitializer(at), made(type));
        return true;
      }
      case MULTIANEWARRAY:
        multi((MultiANewArrayInsnNode) i);
        return true;
      case CHECKCAST:
        return cast((TypeInsnNode) i, frame.getStack(frame.getStackSize() - 1));
      case INSTANCEOF:
        return instanceOf((TypeInsnNode) i);
      default:
        return false;
    }
  }

  /** The array's type; if it is not known (a null constant), any that the instruction allows. */
  private static Type typeOf(Value array, int opcode, int first) {
    if (array.isArray()) return array.type();
    return OF_OPCODE[opcode - first];
  }

  private void load(int at, AbstractInsnNode i, Frame<Value> frame) {
    final Value array = Facts.arrayOf(i, frame);
    final Type type = typeOf(array, i.getOpcode(), IALOAD);
    if (array.viaVolatile()) code.before(i, Code.call(Names.VOLATILES, "acquire", "()V"));
    code.before(i, Code.op(SWAP));
    reach(at, i, array, type, false);
    code.before(i, Code.op(SWAP));
    if (i.getOpcode() != AALOAD) {
      // What has been read since by other threads of the rank may be older than this element.
      if (array.viaVolatile()) code.after(i, Code.call(Names.VOLATILES, "acquire", "()V"));
      return;
    }
    final Type element = Types.map(Types.elementOf(type));
    if (needsCast(element)) code.after(i, Code.cast(element.getInternalName()));
  }

  /** The verifier takes any object for one of an interface. */
  private boolean needsCast(Type element) {
    if (element.equals(Types.OBJECT) || element.equals(Value.NULL)) return false;
    final ClassInfo info = code.hierarchy.find(element.getInternalName());
    return info == null || !info.isInterface();
  }

  private void store(int at, AbstractInsnNode i, Frame<Value> frame) {
    final Value array = Facts.arrayOf(i, frame);
    final Type type = typeOf(array, i.getOpcode(), IASTORE);
    final Type element = switch (i.getOpcode()) {
      case AASTORE -> Types.OBJECT;
      case LASTORE -> Type.LONG_TYPE;
      case FASTORE -> Type.FLOAT_TYPE;
      case DASTORE -> Type.DOUBLE_TYPE;
      default -> Type.INT_TYPE;
    };
    // What was written before must be there when others see this element.
    if (array.viaVolatile()) code.before(i, Code.call(Names.VOLATILES, "release", "()V"));
    code.before(i, Code.store(element, code.firstTemp), Code.op(SWAP));
    reach(at, i, array, type, true);
    code.before(i, Code.op(SWAP), Code.load(element, code.firstTemp));
    if (array.viaVolatile()) code.after(i, Code.call(Names.VOLATILES, "release", "()V"));
  }

  /** Turns the object on the stack into the array inside, tested. */
  private void reach(int at, AbstractInsnNode i, Value array, Type type, boolean write) {
    if (!array.isArray()) code.before(i, Code.cast(Types.wrapper(type).getInternalName()));
    if (!code.facts.isKnown(at, array, write)) {
      code.before(i, Code.op(DUP), Code.test(Names.SHARED_OBJECT, write));
    }
    code.before(i, Code.rawOf(type));
  }

  private void length(AbstractInsnNode i, Value array) {
    final Type type = array.isArray() ? array.type() : OF_OPCODE[AALOAD - IALOAD];
    if (!array.isArray()) code.before(i, Code.cast(Names.REF_ARRAY));
    code.before(i, Code.rawOf(type));
  }

  /**
   * The last store of the initializer that follows a new array, or the instruction that makes it.
   * Elements are stored before the array is put into an object: that takes less code, and the JIT
   * compiler knows the array. There must be no jump meanwhile, whose frame would say otherwise.
   */
  private AbstractInsnNode lastOfInitializer(int at) {
    final AbstractInsnNode[] all = code.facts.code();
    AbstractInsnNode last = all[at];
    final int depth = code.facts.frame(at).getStackSize() - 1;
    for (int j = next(at);; ) {
      if (j < 0 || all[j].getOpcode() != DUP) return last;
      final int store = storeOf(j, depth);
      if (store < 0) return last;
      last = all[store];
      intoRaw.add(last);
      j = next(store);
    }
  }

  /** The next instruction after one in the same straight piece of code, or -1. */
  private int next(int at) {
    final AbstractInsnNode[] all = code.facts.code();
    for (int j = at + 1; j < all.length; j++) {
      if (all[j] instanceof FrameNode || code.facts.frame(j) == null) return -1;
      if (all[j] instanceof JumpInsnNode || all[j].getOpcode() == LOOKUPSWITCH
          || all[j].getOpcode() == TABLESWITCH) {
        return -1;
      }
      if (all[j].getOpcode() >= 0) return j;
    }
    return -1;
  }

  /** The store that takes the array which a DUP has put onto the stack, or -1. */
  private int storeOf(int dup, int depth) {
    final AbstractInsnNode[] all = code.facts.code();
    for (int j = next(dup); j >= 0; j = next(j)) {
      final int op = all[j].getOpcode();
      final int size = code.facts.frame(j).getStackSize();
      if (size < depth + 2) return -1;
      if (op >= IASTORE && op <= SASTORE && size == depth + 4) return j;
      // Something else takes the array, or moves it.
      if (size == depth + 2 && !isPush(op)) return -1;
      if (size <= depth + 3 && op >= DUP && op <= SWAP) return -1;
    }
    return -1;
  }

  private static boolean isPush(int op) {
    return op >= ACONST_NULL && op <= ALOAD || op == GETSTATIC;
  }

  /** Puts a new array on the stack into an object. */
  private static AbstractInsnNode made(Type type) {
    final Type wrapper = Types.wrapper(type);
    return Code.call(wrapper.getInternalName(), "made",
        "(" + Types.rawField(type).getDescriptor() + ")" + wrapper.getDescriptor());
  }

  private void multi(MultiANewArrayInsnNode i) {
    final InsnList list = new InsnList();
    for (int d = i.dims - 1; d >= 0; d--) list.add(new VarInsnNode(ISTORE, code.firstTemp + d));
    list.add(new IntInsnNode(BIPUSH, i.dims));
    list.add(new IntInsnNode(NEWARRAY, T_INT));
    for (int d = 0; d < i.dims; d++) {
      list.add(Code.op(DUP));
      list.add(new IntInsnNode(SIPUSH, d));
      list.add(new VarInsnNode(ILOAD, code.firstTemp + d));
      list.add(Code.op(IASTORE));
    }
    list.add(new LdcInsnNode(Type.getType(i.desc)));
    list.add(Code.call(Names.WRAP, "multi", "([ILjava/lang/Class;)Ljava/lang/Object;"));
    list.add(Code.cast(Types.mapName(i.desc)));
    code.method.instructions.insertBefore(i, list);
    code.method.instructions.remove(i);
  }

  /** An array that comes from the JDK as an Object may be as it is. */
  private boolean cast(TypeInsnNode i, Value value) {
    if (!i.desc.startsWith("[")) return false;
    final Type type = Type.getObjectType(i.desc);
    final Type wrapper = Types.wrapper(type);
    if (!Types.isReferences(type)) {
      if (type.equals(value.type())) {
        i.desc = wrapper.getInternalName();  // which the verifier may not know
      } else {
        code.replace(i, Code.call(wrapper.getInternalName(), "cast",
            "(Ljava/lang/Object;)" + wrapper.getDescriptor()));
      }
      return true;
    }
    code.replace(i, new LdcInsnNode(Types.raw(type)), Code.call(Names.REF_ARRAY, "cast",
        "(Ljava/lang/Object;Ljava/lang/Class;)" + wrapper.getDescriptor()));
    return true;
  }

  private boolean instanceOf(TypeInsnNode i) {
    if (!i.desc.startsWith("[")) return false;
    final Type type = Type.getObjectType(i.desc);
    code.replace(i, new LdcInsnNode(Types.raw(type)), Code.call(Names.WRAP, "isInstance",
        "(Ljava/lang/Object;Ljava/lang/Class;)Z"));
    return true;
  }
}
