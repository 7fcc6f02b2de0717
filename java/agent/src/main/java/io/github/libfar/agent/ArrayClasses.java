package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * Makes the classes of objects around arrays, IntArray and eight more: they differ in one type. In
 * Java, the one for int would be
 *
 * <pre>
 *   public final class IntArray extends SharedArray {
 *     public final int[] a;
 *     public IntArray(int[] a) { this.a = a; }
 *     public static IntArray made(int[] a) { return new IntArray(a); }
 *     public static IntArray wrap(int[] a) { return (IntArray) wrapAny(a); }
 *     public static int[] raw(IntArray w) { return (int[]) rawOf(w); }
 *     public static IntArray cast(Object o) { return (IntArray) wrapAny(o); }
 *     protected Object raw() { return a; }
 *     protected SharedArray around(Object a) { return new IntArray((int[]) a); }
 *   }
 * </pre>
 */
final class ArrayClasses {
  private static final String ABOVE = Names.SHARED_ARRAY;
  private static final String[] TYPES = {
    "[Z", "[B", "[C", "[S", "[I", "[J", "[F", "[D", "[Ljava/lang/Object;"
  };

  private final String name;
  private final Type array;
  private final ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);

  private ArrayClasses(Type array) {
    this.array = array;
    name = Types.wrapper(array).getInternalName();
  }

  static void define(ClassLoader loader) {
    for (String t : TYPES) {
      final ArrayClasses made = new ArrayClasses(Type.getType(t));
      Definer.define(loader, made.name, made.file());
    }
  }

  private byte[] file() {
    w.visit(V1_8, ACC_PUBLIC | ACC_FINAL | ACC_SUPER, name, null, ABOVE, null);
    w.visitField(ACC_PUBLIC | ACC_FINAL, "a", array.getDescriptor(), null, null);
    constructor();
    final String self = "L" + name + ";";
    final String raw = array.getDescriptor();
    final boolean refs = Types.isReferences(array);
    final MethodVisitor made = begin(ACC_PUBLIC | ACC_STATIC, "made", "(" + raw + ")" + self);
    make(made, 0, false);
    converting("wrap", raw, self, "wrapAny", "(Ljava/lang/Object;)L" + ABOVE + ";", name);
    converting("raw", self, raw, "rawOf", "(L" + ABOVE + ";)Ljava/lang/Object;",
        array.getInternalName());
    if (refs) {
      castOfReferences(self);
    } else {
      converting("cast", "Ljava/lang/Object;", self, "wrapAny",
          "(Ljava/lang/Object;)L" + ABOVE + ";", name);
    }
    final MethodVisitor get = begin(ACC_PROTECTED, "raw", "()Ljava/lang/Object;");
    get.visitVarInsn(ALOAD, 0);
    get.visitFieldInsn(GETFIELD, name, "a", raw);
    end(get);
    final MethodVisitor around =
        begin(ACC_PROTECTED, "around", "(Ljava/lang/Object;)L" + ABOVE + ";");
    make(around, 1, true);
    w.visitEnd();
    return w.toByteArray();
  }

  private void constructor() {
    final MethodVisitor m = begin(ACC_PUBLIC, "<init>", "(" + array.getDescriptor() + ")V");
    m.visitVarInsn(ALOAD, 0);
    m.visitMethodInsn(INVOKESPECIAL, ABOVE, "<init>", "()V", false);
    m.visitVarInsn(ALOAD, 0);
    m.visitVarInsn(ALOAD, 1);
    m.visitFieldInsn(PUTFIELD, name, "a", array.getDescriptor());
    m.visitInsn(RETURN);
    m.visitMaxs(0, 0);
    m.visitEnd();
  }

  /** RefArray.cast is told of which class the array inside must be. */
  private void castOfReferences(String self) {
    final MethodVisitor m = begin(ACC_PUBLIC | ACC_STATIC, "cast",
        "(Ljava/lang/Object;Ljava/lang/Class;)" + self);
    m.visitVarInsn(ALOAD, 0);
    m.visitVarInsn(ALOAD, 1);
    m.visitMethodInsn(INVOKESTATIC, ABOVE, "castTo",
        "(Ljava/lang/Object;Ljava/lang/Class;)L" + ABOVE + ";", false);
    m.visitTypeInsn(CHECKCAST, name);
    end(m);
  }

  private MethodVisitor begin(int access, String method, String desc) {
    final MethodVisitor m = w.visitMethod(access, method, desc, null, null);
    m.visitCode();
    return m;
  }

  private void make(MethodVisitor m, int local, boolean casts) {
    m.visitTypeInsn(NEW, name);
    m.visitInsn(DUP);
    m.visitVarInsn(ALOAD, local);
    if (casts) m.visitTypeInsn(CHECKCAST, array.getInternalName());
    m.visitMethodInsn(INVOKESPECIAL, name, "<init>", "(" + array.getDescriptor() + ")V", false);
    end(m);
  }

  private void converting(String method, String from, String to, String by, String byDesc,
      String cast) {
    final MethodVisitor m = begin(ACC_PUBLIC | ACC_STATIC, method, "(" + from + ")" + to);
    m.visitVarInsn(ALOAD, 0);
    m.visitMethodInsn(INVOKESTATIC, ABOVE, by, byDesc, false);
    m.visitTypeInsn(CHECKCAST, cast);
    end(m);
  }

  private static void end(MethodVisitor m) {
    m.visitInsn(ARETURN);
    m.visitMaxs(0, 0);
    m.visitEnd();
  }
}
