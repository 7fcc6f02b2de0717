package io.github.libfar.agent;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The JVM's verifier accepts the rewritten classes of libraries that others have compiled. */
final class VerifierTest {
  @Test
  void acceptsClassesOfPublicJars() throws Exception {
    final String[] jars = Arrays.stream(System.getProperty("java.class.path").split(":"))
        .filter(path -> new File(path).getName()
            .matches("(guava|commons-|jackson-|junit-3|js-|lucene|velocity).*\\.jar"))
        .toArray(String[]::new);
    final Programs.Outcome outcome = Programs.rewritten("LoadAll", jars);
    assertTrue(outcome.text().endsWith(" loaded, 0 refused\n"), outcome.text());
    final int loaded = Integer.parseInt(outcome.text().split(" ")[0]);
    assertTrue(loaded > 3000, outcome.text());
  }
}
