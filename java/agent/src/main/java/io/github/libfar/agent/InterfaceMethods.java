package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Methods with code of the JDK's interfaces, such as Comparator.reversed and List.of, whose results
 * ranks could not share. They are copied into a class as static methods, which is rewritten like
 * the program. The program's calls of static ones are redirected there, and its classes that
 * inherit the others override them by calls of the copies.
 */
final class InterfaceMethods {
  private static final String FUNCTIONS = "java/util/function/";
  private static final Set<String> WITH_STATIC_METHODS_ONLY =
      Set.of("java/util/List", "java/util/Map", "java/util/Map$Entry", "java/util/Set",
          "java/util/stream/Collector");
  private static final Set<String> WITH_ALL_METHODS = Stream.concat(Stream.of(
      "java/util/Comparator"), Stream.of("BiConsumer", "BiFunction", "BiPredicate",
          "BinaryOperator", "Consumer", "DoubleConsumer", "DoublePredicate", "DoubleUnaryOperator",
          "Function", "IntConsumer", "IntPredicate", "IntUnaryOperator", "LongConsumer",
          "LongPredicate", "LongUnaryOperator", "Predicate", "UnaryOperator")
          .map(name -> FUNCTIONS + name)).collect(Collectors.toUnmodifiableSet());
  static final Set<String> INTERFACES =
      Stream.concat(WITH_STATIC_METHODS_ONLY.stream(), WITH_ALL_METHODS.stream())
          .collect(Collectors.toUnmodifiableSet());

  /** The class with the copies. */
  static String nameOf(String of) {
    return "far/" + of + "$far$Methods";
  }

  private final ClassNode c;
  private final Hierarchy hierarchy;

  InterfaceMethods(ClassNode c, Hierarchy hierarchy) {
    this.c = c;
    this.hierarchy = hierarchy;
  }

  /** In a class that implements such interfaces. */
  void override() {
    if ((c.access & ACC_INTERFACE) != 0) return;
    for (String i : List.copyOf(c.interfaces)) override(hierarchy.find(i));
  }

  private void override(ClassInfo i) {
    if (i == null) return;
    for (String above : i.interfaces) override(hierarchy.find(above));
    if (!WITH_ALL_METHODS.contains(i.name)) return;
    for (Map.Entry<String, Integer> m : i.methods.entrySet()) {
      if ((m.getValue() & (ACC_STATIC | ACC_ABSTRACT | ACC_PRIVATE)) != 0) continue;
      final int cut = m.getKey().indexOf('(');
      final String name = m.getKey().substring(0, cut);
      final String desc = m.getKey().substring(cut);
      if (hierarchy.method(c.name, name, desc) != i) continue;
      if (isDeclared(hierarchy.find(c.name), m.getKey())) continue;
      // It may inherit the interface in more than one way.
      if (c.methods.stream().anyMatch(o -> o.name.equals(name) && o.desc.equals(desc))) continue;
      c.methods.add(call(i.name, name, desc));
    }
  }

  /** Whether the program has a method of its own for it, in the class or above. */
  private boolean isDeclared(ClassInfo in, String method) {
    if (in == null || !in.isRewritten()) return false;
    if (in.methods.containsKey(method)) return true;
    return in.interfaces.stream().anyMatch(i -> isDeclared(hierarchy.find(i), method))
        || isDeclared(hierarchy.find(in.superName), method);
  }

  private static MethodNode call(String of, String name, String desc) {
    final MethodNode m = new MethodNode(ACC_PUBLIC, name, desc, null, null);
    m.instructions.add(new VarInsnNode(ALOAD, 0));
    int local = 1;
    for (Type t : Type.getArgumentTypes(desc)) {
      m.instructions.add(Code.load(t, local));
      local += t.getSize();
    }
    m.instructions.add(Code.call(nameOf(of), name, withObject(of, desc)));
    m.instructions.add(Code.op(Type.getReturnType(desc).getOpcode(IRETURN)));
    m.maxLocals = local;
    return m;
  }

  private static String withObject(String of, String desc) {
    return "(L" + of + ";" + desc.substring(1);
  }

  /** The file of the class with copies of an interface's methods. */
  static byte[] copy(String of) throws IOException {
    final ClassNode from = new ClassNode(Opcodes.ASM9);
    try (InputStream in = ClassLoader.getSystemResourceAsStream(of + ".class")) {
      new ClassReader(in.readAllBytes()).accept(from, 0);
    }
    final ClassWriter writer = new ClassWriter(0);
    writer.visit(from.version, ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, nameOf(of), null,
        Names.OBJECT, new String[0]);
    for (MethodNode m : new ArrayList<>(from.methods)) {
      final boolean isStatic = (m.access & ACC_STATIC) != 0;
      if ((m.access & ACC_ABSTRACT) != 0 || m.name.startsWith("<")) continue;
      for (AbstractInsnNode i : m.instructions) call(i, from);
      final MethodVisitor to = writer.visitMethod(ACC_PUBLIC | ACC_STATIC | ACC_SYNTHETIC, m.name,
          isStatic ? m.desc : withObject(of, m.desc), null, null);
      m.visibleParameterAnnotations = null;
      m.invisibleParameterAnnotations = null;
      m.accept(to);
    }
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** Calls of private methods, which are of the new class now. */
  private static void call(AbstractInsnNode i, ClassNode from) {
    if (i instanceof MethodInsnNode call && isPrivate(from, call.owner, call.name, call.desc)) {
      if (call.getOpcode() != INVOKESTATIC) call.desc = withObject(from.name, call.desc);
      call.setOpcode(INVOKESTATIC);
      call.owner = nameOf(from.name);
      call.itf = false;
    }
    if (!(i instanceof InvokeDynamicInsnNode d)) return;
    for (int k = 0; k < d.bsmArgs.length; k++) {
      if (!(d.bsmArgs[k] instanceof Handle h)) continue;
      if (!isPrivate(from, h.getOwner(), h.getName(), h.getDesc())) continue;
      d.bsmArgs[k] = new Handle(H_INVOKESTATIC, nameOf(from.name), h.getName(),
          h.getTag() == H_INVOKESTATIC ? h.getDesc() : withObject(from.name, h.getDesc()), false);
    }
  }

  private static boolean isPrivate(ClassNode in, String owner, String name, String desc) {
    return owner.equals(in.name) && in.methods.stream().anyMatch(
        m -> m.name.equals(name) && m.desc.equals(desc) && (m.access & ACC_PRIVATE) != 0);
  }
}
