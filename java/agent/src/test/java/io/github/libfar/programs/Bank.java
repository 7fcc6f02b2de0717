package io.github.libfar.programs;

/** Transfers between accounts; two monitors are held at a time. No money is lost. */
public final class Bank {
  static final class Account {
    final int number;
    private long balance;
    private int transfers;

    Account(int number, long balance) {
      this.number = number;
      this.balance = balance;
    }

    synchronized long balance() {
      return balance;
    }

    static void transfer(Account from, Account to, long amount) {
      final Account first = from.number < to.number ? from : to;
      final Account second = first == from ? to : from;
      synchronized (first) {
        synchronized (second) {
          from.balance -= amount;
          to.balance += amount;
          from.transfers++;
          to.transfers++;
        }
      }
    }
  }

  private static Account[] accounts;

  public static void main(String[] args) throws Exception {
    accounts = new Account[8];
    for (int k = 0; k < accounts.length; k++) accounts[k] = new Account(k, 1000);
    final Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      final int seed = t;
      threads[t] = new Thread(() -> {
        long random = seed * 7919L + 17;
        for (int i = 0; i < 300; i++) {
          random = random * 6364136223846793005L + 1442695040888963407L;
          final int a = (int) (random >>> 33) % 8;
          final int b = (a + 1 + (int) (random >>> 40) % 7) % 8;
          Account.transfer(accounts[a], accounts[b], (random >>> 50) % 10);
        }
      });
      threads[t].start();
    }
    for (Thread t : threads) t.join();
    long sum = 0;
    int transfers = 0;
    for (Account a : accounts) {
      sum += a.balance();
      transfers += a.transfers;
      System.out.println(a.number + " " + a.balance());
    }
    System.out.println(sum + " " + transfers);
  }
}
