package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Where the JDK calls a method of the program with arrays (InputStream.read, main), a method with
 * the old descriptor passes them on. It is found before descriptors change, and added after.
 */
final class ForeignBridges {
  private static final String MAIN = "main([Ljava/lang/String;)V";

  private final ClassNode c;
  private final ClassInfo info;
  private final Conversions conversions = new Conversions();
  private final List<MethodNode> bridges = new ArrayList<>();

  ForeignBridges(ClassNode c, ClassInfo info, Hierarchy hierarchy) {
    this.c = c;
    this.info = info;
    final boolean isInterface = (c.access & ACC_INTERFACE) != 0;
    for (MethodNode m : c.methods) {
      if (m.desc.indexOf('[') < 0 || !CallCode.keepsNewDesc(info, m.name, m.desc)) continue;
      if (m.name.startsWith("<") || (m.access & ACC_PRIVATE) != 0) continue;
      if (isInterface && (m.access & ACC_ABSTRACT) != 0) continue;
      final boolean isMain = (m.access & ACC_STATIC) != 0 && (m.name + m.desc).equals(MAIN);
      final boolean mayOverride = (m.access & ACC_STATIC) == 0;
      if (isMain || mayOverride && hierarchy.overridesForeign(info, m.name, m.desc)) {
        bridges.add(bridge(m, isInterface));
      }
    }
  }

  void add() {
    c.methods.addAll(bridges);
  }

  private MethodNode bridge(MethodNode to, boolean isInterface) {
    final int kept = ACC_PUBLIC | ACC_PROTECTED | ACC_STATIC | ACC_VARARGS | ACC_FINAL;
    final MethodNode m = new MethodNode(to.access & kept, to.name, to.desc, null,
        to.exceptions.toArray(new String[0]));
    final boolean isStatic = (to.access & ACC_STATIC) != 0;
    final InsnList list = m.instructions;
    int local = 0;
    if (!isStatic) list.add(new VarInsnNode(ALOAD, local++));
    for (Type t : Type.getArgumentTypes(to.desc)) {
      list.add(Code.load(t, local));
      local += t.getSize();
      if (Types.isArray(t)) list.add(conversions.wrap(t));
    }
    final int opcode = isStatic ? INVOKESTATIC : isInterface ? INVOKEINTERFACE : INVOKEVIRTUAL;
    final Signatures.Method now = Signatures.of(info, to.name, to.desc);
    list.add(new MethodInsnNode(opcode, c.name, now.name(), now.desc(), isInterface));
    final Type result = Type.getReturnType(to.desc);
    if (Types.isArray(result)) list.add(conversions.unwrap(result));
    list.add(new InsnNode(result.getOpcode(IRETURN)));
    m.maxLocals = local;
    return m;
  }
}
