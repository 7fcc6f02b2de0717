package io.github.libfar.programs;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Objects that several threads have changed, written by the JDK's serialization and read again. */
public final class Serialized1 {
  private static final class Part implements Serializable {
    private static final long serialVersionUID = 1;
    private int number = 3;
    private final int[] counts = {1, 2, 3};
    private final double[][] rows = {{1}, {2, 3}};
    private String name = "x";
    private final List<String> list = new ArrayList<>(List.of("q", "r"));
    private final Map<String, Integer> map = new HashMap<>(Map.of("k", 5));
    private volatile long seen = 7;
    private volatile Part other;
    private transient int forgotten = 9;
    private Part next;

    @Override
    public String toString() {
      return number + " " + counts[0] + counts.length + " " + rows[1][1] + name + list + map + seen
          + forgotten + " " + other + " " + next;
    }
  }

  private static Part copy(Part p) throws Exception {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final ObjectOutput out = new ObjectOutputStream(bytes);
    out.writeObject(p);
    out.close();
    return (Part) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
  }

  public static void main(String[] args) throws Exception {
    final Part p = new Part();
    p.next = new Part();
    System.out.println(copy(p));
    for (int k = 0; k < 3; k++) {
      final int round = k;
      final Thread t = new Thread(() -> {
        p.counts[0] += 70;
        p.next.number *= 2;
        p.next.rows[1][1] += round;
        p.list.add("z" + round);
        p.map.put("w", round);
        p.seen++;
        final Part other = new Part();
        other.name += round;
        p.other = other;
      });
      t.start();
      t.join();
      System.out.println(copy(p));
    }
  }
}
