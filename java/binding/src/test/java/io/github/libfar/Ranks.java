package io.github.libfar;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Arrays;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A rank's tests: all ranks run all of them, in the same order. The first failure ends the job.
 * java/test.sh starts it.
 */
public final class Ranks implements TestExecutionListener {
  private static Job joined;
  private int passed;

  private Ranks() {}

  /** The job, for tests. */
  static Job job() {
    return joined;
  }

  public static void main(String[] classes) {
    Job.run(
        job -> {
          joined = job;
          Ranks listener = new Ranks();
          LauncherDiscoveryRequest all =
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(
                      Arrays.stream(classes)
                          .map(name -> selectClass(Ranks.class.getPackageName() + "." + name))
                          .toList())
                  .build();
          LauncherFactory.create().execute(all, listener);
          if (listener.passed == 0) throw new IllegalArgumentException("there are no tests");
          if (job.rank() == 0) {
            System.out.println(listener.passed + " tests passed on " + job.size() + " ranks");
          }
        });
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
      System.err.println("rank " + joined.rank() + ": " + test.getDisplayName() + " failed:");
      result.getThrowable().ifPresent(Throwable::printStackTrace);
      Job.exit(1);
    }
    if (test.isTest()) {
      ++passed;
      joined.barrier();
    }
  }
}
