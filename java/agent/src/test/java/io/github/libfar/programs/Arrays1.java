package io.github.libfar.programs;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Everything that can be done with arrays. */
public final class Arrays1 {
  private static final int[] TABLE = {3, 1, 2};
  private static final String[][] NAMES = {{"a", "b"}, {"c"}};
  private long[] counts = new long[4];

  /** The JDK calls its methods with arrays. */
  private static final class Backwards extends InputStream {
    private int next = 5;

    @Override
    public int read() {
      return next < 0 ? -1 : next--;
    }

    @Override
    public int read(byte[] to, int at, int n) {
      int k = 0;
      for (; k < n; k++) {
        final int b = read();
        if (b < 0) return k == 0 ? -1 : k;
        to[at + k] = (byte) b;
      }
      return k;
    }
  }

  private static int sum(int... values) {
    int s = 0;
    for (int v : values) s += v;
    return s;
  }

  private static <T> T[] twice(T[] of) {
    final T[] all = Arrays.copyOf(of, 2 * of.length);
    System.arraycopy(of, 0, all, of.length, of.length);
    return all;
  }

  private static Object choose(boolean b) {
    return b ? new int[] {1, 2} : new String[] {"x"};
  }

  public static void main(String[] arguments) throws Exception {
    System.out.println(arguments.length + " " + String.join(",", arguments));
    primitives();
    references();
    jdk();
    System.out.println(sum() + sum(1) + sum(1, 2, 3) + sum(TABLE));
    final Arrays1 me = new Arrays1();
    me.counts[2] += 5;
    me.counts[2] <<= 2;
    me.counts[1]++;
    System.out.println(Arrays.toString(me.counts));
  }

  private static void primitives() {
    final boolean[] z = new boolean[3];
    final byte[] b = new byte[3];
    final char[] c = {'x', 'y'};
    final short[] s = new short[2];
    final float[] f = {1.5f};
    final double[][] d = new double[3][2];
    z[1] = true;
    b[2] = (byte) 200;
    s[0] = (short) 70000;
    d[2][1] = f[0] * 2;
    d[1] = new double[] {7, 8, 9};
    System.out.println(z[1] + " " + z[0] + " " + b[2] + " " + c[1] + " " + s[0] + " " + d[2][1]
        + " " + d[1].length);
    System.out.println(Arrays.deepToString(d));
    final int[][][] cube = new int[2][3][];
    cube[1][2] = new int[] {4};
    System.out.println(cube[1][2][0] + " " + cube[0][0] + " " + cube.length);
    final long[] l = {1, 2, 3};
    final long[] copy = l.clone();
    copy[0] = 9;
    System.out.println(l[0] + " " + copy[0] + " " + Arrays.equals(l, copy));
    try {
      l[3] = 1;
    } catch (ArrayIndexOutOfBoundsException e) {
      System.out.println(e.getMessage());
    }
    try {
      System.out.println(new int[-1].length);
    } catch (NegativeArraySizeException e) {
      System.out.println("negative " + e.getMessage());
    }
  }

  private static void references() {
    final Object[] o = new Integer[2];
    try {
      o[0] = "text";
    } catch (ArrayStoreException e) {
      System.out.println(e.getMessage());
    }
    final String[] t = twice(NAMES[0]);
    System.out.println(t.length + t[3] + Arrays.asList(t));
    final Object x = choose(true);
    final Object y = choose(false);
    System.out.println((x instanceof int[]) + " " + (y instanceof int[]) + " "
        + (y instanceof Object[]) + " " + (y instanceof String[]) + " " + ((int[]) x)[1]
        + ((String[]) y)[0]);
    System.out.println(x.getClass() + " " + y.getClass().getComponentType() + " "
        + int[][].class.getName() + " " + new int[1][1].getClass());
    try {
      System.out.println(((Integer[]) y).length);
    } catch (ClassCastException e) {
      System.out.println("cast");
    }
    int[] none = null;
    try {
      System.out.println(none.length);
    } catch (NullPointerException e) {
      System.out.println("null");
    }
    final List<int[]> list = new ArrayList<>();
    list.add(new int[] {5, 6});
    for (int[] e : list) System.out.println(e[1]);
  }

  private static void jdk() throws Exception {
    final Integer[] n = {3, 1, 2};
    Arrays.sort(n, Comparator.reverseOrder());
    System.out.println(Arrays.toString(n));
    final int[][] pairs = {{2, 1}, {1, 5}, {1, 2}};
    Arrays.sort(pairs, (p, q) -> p[0] != q[0] ? p[0] - q[0] : p[1] - q[1]);
    System.out.println(Arrays.deepToString(pairs));
    final String[] words = Stream.of("b", "a").sorted().toArray(String[]::new);
    System.out.println(words.length + words[0]);
    final int[] squares = IntStream.range(0, 5).map(i -> i * i).toArray();
    System.out.println(Arrays.stream(squares).sum() + " " + squares[4]);
    final byte[] read = new byte[4];
    final int got = new Backwards().read(read);
    System.out.println(got + " " + Arrays.toString(read) + new Backwards().readAllBytes().length);
    System.out.println(new ByteArrayInputStream(new byte[] {7}).read() + new String(
        new char[] {'o', 'k'}) + "abc".toCharArray()[2] + String.valueOf("xyz".getBytes()[0]));
    final Object made = Array.newInstance(String.class, 2);
    Array.set(made, 1, "set");
    System.out.println(Array.getLength(made) + ((String[]) made)[1]);
    System.out.println(String.format("%s-%d", "f", 4) + "a,b".split(",")[1]);
    System.out.println(List.of("p", "q").toArray(new String[0])[1]);
    final StringBuilder text = new StringBuilder();
    for (char ch : "chars".toCharArray()) text.append(ch).append(new char[] {'.'});
    System.out.println(text);
  }
}
