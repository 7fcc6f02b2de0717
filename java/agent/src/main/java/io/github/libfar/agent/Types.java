package io.github.libfar.agent;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FrameNode;

/**
 * What becomes of types: an array of numbers becomes an object of a class such as DoubleArray, one
 * of references a RefArray. The array is inside: {@code int[][]} is a RefArray around an
 * {@code IntArray[]}.
 */
final class Types {
  static final Type OBJECT = Type.getObjectType(Names.OBJECT);

  static boolean isArray(Type t) {
    return t != null && t.getSort() == Type.ARRAY;
  }

  static Type elementOf(Type array) {
    return Type.getType(array.getDescriptor().substring(1));
  }

  /** The class of the objects that stand for arrays of this type. */
  static Type wrapper(Type array) {
    final Type element = elementOf(array);
    final String name = switch (element.getSort()) {
      case Type.BOOLEAN -> "Boolean";
      case Type.BYTE -> "Byte";
      case Type.CHAR -> "Char";
      case Type.SHORT -> "Short";
      case Type.INT -> "Int";
      case Type.LONG -> "Long";
      case Type.FLOAT -> "Float";
      case Type.DOUBLE -> "Double";
      default -> "Ref";
    };
    return Type.getObjectType("io/github/libfar/shared/" + name + "Array");
  }

  /** The array inside such an object, as its field says. */
  static Type rawField(Type array) {
    return isReferences(array) ? Type.getType("[Ljava/lang/Object;") : array;
  }

  /** The array inside such an object, as it is. */
  static Type raw(Type array) {
    return isReferences(array) ? Type.getType("[" + map(elementOf(array)).getDescriptor()) : array;
  }

  static boolean isReferences(Type array) {
    return elementOf(array).getSort() >= Type.ARRAY;
  }

  static Type map(Type t) {
    return isArray(t) ? wrapper(t) : t;
  }

  static String map(String desc) {
    return desc.startsWith("[") ? map(Type.getType(desc)).getDescriptor() : desc;
  }

  static String mapMethod(String desc) {
    if (desc.indexOf('[') < 0) return desc;
    final Type[] arguments = Type.getArgumentTypes(desc);
    for (int i = 0; i < arguments.length; i++) arguments[i] = map(arguments[i]);
    return Type.getMethodDescriptor(map(Type.getReturnType(desc)), arguments);
  }

  /** A class's name or an array's descriptor, as instructions and frames have them. */
  static String mapName(String name) {
    return name.startsWith("[") ? wrapper(Type.getObjectType(name)).getInternalName() : name;
  }

  static void map(FrameNode frame) {
    map(frame.local);
    map(frame.stack);
  }

  private static void map(List<Object> types) {
    if (types == null) return;
    types.replaceAll(t -> t instanceof String name ? mapName(name) : t);
  }

  /** The type that newarray's operand means. */
  static Type ofNewArray(int operand) {
    return Type.getType("[" + switch (operand) {
      case Opcodes.T_BOOLEAN -> "Z";
      case Opcodes.T_CHAR -> "C";
      case Opcodes.T_FLOAT -> "F";
      case Opcodes.T_DOUBLE -> "D";
      case Opcodes.T_BYTE -> "B";
      case Opcodes.T_SHORT -> "S";
      case Opcodes.T_INT -> "I";
      default -> "J";
    });
  }

  /**
   * What the program makes objects of, and extends, in place of a class of the JDK: the run time's
   * subclass of it, with hidden state.
   */
  static String substitute(String name) {
    return switch (name) {
      case Names.OBJECT -> Names.SHARED_OBJECT;
      case Names.THREAD -> Names.SHARED_THREAD;
      case Names.RANDOM -> Names.SHARED_RANDOM;
      default -> name;
    };
  }

  /** The box of a primitive type. */
  static Type box(Type primitive) {
    return Type.getObjectType("java/lang/" + switch (primitive.getSort()) {
      case Type.BOOLEAN -> "Boolean";
      case Type.BYTE -> "Byte";
      case Type.CHAR -> "Character";
      case Type.SHORT -> "Short";
      case Type.INT -> "Integer";
      case Type.LONG -> "Long";
      case Type.FLOAT -> "Float";
      default -> "Double";
    });
  }

  /** What a frame says of a value of the type. */
  static Object ofFrame(Type t) {
    return switch (t.getSort()) {
      case Type.LONG -> Opcodes.LONG;
      case Type.FLOAT -> Opcodes.FLOAT;
      case Type.DOUBLE -> Opcodes.DOUBLE;
      case Type.ARRAY -> t.getDescriptor();
      case Type.OBJECT -> t.getInternalName();
      default -> Opcodes.INTEGER;
    };
  }

  static boolean isPrimitive(Type t) {
    return t.getSort() < Type.ARRAY;
  }

  private Types() {}
}
