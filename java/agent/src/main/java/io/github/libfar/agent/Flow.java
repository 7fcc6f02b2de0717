package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.List;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.Interpreter;

/** Finds the type and the origin of each value of a method as it was compiled. */
final class Flow extends Interpreter<Value> {
  private final Hierarchy hierarchy;

  Flow(Hierarchy hierarchy) {
    super(Opcodes.ASM9);
    this.hierarchy = hierarchy;
  }

  private static Value made(AbstractInsnNode by, int size, Type type) {
    return new Value(size, type, by, false);
  }

  private static Value made(AbstractInsnNode by, Type type) {
    return made(by, type.getSize(), Types.isPrimitive(type) ? null : type);
  }

  private boolean isVolatile(AbstractInsnNode i) {
    final FieldInsnNode f = (FieldInsnNode) i;
    final ClassInfo.Field field = hierarchy.field(f.owner, f.name, f.desc);
    return field != null && field.isVolatile() && field.owner().isRewritten();
  }

  @Override
  public Value newValue(Type type) {
    if (type == Type.VOID_TYPE) return null;
    if (type == null) return new Value(1, null, null, false);
    return new Value(type.getSize(), Types.isPrimitive(type) ? null : type, null, false);
  }

  @Override
  public Value newParameterValue(boolean isInstance, int local, Type type) {
    return new Value(type.getSize(), Types.isPrimitive(type) ? null : type, local, false);
  }

  @Override
  public Value newOperation(AbstractInsnNode i) {
    switch (i.getOpcode()) {
      case ACONST_NULL:
        return made(i, Value.NULL);
      case LCONST_0, LCONST_1, DCONST_0, DCONST_1:
        return made(i, 2, null);
      case LDC:
        return made(i, typeOfConstant(((LdcInsnNode) i).cst));
      case GETSTATIC: {
        final Type type = Type.getType(((FieldInsnNode) i).desc);
        final Value value = made(i, type);
        return isVolatile(i) ? new Value(value.size(), value.type(), value.source(), true) : value;
      }
      case NEW:
        return made(i, Type.getObjectType(((TypeInsnNode) i).desc));
      default:
        return made(i, 1, null);
    }
  }

  private static Type typeOfConstant(Object constant) {
    if (constant instanceof Long) return Type.LONG_TYPE;
    if (constant instanceof Double) return Type.DOUBLE_TYPE;
    if (constant instanceof Integer) return Type.INT_TYPE;
    if (constant instanceof Float) return Type.FLOAT_TYPE;
    if (constant instanceof String) return Type.getObjectType("java/lang/String");
    if (constant instanceof Type t) {
      return Type.getObjectType(
          t.getSort() == Type.METHOD ? "java/lang/invoke/MethodType" : "java/lang/Class");
    }
    if (constant instanceof ConstantDynamic d) return Type.getType(d.getDescriptor());
    return Type.getObjectType("java/lang/invoke/MethodHandle");
  }

  @Override
  public Value copyOperation(AbstractInsnNode i, Value value) {
    return value;
  }

  @Override
  public Value unaryOperation(AbstractInsnNode i, Value value) {
    switch (i.getOpcode()) {
      case CHECKCAST:
        return value.withType(Type.getObjectType(((TypeInsnNode) i).desc));
      case LNEG, DNEG, I2L, I2D, L2D, F2L, F2D, D2L:
        return made(i, 2, null);
      case GETFIELD: {
        final Value got = made(i, Type.getType(((FieldInsnNode) i).desc));
        return isVolatile(i) ? new Value(got.size(), got.type(), got.source(), true) : got;
      }
      case NEWARRAY:
        return made(i, Types.ofNewArray(((IntInsnNode) i).operand));
      case ANEWARRAY: {
        final Type element = Type.getObjectType(((TypeInsnNode) i).desc);
        return made(i, Type.getType("[" + element.getDescriptor()));
      }
      default:
        return made(i, 1, null);
    }
  }

  @Override
  public Value binaryOperation(AbstractInsnNode i, Value a, Value b) {
    switch (i.getOpcode()) {
      case LALOAD, DALOAD, LADD, DADD, LSUB, DSUB, LMUL, DMUL, LDIV, DDIV, LREM, DREM, LSHL, LSHR,
          LUSHR, LAND, LOR, LXOR:
        return made(i, 2, null);
      case AALOAD: {
        Type type = Types.OBJECT;
        if (a.isArray() && Types.isReferences(a.type())) type = Types.elementOf(a.type());
        return new Value(1, type, i, a.viaVolatile());
      }
      default:
        return made(i, 1, null);
    }
  }

  @Override
  public Value ternaryOperation(AbstractInsnNode i, Value a, Value b, Value c) {
    return null;
  }

  @Override
  public Value naryOperation(AbstractInsnNode i, List<? extends Value> values) {
    final Type type;
    if (i instanceof MethodInsnNode call) {
      type = Type.getReturnType(call.desc);
    } else if (i instanceof InvokeDynamicInsnNode call) {
      type = Type.getReturnType(call.desc);
    } else {
      type = Type.getType(((MultiANewArrayInsnNode) i).desc);
    }
    return type == Type.VOID_TYPE ? null : made(i, type);
  }

  @Override
  public void returnOperation(AbstractInsnNode i, Value value, Value expected) {}

  @Override
  public Value merge(Value a, Value b) {
    throw new AssertionError("Graph merges");
  }
}
