package io.github.libfar;

/** What libfar refuses or cannot do, and no other exception says. */
public class FarException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FarException(String message) {
    super(message);
  }

  // far_status
  private static final int BAD_ARGUMENT = 1;
  private static final int OUT_OF_BOUNDS = 2;
  private static final int OUT_OF_MEMORY = 3;
  private static final int RANK_FAILED = 4;
  private static final int INTERRUPTED = 5;
  private static final int NO_JOB = 6;

  /** Called by native code. */
  static RuntimeException of(int status, int rank, String message) {
    switch (status) {
      case BAD_ARGUMENT:
        return new IllegalArgumentException(message);
      case OUT_OF_BOUNDS:
        return new IndexOutOfBoundsException(message);
      case OUT_OF_MEMORY:
        return new FarOutOfMemoryException(message);
      case RANK_FAILED:
      case INTERRUPTED:
        return new RankFailedException(rank, message);
      case NO_JOB:
        return new IllegalStateException(message);
      default:
        return new FarException(message);
    }
  }
}
