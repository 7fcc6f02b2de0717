package io.github.libfar.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Makes a class of each lambda and method reference: the JDK's own have no names, so another rank
 * could not make their objects. Works on a class as it was compiled, and makes classes as javac
 * would have: all of them are rewritten afterwards.
 */
final class LambdaClasses {
  private static final Handle LINK = new Handle(H_INVOKESTATIC, Names.LAMBDAS, "link",
      "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
          + "Ljava/lang/String;)Ljava/lang/invoke/CallSite;", false);

  private final ClassNode owner;
  private final Map<String, byte[]> made = new LinkedHashMap<>();

  LambdaClasses(ClassNode owner) {
    this.owner = owner;
  }

  /** Returns the files of the classes, by name. */
  Map<String, byte[]> make() {
    owner.methods.removeIf(m -> m.name.equals("$deserializeLambda$"));
    for (MethodNode m : new ArrayList<>(owner.methods)) {
      for (AbstractInsnNode i : m.instructions.toArray()) {
        if (i instanceof InvokeDynamicInsnNode d
            && d.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory")) {
          replace(m, d);
        }
      }
    }
    return made;
  }

  private void replace(MethodNode in, InvokeDynamicInsnNode i) {
    final int number = made.size();
    final String name = owner.name + Names.LAMBDA_INFIX + number;
    final Handle body = (Handle) i.bsmArgs[1];
    final MethodNode caller = caller("far$lambda$" + number, body);
    owner.methods.add(caller);
    final boolean isInterface = (owner.access & ACC_INTERFACE) != 0;
    made.put(name, new LambdaClass(name, owner, i, new Handle(H_INVOKESTATIC, owner.name,
        caller.name, caller.desc, isInterface)).bytes());
    in.instructions.set(i, new InvokeDynamicInsnNode(Names.MAKE, i.desc, LINK,
        name.replace('/', '.')));
  }

  /** A static method of the class that may call what the lambda calls, private or not. */
  private MethodNode caller(String name, Handle body) {
    final List<Type> parameters = new ArrayList<>();
    final boolean makes = body.getTag() == H_NEWINVOKESPECIAL;
    if (body.getTag() != H_INVOKESTATIC && !makes) {
      parameters.add(Type.getObjectType(body.getOwner()));
    }
    parameters.addAll(List.of(Type.getArgumentTypes(body.getDesc())));
    final Type result = makes ? Type.getObjectType(body.getOwner())
        : Twins.typeOf(Type.getReturnType(body.getDesc()));
    final MethodNode m = new MethodNode(ACC_PUBLIC | ACC_STATIC | ACC_SYNTHETIC, name,
        Type.getMethodDescriptor(result, parameters.toArray(new Type[0])), null, null);
    if (makes) {
      m.instructions.add(new TypeInsnNode(NEW, body.getOwner()));
      m.instructions.add(new InsnNode(DUP));
    }
    int local = 0;
    for (Type p : parameters) {
      m.instructions.add(Code.load(p, local));
      local += p.getSize();
    }
    final int opcode = switch (body.getTag()) {
      case H_INVOKESTATIC -> INVOKESTATIC;
      case H_INVOKEVIRTUAL -> INVOKEVIRTUAL;
      case H_INVOKEINTERFACE -> INVOKEINTERFACE;
      default -> INVOKESPECIAL;
    };
    m.instructions.add(new MethodInsnNode(opcode, body.getOwner(), body.getName(), body.getDesc(),
        body.isInterface()));
    m.instructions.add(new InsnNode(result.getOpcode(IRETURN)));
    m.maxLocals = local;
    m.maxStack = local + 3;
    return m;
  }
}
