package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Gives a class methods that access its volatile fields: where the object is shared the value is
 * that at its home; else that of the field.
 */
final class VolatileFields {
  private final ClassNode c;
  private final ClassInfo info;

  VolatileFields(ClassNode c, ClassInfo info) {
    this.c = c;
    this.info = info;
  }

  void addAccessors() {
    for (FieldNode f : new ArrayList<>(c.fields)) {
      if ((f.access & ACC_VOLATILE) == 0 || (f.access & ACC_STATIC) != 0) continue;
      if (!info.fields.containsKey(f.name + f.desc)) continue;
      c.methods.add(getter(f));
      c.methods.add(setter(f));
    }
  }

  private static final int ACCESS = ACC_PUBLIC | ACC_STATIC | ACC_SYNTHETIC;

  private static Type mapped(FieldNode f) {
    return Types.map(Type.getType(f.desc));
  }

  /** How the run time's methods hand a value on: as a long, or an object. */
  private static boolean isReference(Type t) {
    return t.getSort() >= Type.ARRAY;
  }

  private MethodNode getter(FieldNode f) {
    final Type value = mapped(f);
    final MethodNode m = new MethodNode(ACCESS, Names.volatileGetter(f.name),
        "(L" + c.name + ";)" + value.getDescriptor(), null, null);
    final LabelNode shared = new LabelNode();
    begin(m, shared);
    m.instructions.add(new VarInsnNode(ALOAD, 0));
    m.instructions.add(new FieldInsnNode(GETFIELD, c.name, f.name, value.getDescriptor()));
    m.instructions.add(new InsnNode(value.getOpcode(IRETURN)));
    shared(m, shared, value);
    m.instructions.add(new VarInsnNode(ALOAD, 0));
    m.instructions.add(new LdcInsnNode(f.name));
    if (isReference(value)) {
      m.instructions.add(Code.call(Names.VOLATILES, "get",
          "(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;"));
      m.instructions.add(Code.cast(value.getInternalName()));
    } else {
      m.instructions.add(Code.call(Names.VOLATILES, "get" + suffix(value),
          "(Ljava/lang/Object;Ljava/lang/String;)" + value.getDescriptor()));
    }
    m.instructions.add(new InsnNode(value.getOpcode(IRETURN)));
    return m;
  }

  private MethodNode setter(FieldNode f) {
    final Type value = mapped(f);
    final MethodNode m = new MethodNode(ACCESS, Names.volatileSetter(f.name),
        "(L" + c.name + ";" + value.getDescriptor() + ")V", null, null);
    final LabelNode shared = new LabelNode();
    begin(m, shared);
    m.instructions.add(new VarInsnNode(ALOAD, 0));
    m.instructions.add(Code.load(value, 1));
    m.instructions.add(new FieldInsnNode(PUTFIELD, c.name, f.name, value.getDescriptor()));
    m.instructions.add(new InsnNode(RETURN));
    shared(m, shared, value);
    m.instructions.add(new VarInsnNode(ALOAD, 0));
    m.instructions.add(new LdcInsnNode(f.name));
    m.instructions.add(Code.load(value, 1));
    m.instructions.add(Code.call(Names.VOLATILES, "set", "(Ljava/lang/Object;Ljava/lang/String;"
        + (isReference(value) ? "Ljava/lang/Object;" : value.getDescriptor()) + ")V"));
    m.instructions.add(new InsnNode(RETURN));
    return m;
  }

  private static String suffix(Type value) {
    final String name = value.getClassName();
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  private void begin(MethodNode m, LabelNode shared) {
    m.instructions.add(new VarInsnNode(ALOAD, 0));
    m.instructions.add(Code.call(Names.SHARED_OBJECT, Names.IS_SHARED, "(Ljava/lang/Object;)Z"));
    m.instructions.add(new JumpInsnNode(IFNE, shared));
  }

  private void shared(MethodNode m, LabelNode shared, Type value) {
    m.instructions.add(shared);
    final boolean setter = Type.getReturnType(m.desc) == Type.VOID_TYPE;
    final Object[] locals = setter ? new Object[] {c.name, Types.ofFrame(value)}
        : new Object[] {c.name};
    m.instructions.add(new FrameNode(F_NEW, locals.length, locals, 0, new Object[0]));
  }
}
