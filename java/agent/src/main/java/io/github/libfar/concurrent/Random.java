package io.github.libfar.concurrent;

/** java.util.Random with a state that ranks can share: the same numbers. */
public class Random extends java.util.Random {
  private static final long MULTIPLIER = 0x5DEECE66DL;
  private static final long MASK = (1L << 48) - 1;

  // Set by setSeed, which the constructor above calls.
  private long state;
  private double second;
  private boolean hasSecond;

  public Random() {}

  public Random(long seed) {
    super(seed);
  }

  @Override
  public synchronized void setSeed(long seed) {
    state = (seed ^ MULTIPLIER) & MASK;
    hasSecond = false;
  }

  @Override
  protected synchronized int next(int bits) {
    state = state * MULTIPLIER + 0xBL & MASK;
    return (int) (state >>> 48 - bits);
  }

  /** Two at a time. */
  @Override
  public synchronized double nextGaussian() {
    if (hasSecond) {
      hasSecond = false;
      return second;
    }
    for (;;) {
      final double a = 2 * nextDouble() - 1;
      final double b = 2 * nextDouble() - 1;
      final double s = a * a + b * b;
      if (s >= 1 || s == 0) continue;
      final double scale = StrictMath.sqrt(-2 * StrictMath.log(s) / s);
      second = b * scale;
      hasSecond = true;
      return a * scale;
    }
  }
}
