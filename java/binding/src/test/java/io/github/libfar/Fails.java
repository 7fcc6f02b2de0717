package io.github.libfar;

/** A program whose rank 1 fails, in the way that its argument says; the others wait for it. */
public final class Fails {
  private Fails() {}

  public static void main(String[] arguments) {
    Job.run(
        job -> {
          try (FarQueue<String> queue = new FarQueue<>(job, 0, 4, 10, Codec.STRING)) {
            job.barrier();
            if (job.rank() == 1) {
              switch (arguments[0]) {
                case "throws" -> throw new IllegalStateException("out of luck");
                case "halts" -> Runtime.getRuntime().halt(0);
                case "exits" -> Job.exit(3);
                default -> throw new IllegalArgumentException(arguments[0]);
              }
            }
            queue.pop();
          }
        });
  }
}
