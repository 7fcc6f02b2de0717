package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/**
 * Instructions that the JDK links: string concatenation, methods of records, and what other
 * compilers make. Lambdas have become classes before (LambdaClasses).
 */
final class IndyCode {
  private final Code code;

  IndyCode(Code code) {
    this.code = code;
  }

  void rewrite(InvokeDynamicInsnNode i) {
    if (i.bsm.getOwner().equals("java/lang/runtime/ObjectMethods")) testRecords(i);
    if (i.bsm.getOwner().equals("java/lang/invoke/StringConcatFactory")) freshTexts(i);
    i.desc = Types.mapMethod(i.desc);
    for (int k = 0; k < i.bsmArgs.length; k++) i.bsmArgs[k] = map(i.bsmArgs[k]);
  }

  private Object map(Object argument) {
    if (argument instanceof Type t && t.getSort() == Type.METHOD) {
      return Type.getMethodType(Types.mapMethod(t.getDescriptor()));
    }
    return argument instanceof Handle h ? map(h) : argument;
  }

  private Handle map(Handle h) {
    if (h.getDesc().indexOf('[') < 0) return h;
    if (h.getTag() <= H_PUTSTATIC) {
      final ClassInfo.Field field = code.hierarchy.field(h.getOwner(), h.getName(), h.getDesc());
      if (field != null && field.keepsArray()) return h;
      return new Handle(h.getTag(), h.getOwner(), h.getName(), Types.map(h.getDesc()),
          h.isInterface());
    }
    final ClassInfo declares = code.hierarchy.method(h.getOwner(), h.getName(), h.getDesc());
    if (declares == null
        || !CallCode.isMapped(code.hierarchy, declares, h.getName(), h.getDesc())) {
      return h;
    }
    final Signatures.Method now = Signatures.of(declares, h.getName(), h.getDesc());
    return new Handle(h.getTag(), h.getOwner(), now.name(), now.desc(), h.isInterface());
  }

  /** The JDK will read the fields of the record: of both, if the method is equals. */
  private void testRecords(InvokeDynamicInsnNode i) {
    final String record = Type.getArgumentTypes(i.desc)[0].getInternalName();
    final String owner = Code.testOwner(code.hierarchy, record);
    if (owner == null) return;
    if (i.name.equals("equals")) {
      code.before(i, Code.op(DUP2), Code.call(Names.SLOW, "readAny", "(Ljava/lang/Object;)V"),
          Code.test(owner, false));
    } else {
      code.before(i, Code.op(DUP), Code.test(owner, false));
    }
  }

  /** Texts that ranks share are brought up to date. What is above the first one waits in locals. */
  private void freshTexts(InvokeDynamicInsnNode i) {
    final Type[] arguments = Type.getArgumentTypes(i.desc);
    int first = 0;
    while (first < arguments.length && !CallCode.mayBeText(arguments[first])) first++;
    if (first == arguments.length) return;
    final InsnList list = new InsnList();
    final int[] local = new int[arguments.length];
    int next = code.firstTemp;
    for (int k = arguments.length - 1; k >= first; k--) {
      local[k] = next;
      next += arguments[k].getSize();
      list.add(Code.store(Types.map(arguments[k]), local[k]));
    }
    for (int k = first; k < arguments.length; k++) {
      list.add(Code.load(Types.map(arguments[k]), local[k]));
      if (!CallCode.mayBeText(arguments[k])) continue;
      list.add(Code.op(DUP));
      list.add(Code.call(Names.TEXTS, "fresh", "(Ljava/lang/Object;)Ljava/lang/Object;"));
      list.add(Code.op(POP));
    }
    code.method.instructions.insertBefore(i, list);
  }
}
