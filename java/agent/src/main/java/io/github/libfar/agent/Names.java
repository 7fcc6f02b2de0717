package io.github.libfar.agent;

/** The names that rewritten classes and the run time have agreed on. */
final class Names {
  static final String OBJECT = "java/lang/Object";
  static final String THREAD = "java/lang/Thread";
  static final String RANDOM = "java/util/Random";

  private static final String RUNTIME = "io/github/libfar/shared/";
  static final String SHARED = RUNTIME + "Shared";
  static final String SHARED_OBJECT = RUNTIME + "SharedObject";
  static final String SHARED_THREAD = RUNTIME + "SharedThread";
  static final String CONCURRENT = "io/github/libfar/concurrent/";
  static final String SHARED_RANDOM = CONCURRENT + "Random";
  static final String ADOPT = CONCURRENT + "Adopt";
  static final String MIRROR = RUNTIME + "Mirror";
  static final String SHARED_ARRAY = RUNTIME + "SharedArray";
  static final String REF_ARRAY = RUNTIME + "RefArray";
  static final String FOREIGN = RUNTIME + "Foreign";
  static final String WRAP = RUNTIME + "Wrap";
  static final String STATICS = RUNTIME + "Statics";
  static final String MONITORS = RUNTIME + "Monitors";
  static final String VOLATILES = RUNTIME + "Volatiles";
  static final String SUBSTITUTES = RUNTIME + "Substitutes";
  static final String CONSTANTS = RUNTIME + "Constants";
  static final String ELSEWHERE = RUNTIME + "Elsewhere";
  static final String SERIALIZED = RUNTIME + "Serialized";
  static final String REFLECTED = RUNTIME + "Reflected";
  static final String THREADS = RUNTIME + "Threads";
  static final String THREAD_QUERIES = RUNTIME + "ThreadQueries";
  static final String TEXTS = RUNTIME + "Texts";
  static final String BUILDERS = RUNTIME + "Builders";
  static final String BUFFERS = RUNTIME + "Buffers";
  static final String SLOW = RUNTIME + "Slow";
  static final String LAMBDAS = "io/github/libfar/agent/Lambdas";

  static final String STATE_FIELD = "far$state";
  static final String MIRROR_FIELD = "far$mirror";
  /** Static methods that test the state of their argument: see SharedObject. */
  static final String READ = "far$read";
  static final String WRITE = "far$write";
  /** The same, where there may be no object. */
  static final String READ_ANY = "far$readAny";
  static final String WRITE_ANY = "far$writeAny";
  static final String IS_SHARED = "far$isShared";
  /** The element of an array of references, if there are both. */
  static final String ELEMENT = "far$element";
  /** The class that holds a class's static fields has the class's name and this. */
  static final String STATICS_SUFFIX = "$far$Statics";
  /** The method of a lambda's class that makes one. */
  static final String MAKE = "far$make";
  static final String LAMBDA_INFIX = "$far$Lambda";

  /** The static field of a class that refers to the object with its static fields. */
  static String staticsField(String owner) {
    return "far$statics$" + owner.replace('/', '$');
  }

  static String staticsClass(String owner) {
    return owner + STATICS_SUFFIX;
  }

  static String volatileGetter(String field) {
    return "far$get$" + field;
  }

  static String volatileSetter(String field) {
    return "far$set$" + field;
  }

  static boolean isStaticsClass(String name) {
    return name.endsWith(STATICS_SUFFIX);
  }

  private Names() {}
}
