package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/** Instructions on fields: tests before them, and where static and volatile fields are now. */
final class FieldCode {
  private final Code code;
  private final Conversions conversions;

  FieldCode(Code code, Conversions conversions) {
    this.code = code;
    this.conversions = conversions;
  }

  void rewrite(int at, FieldInsnNode i, Frame<Value> frame) {
    final ClassInfo.Field field = code.hierarchy.field(i.owner, i.name, i.desc);
    if (field == null) {
      if (Scope.contains(i.owner)) i.desc = Types.map(i.desc);
      return;
    }
    if (field.keepsArray()) {
      keepArray(i);
    } else if (field.isMoved()) {
      moved(at, i, field);
    } else if (field.isStatic()) {
      i.desc = Types.map(i.desc);
    } else if (field.isVolatile()) {
      code.replace(i, accessor(i, field, i.owner, i.getOpcode() == PUTFIELD));
    } else {
      test(at, i, frame);
      i.desc = Types.map(i.desc);
      if (i.getOpcode() == GETFIELD) check(i);
    }
  }

  /** What the field refers to may stay with another rank: see shared.Elsewhere. */
  private void check(FieldInsnNode load) {
    if (!isChecked(load.desc)) return;
    code.after(load, Code.op(DUP), Code.call(Names.ELSEWHERE, "check", "(Ljava/lang/Object;)V"));
  }

  /** The same of the type as Elsewhere says. */
  private boolean isChecked(String desc) {
    if (!desc.startsWith("L")) return false;
    ClassInfo above = code.hierarchy.find(Type.getType(desc).getInternalName());
    if (above == null || above.isInterface()) return false;
    while (above.isRewritten()) {
      above = code.hierarchy.find(above.superName);
      if (above == null) return false;
    }
    return Scope.isOfJdk(above.name) && !above.name.matches("java/lang/[^/]*");
  }

  private void keepArray(FieldInsnNode i) {
    if (!i.desc.startsWith("[")) return;
    final Type type = Type.getType(i.desc);
    if (i.getOpcode() == GETFIELD || i.getOpcode() == GETSTATIC) {
      code.method.instructions.insert(i, conversions.wrap(type));
    } else {
      code.method.instructions.insertBefore(i, conversions.unwrap(type));
    }
  }

  private static org.objectweb.asm.tree.MethodInsnNode accessor(FieldInsnNode i,
      ClassInfo.Field field, String owner, boolean set) {
    final String object = Type.getObjectType(
        field.isStatic() ? owner : field.owner().name).getDescriptor();
    final String value = Types.map(i.desc);
    return set
        ? Code.call(owner, Names.volatileSetter(i.name), "(" + object + value + ")V")
        : Code.call(owner, Names.volatileGetter(i.name), "(" + object + ")" + value);
  }

  private void test(int at, FieldInsnNode i, Frame<Value> frame) {
    final boolean write = i.getOpcode() == PUTFIELD;
    final int top = frame.getStackSize() - 1;
    final Value object = frame.getStack(write ? top - 1 : top);
    if (code.facts.isKnown(at, object, write) || code.isBeforeSuper(at)) return;
    final String owner = Code.testOwner(code.hierarchy, i.owner);
    if (owner == null) return;
    if (!write) {
      code.before(i, Code.op(DUP), Code.test(owner, false));
    } else if (Type.getType(i.desc).getSize() == 1) {
      code.before(i, Code.op(DUP2), Code.op(POP), Code.test(owner, true));
    } else {
      code.before(i, Code.op(DUP2_X1), Code.op(POP2), Code.op(DUP), Code.test(owner, true),
          Code.op(DUP_X2), Code.op(POP));
    }
  }

  private void moved(int at, FieldInsnNode i, ClassInfo.Field field) {
    final String declared = field.owner().name;
    final String statics = Names.staticsClass(declared);
    final boolean write = i.getOpcode() == PUTSTATIC;
    final boolean one = Type.getType(i.desc).getSize() == 1;
    code.before(i, new FieldInsnNode(GETSTATIC, i.owner, Names.staticsField(declared),
        "L" + statics + ";"));
    if (!field.isVolatile() && !code.facts.isKnownOfStatics(at, declared, write)) {
      code.before(i, Code.op(DUP), Code.test(statics, write));
    }
    if (write && one) code.before(i, Code.op(SWAP));
    if (write && !one) code.before(i, Code.op(DUP_X2), Code.op(POP));
    if (field.isVolatile()) {
      code.replace(i, accessor(i, field, statics, write));
    } else {
      final FieldInsnNode access =
          new FieldInsnNode(write ? PUTFIELD : GETFIELD, statics, i.name, Types.map(i.desc));
      code.replace(i, access);
      if (!write) check(access);
    }
  }
}
