package io.github.libfar.agent;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.JSRInlinerAdapter;

/**
 * Compilers of before Java 6 made a subroutine of a `finally` block, which the method calls where
 * the block is left. What analyses methods here knows no subroutines: their code is put where they
 * are called.
 */
final class Subroutines extends ClassVisitor {
  Subroutines(ClassVisitor to) {
    super(Opcodes.ASM9, to);
  }

  @Override
  public MethodVisitor visitMethod(int access, String name, String desc, String signature,
      String[] exceptions) {
    return new JSRInlinerAdapter(super.visitMethod(access, name, desc, signature, exceptions),
        access, name, desc, signature, exceptions);
  }
}
