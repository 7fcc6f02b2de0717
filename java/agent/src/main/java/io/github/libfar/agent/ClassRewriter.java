package io.github.libfar.agent;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.RecordComponentNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/** Rewrites a class, and makes the classes that belong to it. */
final class ClassRewriter {
  /** The first version whose code may name a class as a constant. */
  private static final int CLASS_CONSTANTS = Opcodes.V1_5;

  /**
   * @param lambdas the files of classes to be defined when they are needed, by name
   * @param statics the file of the class with the static fields, to be defined at once; or null
   */
  record Result(byte[] file, Map<String, byte[]> lambdas, byte[] statics) {}

  private final Hierarchy hierarchy;
  private final ClassNode c = new ClassNode(Opcodes.ASM9);
  private final ClassInfo info;

  private ClassRewriter(Hierarchy hierarchy, byte[] file) {
    this.hierarchy = hierarchy;
    info = hierarchy.add(file);
    new ClassReader(file).accept(Twins.renaming(new Subroutines(c)), ClassReader.EXPAND_FRAMES);
  }

  /** Returns null if the class stays as it is. */
  static Result rewrite(Hierarchy hierarchy, byte[] file) throws AnalyzerException {
    final ClassRewriter rewriter = new ClassRewriter(hierarchy, file);
    return rewriter.info.isRewritten() ? rewriter.rewrite() : null;
  }

  private Result rewrite() throws AnalyzerException {
    if ((c.version & 0xffff) < CLASS_CONSTANTS) {
      c.version = CLASS_CONSTANTS;
      // Old compilers set it, which the JVM accepts of old versions only.
      if ((c.access & Opcodes.ACC_INTERFACE) != 0) c.access &= ~Opcodes.ACC_SUPER;
    }
    final Map<String, byte[]> lambdas = new LinkedHashMap<>(new LambdaClasses(c).make());
    final StaticFields statics = new StaticFields(c, info);
    final ForeignBridges bridges = new ForeignBridges(c, info, hierarchy);
    for (MethodNode m : c.methods) {
      if (m.instructions.size() > 0 && !CallCode.isEnumConstants(info, m.name, m.desc)) {
        new MethodRewriter(c, m, hierarchy).rewrite();
      }
      m.localVariables = mapLocals(m);
      m.visibleLocalVariableAnnotations = null;
      m.invisibleLocalVariableAnnotations = null;
    }
    final byte[] staticsFile = statics.move();
    new VolatileFields(c, info).addAccessors();
    mapDeclarations();
    bridges.add();
    new InterfaceMethods(c, hierarchy).override();
    EnumConstants.share(c);
    Finalizers.guard(c);
    new SynchronizedMethods(c).split();
    new HiddenState(c, hierarchy).add();
    final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    c.accept(writer);
    return new Result(writer.toByteArray(), lambdas, staticsFile);
  }

  private ArrayList<LocalVariableNode> mapLocals(MethodNode m) {
    if (m.localVariables == null) return null;
    final ArrayList<LocalVariableNode> mapped = new ArrayList<>();
    for (LocalVariableNode v : m.localVariables) {
      mapped.add(new LocalVariableNode(v.name, Types.map(v.desc), null, v.start, v.end, v.index));
    }
    return mapped;
  }

  private void mapDeclarations() {
    for (FieldNode f : c.fields) {
      final ClassInfo.Field field = info.fields.get(f.name + f.desc);
      if (f.desc.startsWith("[") && (field == null || !field.keepsArray())) {
        f.desc = Types.map(f.desc);
        f.signature = null;
      }
    }
    for (MethodNode m : c.methods) {
      if (m.desc.indexOf('[') < 0 || !CallCode.keepsNewDesc(info, m.name, m.desc)) continue;
      final Signatures.Method now = Signatures.of(info, m.name, m.desc);
      if (m.name.equals("<init>")) Signatures.castArguments(m, now.desc());
      m.name = now.name();
      m.desc = now.desc();
      m.signature = null;
    }
    if (c.recordComponents == null) return;
    for (RecordComponentNode r : c.recordComponents) {
      if (!r.descriptor.startsWith("[")) continue;
      r.descriptor = Types.map(r.descriptor);
      r.signature = null;
    }
  }
}
