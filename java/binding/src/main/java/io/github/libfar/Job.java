package io.github.libfar;

import java.time.Duration;

/**
 * The job that this process is a rank of.
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *   Job.run(job -> {
 *     try (FarMap<String, Long> sums = new FarMap<>(job, Codec.STRING, Codec.LONG)) {
 *       sums.put("rank " + job.rank(), 1L);
 *       job.barrier();
 *     }
 *   });
 * }
 * }</pre>
 *
 * <p>Threads: the one that has joined may use everything; others while they are attached ({@link
 * #attach}). Collective methods are called by one thread of each rank, in the same order on all.
 *
 * <p>Errors: once a rank has ended before its job, every method that waits throws {@link
 * RankFailedException}.
 */
public final class Job {
  /** A rank's program. */
  @FunctionalInterface
  public interface Program {
    /**
     * Runs it.
     *
     * @param job the job
     * @throws Exception whatever makes this rank fail
     */
    void run(Job job) throws Exception;
  }

  private final int rank;
  private final int size;

  private Job() {
    Native.join();
    rank = Native.rank();
    size = Native.size();
  }

  /**
   * Collective: joins the job, runs the program, and leaves when all ranks have run it. If the program
   * throws, the rank fails: the launcher says what was thrown, the other ranks get {@link
   * RankFailedException}, and this process exits with status 1.
   *
   * @param program what this rank does
   */
  public static void run(Program program) {
    Job job = join();
    try {
      program.run(job);
      job.leave();
    } catch (RankFailedException failure) {
      Runtime.getRuntime().exit(1); // the launcher knows
    } catch (Throwable failure) {
      failure.printStackTrace();
      job.fail(failure.toString());
      Runtime.getRuntime().exit(1);
    }
  }

  /**
   * Collective: joins the job, for programs that cannot use {@link #run}; they call {@link #leave},
   * or {@link #fail} when they fail.
   *
   * @return the job
   * @throws IllegalArgumentException if this process is in a job
   */
  public static Job join() {
    return new Job();
  }

  /**
   * Collective: leaves the job when everything in flight has completed. Whatever belongs to it then
   * throws {@link IllegalStateException}. The process may join the next job.
   *
   * @throws IllegalArgumentException while other threads are attached
   */
  public void leave() {
    Native.leave();
  }

  /**
   * This rank has failed: its launcher prints why, and the others get {@link RankFailedException}.
   *
   * @param why one line
   */
  public void fail(String why) {
    Native.fail(why);
  }

  /**
   * Ends the processes of all ranks at once. Shutdown hooks do not run.
   *
   * @param status what the launcher exits with, 0 to 255
   */
  public static void exit(int status) {
    System.out.flush();
    System.err.flush();
    Native.exit(status);
  }

  /**
   * This rank's number.
   *
   * @return 0 to {@link #size}, exclusive
   */
  public int rank() {
    return rank;
  }

  /**
   * The number of ranks.
   *
   * @return at least 1
   */
  public int size() {
    return size;
  }

  /**
   * The machine of a rank.
   *
   * @param of the rank
   * @return a number; ranks of one machine have the same
   */
  public int nodeOf(int of) {
    return Native.nodeOf(of);
  }

  /** Collective: waits for all ranks. What they had put before is visible afterwards. */
  public void barrier() {
    Native.barrier();
  }

  /**
   * Attaches the calling thread to the job; it may use it until the result is closed.
   *
   * <p>A rank has few contexts for threads: 14, or up to 46 if the job is started with {@code
   * FAR_CONTEXTS=48}. Attaching and closing costs less than a microsecond, so threads may attach for a
   * piece of work.
   *
   * @param timeout how long to wait while all contexts are in use; null: as long as it takes
   * @return what detaches the thread
   * @throws FarOutOfMemoryException if the time has passed
   */
  public Attachment attach(Duration timeout) {
    Native.attach(Native.nanosOf(timeout));
    return new Attachment();
  }

  /**
   * The same, as long as it takes.
   *
   * @return what detaches the thread
   */
  public Attachment attach() {
    return attach(null);
  }

  /** A thread's part in the job. */
  public static final class Attachment implements AutoCloseable {
    private boolean isClosed;

    private Attachment() {}

    /**
     * Detaches the thread, which is the one that was attached.
     *
     * @throws IllegalArgumentException if it holds a lock
     */
    @Override
    public void close() {
      if (isClosed) return;
      Native.detach();
      isClosed = true;
    }
  }
}
