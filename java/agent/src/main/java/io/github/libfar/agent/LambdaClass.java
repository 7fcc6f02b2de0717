package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.LinkedHashSet;
import java.util.Set;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/** The class of one lambda: its captured values are fields, its method calls the body. */
final class LambdaClass {
  private static final int FLAG_SERIALIZABLE = 1;
  private static final int FLAG_MARKERS = 2;
  private static final int FLAG_BRIDGES = 4;

  private final String name;
  private final Type type;  // the interface
  private final Type[] captured;
  private final Handle body;
  private final Type instantiated;
  private final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
  private final Set<String> interfaces = new LinkedHashSet<>();
  private final Set<String> descs = new LinkedHashSet<>();

  LambdaClass(String name, ClassNode owner, InvokeDynamicInsnNode site, Handle body) {
    this.name = name;
    this.body = body;
    type = Type.getReturnType(site.desc);
    captured = Type.getArgumentTypes(site.desc);
    instantiated = (Type) site.bsmArgs[2];
    interfaces.add(type.getInternalName());
    descs.add(((Type) site.bsmArgs[0]).getDescriptor());
    readFlags(site.bsmArgs);
    writer.visit(owner.version & 0xffff, ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, name,
        null, Names.OBJECT, interfaces.toArray(new String[0]));
    for (int k = 0; k < captured.length; k++) {
      writer.visitField(ACC_PRIVATE | ACC_FINAL, "c" + k, captured[k].getDescriptor(), null, null);
    }
    constructor();
    factory();
    for (String desc : descs) method(site.name, desc);
    writer.visitEnd();
  }

  byte[] bytes() {
    return writer.toByteArray();
  }

  /** Of altMetafactory: more interfaces without methods, and descriptors of the same method. */
  private void readFlags(Object[] arguments) {
    if (arguments.length <= 3) return;
    final int flags = (Integer) arguments[3];
    if ((flags & FLAG_SERIALIZABLE) != 0) interfaces.add("java/io/Serializable");
    int next = 4;
    if ((flags & FLAG_MARKERS) != 0) {
      final int n = (Integer) arguments[next++];
      for (int k = 0; k < n; k++) interfaces.add(((Type) arguments[next++]).getInternalName());
    }
    if ((flags & FLAG_BRIDGES) != 0) {
      final int n = (Integer) arguments[next++];
      for (int k = 0; k < n; k++) descs.add(((Type) arguments[next++]).getDescriptor());
    }
  }

  private String constructorDesc() {
    return Type.getMethodDescriptor(Type.VOID_TYPE, captured);
  }

  private void constructor() {
    final MethodVisitor m = writer.visitMethod(0, "<init>", constructorDesc(), null, null);
    m.visitCode();
    m.visitVarInsn(ALOAD, 0);
    m.visitMethodInsn(INVOKESPECIAL, Names.OBJECT, "<init>", "()V", false);
    int local = 1;
    for (int k = 0; k < captured.length; k++) {
      m.visitVarInsn(ALOAD, 0);
      m.visitVarInsn(captured[k].getOpcode(ILOAD), local);
      m.visitFieldInsn(PUTFIELD, name, "c" + k, captured[k].getDescriptor());
      local += captured[k].getSize();
    }
    m.visitInsn(RETURN);
    m.visitMaxs(0, 0);
    m.visitEnd();
  }

