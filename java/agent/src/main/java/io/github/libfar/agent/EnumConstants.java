package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Has an enumeration share its constants at the end of its initializer: see shared.Constants. */
final class EnumConstants {
  static void share(ClassNode c) {
    if (!c.superName.equals("java/lang/Enum") || !mayHaveFields(c)) return;
    for (MethodNode m : c.methods) {
      if (!m.name.equals("<clinit>")) continue;
      for (AbstractInsnNode i : m.instructions.toArray()) {
        if (i.getOpcode() != RETURN) continue;
        m.instructions.insertBefore(i, Code.list(new LdcInsnNode(Type.getObjectType(c.name)),
            Code.call(Names.CONSTANTS, "opened", "(Ljava/lang/Class;)V")));
      }
    }
  }

  /** Constants with bodies may have some of their own. */
  private static boolean mayHaveFields(ClassNode c) {
    return (c.access & ACC_FINAL) == 0
        || c.fields.stream().anyMatch(f -> (f.access & ACC_STATIC) == 0);
  }

  private EnumConstants() {}
}
