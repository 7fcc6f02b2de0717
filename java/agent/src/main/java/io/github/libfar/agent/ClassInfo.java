package io.github.libfar.agent;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What the rewriting of one class needs to know of another: read from its file, never loaded. */
final class ClassInfo {
  final String name;
  final String superName;
  final List<String> interfaces;
  final int access;
  /** By name and descriptor. */
  final Map<String, Field> fields = new HashMap<>();
  /** The access flags of each method, by name and descriptor. */
  final Map<String, Integer> methods = new HashMap<>();

  /** A declared field. {@code constant}: javac has put its value into whoever reads it. */
  record Field(ClassInfo owner, String name, String desc, int access, boolean constant) {
    boolean isStatic() {
      return (access & Opcodes.ACC_STATIC) != 0;
    }

    boolean isVolatile() {
      return (access & Opcodes.ACC_VOLATILE) != 0;
    }

    /**
     * Whether the field is moved to the object with the class's static fields. Constants are the
     * same on every rank already. So are an enum's constants, and each rank makes its own of what is
     * final in an enum and cannot change, or not be shared. The other exceptions are fields that the
     * compiler has made up, or that only the JDK's serialization reads.
     */
    boolean isMoved() {
      if (!isStatic() || constant || !owner.isRewritten()) return false;
      if (owner.isEnum()) {
        if ((access & (Opcodes.ACC_ENUM | Opcodes.ACC_SYNTHETIC)) != 0) return false;
        if ((access & Opcodes.ACC_FINAL) != 0 && !mayBeShared()) return false;
      }
      if (isAssertionFlag() || name.equals("serialPersistentFields")) return false;
      return !((access & Opcodes.ACC_SYNTHETIC) != 0 && name.startsWith("$SwitchMap$"));
    }

    private boolean mayBeShared() {
      if (desc.startsWith("[")) return true;
      if (!desc.startsWith("L")) return false;
      final String type = desc.substring(1, desc.length() - 1);
      return Scope.contains(type) || type.equals(Names.OBJECT) || Scope.isInterfaceOfJdk(type);
    }

    boolean isAssertionFlag() {
      return name.equals("$assertionsDisabled") && desc.equals("Z");
    }

    /** Whether the field keeps an array as it is, because the JDK looks at it. */
    boolean keepsArray() {
      return !owner.isRewritten() || owner.isEnum() && (access & Opcodes.ACC_SYNTHETIC) != 0;
    }
  }

  /** Whether nobody can tell when the class is initialized: that only makes its own values. */
  private boolean isQuiet = true;

  private ClassInfo(String name, String superName, String[] interfaces, int access) {
    this.name = name;
    this.superName = superName;
    this.interfaces = interfaces == null ? List.of() : List.of(interfaces);
    this.access = access;
  }

  static ClassInfo of(byte[] classFile) {
    final ClassInfo[] made = new ClassInfo[1];
    final int skip = ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES;
    final ClassVisitor collect = new ClassVisitor(Opcodes.ASM9) {
      @Override
      public void visit(int version, int access, String name, String signature, String superName,
          String[] interfaces) {
        made[0] = new ClassInfo(name, superName, interfaces, access);
      }

      @Override
      public FieldVisitor visitField(int access, String name, String desc, String signature,
          Object value) {
        final int constant = Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
        made[0].fields.put(name + desc, new Field(made[0], name, desc, access,
            value != null && (access & constant) == constant));
        return null;
      }

      @Override
      public MethodVisitor visitMethod(int access, String name, String desc, String signature,
          String[] exceptions) {
        made[0].methods.put(name + desc, access);
        return name.equals("<clinit>") ? made[0].new Initializer() : null;
      }
    };
    final ClassReader reader = new ClassReader(classFile);
    final boolean renames = Scope.contains(reader.getClassName());
    reader.accept(renames ? Twins.renaming(collect) : collect, skip);
    return made[0];
  }

  /** Of a method that the class declares. */
  boolean isNative(String method, String desc) {
    final Integer flags = methods.get(method + desc);
    return flags != null && (flags & Opcodes.ACC_NATIVE) != 0;
  }

  boolean isQuiet() {
    return isQuiet;
  }

  /** Looks at the code that initializes the class. */
  private final class Initializer extends MethodVisitor {
    Initializer() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitInsn(int op) {
      if (op == Opcodes.MONITORENTER || op == Opcodes.ATHROW) isQuiet = false;
    }

    @Override
    public void visitFieldInsn(int op, String owner, String field, String desc) {
      if (!owner.equals(name)) isQuiet = false;
    }

    @Override
    public void visitTypeInsn(int op, String type) {
      if (op == Opcodes.NEW && !type.equals(Names.OBJECT)) isQuiet = false;
    }

    @Override
    public void visitMethodInsn(int op, String owner, String method, String desc, boolean itf) {
      if (!Facts.isPure(owner, method, desc) && !method.equals("desiredAssertionStatus")) {
        isQuiet = false;
      }
    }

    @Override
    public void visitInvokeDynamicInsn(String made, String desc, Handle by, Object... with) {
      isQuiet = false;
    }
  }

  /** The descriptors of the constructors, in the order in which they are everywhere. */
  List<String> constructors() {
    return methods.keySet().stream().filter(m -> m.startsWith("<init>"))
        .map(m -> m.substring("<init>".length())).sorted().toList();
  }

  /** Whether other packages may use the class; if it is within another one, so much as known. */
  boolean isPublicWithin() {
    return (access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0;
  }

  boolean isInterface() {
    return (access & Opcodes.ACC_INTERFACE) != 0;
  }

  boolean isEnum() {
    return (access & Opcodes.ACC_ENUM) != 0 || "java/lang/Enum".equals(superName);
  }

  /** Annotations are left alone: the JDK implements them. */
  boolean isRewritten() {
    return Scope.contains(name) && (access & (Opcodes.ACC_ANNOTATION | Opcodes.ACC_MODULE)) == 0;
  }
}
