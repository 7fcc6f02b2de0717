package io.github.libfar;

/** A rank has ended before its job. */
public final class RankFailedException extends FarException {
  private static final long serialVersionUID = 1L;

  /** Which one. */
  private final int rank;

  RankFailedException(int rank, String message) {
    super(message);
    this.rank = rank;
  }

  /**
   * Which one.
   *
   * @return its number
   */
  public int rank() {
    return rank;
  }
}
