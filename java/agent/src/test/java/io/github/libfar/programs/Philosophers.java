package io.github.libfar.programs;

/** Dining philosophers: monitors within monitors, and a fork that is waited for. */
public final class Philosophers {
  static final class Fork {
    private boolean taken;
    private int uses;

    synchronized void take() throws InterruptedException {
      while (taken) wait();
      taken = true;
      uses++;
    }

    synchronized void putBack() {
      taken = false;
      notify();
    }
  }

  static final class Philosopher extends Thread {
    private final Fork first;
    private final Fork second;
    private final int meals;
    private int eaten;

    Philosopher(String name, Fork first, Fork second, int meals) {
      super(name);
      this.first = first;
      this.second = second;
      this.meals = meals;
    }

    @Override
    public void run() {
      try {
        while (eaten < meals) {
          first.take();
          second.take();
          eaten++;
          second.putBack();
          first.putBack();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    final int n = 5;
    final Fork[] forks = new Fork[n];
    for (int k = 0; k < n; k++) forks[k] = new Fork();
    final Philosopher[] table = new Philosopher[n];
    for (int k = 0; k < n; k++) {
      final Fork left = forks[k];
      final Fork right = forks[(k + 1) % n];
      table[k] = k == n - 1 ? new Philosopher("p" + k, right, left, 60)
          : new Philosopher("p" + k, left, right, 60);
    }
    for (Philosopher p : table) p.start();
    for (Philosopher p : table) p.join();
    for (Philosopher p : table) System.out.println(p.getName() + " " + p.eaten);
    for (Fork f : forks) System.out.println(f.uses + " " + f.taken);
  }
}
