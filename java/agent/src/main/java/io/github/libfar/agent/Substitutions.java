package io.github.libfar.agent;

import java.util.HashMap;
import java.util.Map;

/**
 * Methods of the JDK that a rewritten program must not call as they are: each has a static one of
 * the same name in the run time, whose first parameter is the object. Where its class is rewritten
 * itself, arrays are passed as the program has them.
 */
final class Substitutions {
  private static final Map<String, String> CLASS_OF = new HashMap<>();

  static {
    add(Names.SUBSTITUTES, "java/lang/System", "exit(I)V", "identityHashCode(Ljava/lang/Object;)I",
        "arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V");
    add(Names.SUBSTITUTES, "java/lang/Runtime", "exit(I)V", "halt(I)V");
    add(Names.SUBSTITUTES, "java/lang/Class", "isInstance(Ljava/lang/Object;)Z",
        "cast(Ljava/lang/Object;)Ljava/lang/Object;");
    add(Names.SUBSTITUTES, "java/util/Arrays",
        "deepToString([Ljava/lang/Object;)Ljava/lang/String;",
        "deepEquals([Ljava/lang/Object;[Ljava/lang/Object;)Z",
        "deepHashCode([Ljava/lang/Object;)I");
    add(Names.SUBSTITUTES, "java/lang/reflect/Array",
        "newInstance(Ljava/lang/Class;I)Ljava/lang/Object;",
        "newInstance(Ljava/lang/Class;[I)Ljava/lang/Object;", "getLength(Ljava/lang/Object;)I");
    addReflection();
    add(Names.SERIALIZED, "java/io/ObjectOutput", "writeObject(Ljava/lang/Object;)V");
    add(Names.SERIALIZED, "java/io/ObjectOutputStream", "writeObject(Ljava/lang/Object;)V",
        "writeUnshared(Ljava/lang/Object;)V");
    add(Names.SUBSTITUTES, Names.OBJECT, "getClass()Ljava/lang/Class;");
    add(Names.WRAP, Names.OBJECT, "hashCode()I");
    add(Names.WRAP, "java/lang/Enum", "hashCode()I");
    add(Names.SUBSTITUTES, "java/util/Objects", "hashCode(Ljava/lang/Object;)I",
        "hash([Ljava/lang/Object;)I");
    // Of their own, these would return what ranks cannot share.
    add(Names.CONCURRENT + "Arrays", "java/util/Arrays",
        "asList([Ljava/lang/Object;)Ljava/util/List;");
    add(Names.CONCURRENT + "Streams", "java/util/stream/Stream", "toList()Ljava/util/List;");
    for (String m : TextMethods.METHODS) {
      add(Names.BUILDERS, "java/lang/StringBuilder", m.replace("@", "StringBuilder"));
      add(Names.BUFFERS, "java/lang/StringBuffer", m.replace("@", "StringBuffer"));
    }
    add(Names.MONITORS, Names.OBJECT, "wait()V", "wait(J)V", "wait(JI)V", "notify()V",
        "notifyAll()V");
    add(Names.THREADS, Names.THREAD, "join()V", "join(J)V", "join(JI)V", "isAlive()Z",
        "getName()Ljava/lang/String;", "setName(Ljava/lang/String;)V", "isDaemon()Z",
        "setDaemon(Z)V", "currentThread()Ljava/lang/Thread;", "sleep(J)V", "sleep(JI)V",
        "yield()V", "onSpinWait()V", "getId()J", "threadId()J", "interrupt()V", "isInterrupted()Z",
        "interrupted()Z", "setPriority(I)V", "getPriority()I",
        "setUncaughtExceptionHandler(Ljava/lang/Thread$UncaughtExceptionHandler;)V");
    add(Names.THREAD_QUERIES, Names.THREAD, "getState()Ljava/lang/Thread$State;",
        "getThreadGroup()Ljava/lang/ThreadGroup;",
        "getStackTrace()[Ljava/lang/StackTraceElement;",
        "getContextClassLoader()Ljava/lang/ClassLoader;",
        "setContextClassLoader(Ljava/lang/ClassLoader;)V");
  }

  private static void addReflection() {
    final String field = "java/lang/reflect/Field";
    add(Names.REFLECTED, "sun/misc/Unsafe", "objectFieldOffset(L" + field + ";)J",
        "arrayBaseOffset(Ljava/lang/Class;)I");
    final String handle = "Ljava/lang/invoke/MethodHandle;";
    final String byName = "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)";
    add(Names.REFLECTED, "java/lang/invoke/MethodHandles$Lookup",
        "findVarHandle" + byName + "Ljava/lang/invoke/VarHandle;",
        "unreflectVarHandle(L" + field + ";)Ljava/lang/invoke/VarHandle;",
        "findGetter" + byName + handle, "findSetter" + byName + handle,
        "unreflectGetter(L" + field + ";)" + handle, "unreflectSetter(L" + field + ";)" + handle);
  }

  private static void add(String by, String owner, String... methods) {
    for (String method : methods) CLASS_OF.put(owner + '.' + method, by);
  }

  /** The run time's class with the method to call instead; null: there is none. */
  static String classOf(String owner, String name, String desc) {
    return CLASS_OF.get(owner + '.' + name + desc);
  }

  private Substitutions() {}
}