  /** What the instruction that made the lambda calls now. */
  private void factory() {
    final MethodVisitor m = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, Names.MAKE,
        Type.getMethodDescriptor(type, captured), null, null);
    m.visitCode();
    m.visitTypeInsn(NEW, name);
    m.visitInsn(DUP);
    int local = 0;
    for (Type c : captured) {
      m.visitVarInsn(c.getOpcode(ILOAD), local);
      local += c.getSize();
    }
    m.visitMethodInsn(INVOKESPECIAL, name, "<init>", constructorDesc(), false);
    m.visitInsn(ARETURN);
    m.visitMaxs(0, 0);
    m.visitEnd();
  }

  private void method(String method, String desc) {
    final MethodVisitor m = writer.visitMethod(ACC_PUBLIC, method, desc, null, null);
    m.visitCode();
    for (int k = 0; k < captured.length; k++) {
      m.visitVarInsn(ALOAD, 0);
      m.visitFieldInsn(GETFIELD, name, "c" + k, captured[k].getDescriptor());
    }
    final Type[] given = Type.getArgumentTypes(desc);
    final Type[] meant = instantiated.getArgumentTypes();
    final Type[] wanted = Type.getArgumentTypes(body.getDesc());
    int local = 1;
    for (int k = 0; k < given.length; k++) {
      m.visitVarInsn(given[k].getOpcode(ILOAD), local);
      local += given[k].getSize();
      final Type to = wanted[captured.length + k];
      if (Types.isPrimitive(given[k])) {
        convert(m, given[k], to);
      } else {
        convert(m, meant[k], meant[k]);
        convert(m, meant[k], to);
      }
    }
    m.visitMethodInsn(INVOKESTATIC, body.getOwner(), body.getName(), body.getDesc(),
        body.isInterface());
    final Type result = Type.getReturnType(desc);
    final Type has = Type.getReturnType(body.getDesc());
    if (result == Type.VOID_TYPE) {
      if (has.getSize() > 0) m.visitInsn(has.getSize() == 1 ? POP : POP2);
    } else {
      convert(m, has, result);
      toJdkArray(m);
    }
    m.visitInsn(result.getOpcode(IRETURN));
    m.visitMaxs(0, 0);
    m.visitEnd();
  }

  /** A stream calls an IntFunction for an array to put its elements into. */
  private void toJdkArray(MethodVisitor m) {
    if (!type.getInternalName().equals("java/util/function/IntFunction")) return;
    if (!Types.isArray(instantiated.getReturnType())) return;
    m.visitMethodInsn(INVOKESTATIC, Names.WRAP, "rawObject",
        "(Ljava/lang/Object;)Ljava/lang/Object;", false);
  }

  private static void convert(MethodVisitor m, Type from, Type to) {
    if (Types.isPrimitive(from) && Types.isPrimitive(to)) {
      widen(m, from, to);
    } else if (Types.isPrimitive(from)) {
      final Type box = Types.box(from);
      m.visitMethodInsn(INVOKESTATIC, box.getInternalName(), "valueOf",
          Type.getMethodDescriptor(box, from), false);
    } else if (Types.isPrimitive(to)) {
      unbox(m, from, to);
    } else if (!to.equals(Types.OBJECT)) {
      m.visitTypeInsn(CHECKCAST, to.getInternalName());
    }
  }

  private static void unbox(MethodVisitor m, Type from, Type to) {
    Type held = to;
    for (Type p : new Type[] {Type.BYTE_TYPE, Type.SHORT_TYPE, Type.CHAR_TYPE, Type.INT_TYPE,
        Type.LONG_TYPE, Type.FLOAT_TYPE}) {
      if (Types.box(p).equals(from)) held = p;
    }
    final Type box = Types.box(held);
    m.visitTypeInsn(CHECKCAST, box.getInternalName());
    m.visitMethodInsn(INVOKEVIRTUAL, box.getInternalName(), held.getClassName() + "Value",
        Type.getMethodDescriptor(held), false);
    widen(m, held, to);
  }

  private static void widen(MethodVisitor m, Type from, Type to) {
    final boolean small = from.getSort() <= Type.INT;
    final int opcode = switch (to.getSort()) {
      case Type.LONG -> small ? I2L : NOP;
      case Type.FLOAT -> small ? I2F : from == Type.LONG_TYPE ? L2F : NOP;
      case Type.DOUBLE -> small ? I2D : from == Type.LONG_TYPE ? L2D
          : from == Type.FLOAT_TYPE ? F2D : NOP;
      default -> NOP;
    };
    if (opcode != NOP) m.visitInsn(opcode);
  }
}
