package io.github.libfar.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** What cannot be done is told in one line, and the job ends. */
final class ErrorsTest {
  private static void tells(String program, String line) throws Exception {
    assumeTrue(Programs.haveRanks(), "no build of libfar");
    final Programs.Outcome outcome = Programs.onRanks(2, false, program);
    assertEquals(1, outcome.status(), outcome.text());
    final long lines = outcome.text().lines().filter(l -> l.startsWith("far java: ")).count();
    assertEquals(1, lines, outcome.text());
    assertTrue(outcome.text().contains(line), outcome.text());
  }

  @Test
  void noSuchClass() throws Exception {
    tells("Missing", "there is no class io.github.libfar.programs.Missing");
  }

  @Test
  void noMainMethod() throws Exception {
    tells("Language$Circle", "has no method 'public static void main(String[])'");
  }

  @Test
  void objectOfTheJdk() throws Exception {
    tells("Unshareable", "cannot share an object of java.util.Date, to which date of"
        + " io.github.libfar.programs.Unshareable (static) refers");
  }

  @Test
  void nativeMethod() throws Exception {
    tells("Natives", "cannot call the native method io.github.libfar.programs.Natives$Sheet.draw"
        + " with an object of io.github.libfar.programs.Natives$Sheet that ranks share");
  }

  @Test
  void collectionForTheJdk() throws Exception {
    tells("ForTheJdk", "cannot call javax.swing.table.DefaultTableModel.<init> with a"
        + " java.util.Vector of the program's");
  }

  @Test
  void statusOfTheProgram() throws Exception {
    assumeTrue(Programs.haveRanks(), "no build of libfar");
    assertEquals(7, Programs.onRanks(2, false, "Exits").status());
  }
}
