package io.github.libfar.shared;

/**
 * A thread of the program, in place of Thread. Ranks share it like other objects; the rank that is
 * to run it does so on a thread of the JVM that is not this object, so that it can have been made
 * elsewhere.
 */
public class SharedThread extends Thread implements Shared {
  static final int NEW = 0;
  static final int ALIVE = 1;
  static final int ENDED = 2;

  public transient byte far$state;
  public transient Mirror far$mirror;
  /** The JVM's thread, where this one runs. */
  transient volatile Thread far$carrier;
  /** It has been interrupted before it has begun. */
  transient boolean far$interrupted;

  Runnable target;
  String name;
  boolean daemon;
  long number;
  /** Bytes that it is to have as a stack; 0: as usual. */
  long stack;
  int phase;
  int rank;
  /** LockSupport.unpark has been called, and park has not since. */
  boolean permit;
  int priority;
  /** Ranks have different ones of the same name. */
  ThreadGroup group;
  /** For ThreadValues.inherit. */
  private SharedArray inherited;
  UncaughtExceptionHandler handler;

  public SharedThread() {
    begin(null);
  }

  public SharedThread(Runnable target) {
    super(target);
    begin(target);
  }

  public SharedThread(ThreadGroup group, Runnable target) {
    super(group, target);
    begin(target);
  }

  public SharedThread(String name) {
    super(name);
    begin(null);
  }

  public SharedThread(ThreadGroup group, String name) {
    super(group, name);
    begin(null);
  }

  public SharedThread(Runnable target, String name) {
    super(target, name);
    begin(target);
  }

  public SharedThread(ThreadGroup group, Runnable target, String name) {
    super(group, target, name);
    begin(target);
  }

  public SharedThread(ThreadGroup group, Runnable target, String name, long stack) {
    super(group, target, name, stack);
    this.stack = Math.max(stack, 0);
    begin(target);
  }

  private void begin(Runnable runs) {
    target = runs;
    name = getName();
    daemon = isDaemon() && !Job.ACTIVE;
    number = getId();
    priority = getPriority();
    group = getThreadGroup();
    inherited = ThreadValues.inherited();
  }

  public static void far$read(SharedThread t) {
    if (t.far$state < 0) Slow.read(t);
  }

  public static void far$write(SharedThread t) {
    if (t.far$state != 0) Slow.write(t);
  }

  @Override
  public final byte far$state() {
    return far$state;
  }

  @Override
  public final void far$state(byte state) {
    far$state = state;
  }

  @Override
  public final Mirror far$mirror() {
    return far$mirror;
  }

  @Override
  public final void far$mirror(Mirror mirror) {
    far$mirror = mirror;
  }

  /** Of the thread that is to run this one. */
  final void inherit() {
    far$read(this);
    ThreadValues.inherit(inherited);
  }

  @Override
  public void run() {
    far$read(this);
    if (target != null) target.run();
  }

  @Override
  public void start() {
    if (Job.ACTIVE && !Threads.haveEnded()) {
      Threads.place(this);
    } else {
      super.start();
    }
  }

  @Override
  public int hashCode() {
    return far$mirror == null ? System.identityHashCode(this) : far$mirror.hash();
  }

  /** As the JDK has it. */
  @Override
  public String toString() {
    far$read(this);
    final String number = Runtime.version().feature() < 21 ? "" : "#" + Threads.getId(this) + ",";
    final String in = phase == ENDED || group == null ? "" : group.getName();
    return "Thread[" + number + name + "," + priority + "," + in + "]";
  }
}
