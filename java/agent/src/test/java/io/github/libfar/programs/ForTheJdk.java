package io.github.libfar.programs;

import java.util.Vector;
import javax.swing.table.DefaultTableModel;

/** Passes a vector of its own to the JDK. */
public final class ForTheJdk {
  public static void main(String[] arguments) {
    final Vector<String> columns = new Vector<>();
    columns.add("one");
    System.out.println(new DefaultTableModel(columns, 0).getColumnCount());
  }
}
