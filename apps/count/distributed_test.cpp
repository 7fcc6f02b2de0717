// Counting on every fabric, compared with the sequential oracle.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>

#include "apps/common/test_files.hpp"
#include "apps/count/count.hpp"
#include "apps/count/oracle.hpp"
#include "test/support/jobs.hpp"

namespace far::apps {
namespace {

using testing::gzip;
using testing::source_file;
using testing::temporary_file;
using testing::xz;

constexpr std::size_t everything = 1'000'000;

oracle::counts<std::string> counts_of(const command& asked) {
  oracle::counts<std::string> counts;
  for (const std::string& file : asked.files) {
    const std::string text = oracle::read_text(file);
    if (asked.items == item_kind::words) {
      oracle::count_words(text, counts);
    } else {
      oracle::count_kmers(text, asked.kmers.k, asked.kmers.canonical, counts);
    }
  }
  return counts;
}

class distributed_count_test : public far::test::on_ranks {
 protected:
  distributed_count_test() { seeds = 3; }

  [[nodiscard]] bool simulated() const { return GetParam().mode == job_mode::fibers; }

  /// Checks all counts, and that the program's own verification agrees.
  void check(command asked) {
    const auto counts = counts_of(asked);
    const auto top = oracle::top(counts, asked.top);
    asked.verify = true;
    run([&](far::world& world) {
      const count_result found = count(world, asked);
      EXPECT_EQ(found.total, oracle::total(counts));
      EXPECT_EQ(found.distinct, counts.size());
      EXPECT_EQ(found.verdict.empty(), world.rank() != 0);
      if (world.rank() != 0) return;
      ASSERT_EQ(found.top.size(), top.size());
      for (std::size_t i = 0; i < top.size(); ++i) {
        EXPECT_EQ(found.top[i].item, top[i].item);
        EXPECT_EQ(found.top[i].count, top[i].count);
      }
    });
  }

  void check_words(std::vector<std::string> files, std::size_t top = everything) {
    check({.files = std::move(files), .top = top});
  }
  void check_kmers(std::vector<std::string> files, kmer_rules rules) {
    check(
        {.items = item_kind::kmers, .files = std::move(files), .kmers = rules, .top = everything});
  }
};

/// Words, of which a few are frequent and most are rare.
std::string random_words(std::uint32_t seed, int count) {
  std::mt19937 random(seed);
  std::string text;
  for (int i = 0; i < count; ++i) {
    const auto rank = random() % (1 + random() % (1 + random() % 5000));
    text += "word" + std::to_string(rank) + (random() % 9 == 0 ? "\n" : " ");
  }
  return text;
}

std::string random_fasta(std::uint32_t seed, int letters) {
  std::mt19937 random(seed);
  std::string text = ">first";
  for (int i = 0; i < letters; ++i) {
    if (i % 70 == 0) text += "\n";
    if (random() % 1000 == 0) text += "\n>next\n";
    text += random() % 500 == 0 ? 'N' : "ACGTacgt"[random() % 8];
  }
  return text + "\n";
}

TEST_P(distributed_count_test, of_examples) {
  check_words({source_file("test/data/count/words.txt")});
  check_words({source_file("test/data/count/words.txt")}, 3);
  check_words({source_file("test/data/count/words.txt")}, 0);
  const std::string fasta = source_file("test/data/count/example.fa");
  check_kmers({fasta}, {.k = 3});
  check_kmers({fasta}, {.k = 3, .canonical = true});
  check_kmers({fasta}, {.k = 31});
}

TEST_P(distributed_count_test, of_nothing) {
  for (const char* text : {"", " \n\t"}) {
    const temporary_file file(text);
    check_words({file.path()});
    check_kmers({file.path()}, {});
  }
}

TEST_P(distributed_count_test, of_several_files_of_all_forms) {
  const temporary_file a(random_words(1, 300));
  const temporary_file b(gzip(random_words(2, 300)), "b.gz");
  const temporary_file c(xz(random_words(3, 300)), "c.xz");
  const temporary_file none("");
  check_words({a.path(), b.path(), none.path(), c.path(), a.path()});
  const temporary_file d(random_fasta(1, 500));
  const temporary_file e(gzip(random_fasta(2, 500)), "e.gz");
  check_kmers({d.path(), e.path(), d.path()}, {.k = 5, .canonical = true});
}

TEST_P(distributed_count_test, of_more_than_a_batch) {
  seeds = 1;
  const temporary_file text(random_words(5, simulated() ? 1000 : 100000));
  check_words({text.path()});
  // Most k-mers occur once, so that a rank sends several batches.
  const temporary_file fasta(random_fasta(5, simulated() ? 1000 : 150000));
  check_kmers({fasta.path()}, {.k = 13});
}

TEST_P(distributed_count_test, of_long_words) {
  seeds = 1;
  std::string text;
  for (const std::size_t length : {10U, 5000U, 200000U}) {
    for (const char c : {'a', 'b', 'a', 'c'}) text += std::string(length, c) + "\n";
  }
  // Many long words: they reach a batch's limit on bytes before its limit on items.
  for (int i = 0; i < (simulated() ? 5 : 400); ++i) {
    text += std::to_string(i) + std::string(20000, 'x') + " ";
  }
  const temporary_file file(text);
  check_words({file.path()});
}

TEST_P(distributed_count_test, of_words_of_any_bytes) {
  std::mt19937 random(6);
  std::string text(3000, ' ');
  for (char& c : text) c = random() % 3 == 0 ? ' ' : static_cast<char>(random());
  const temporary_file file(text);
  check_words({file.path()});
}

TEST_P(distributed_count_test, that_fails_says_so_to_the_caller) {
  const temporary_file words("some words");
  const temporary_file packed(gzip(random_words(7, 2000)).substr(0, 200), "cut.gz");
  const auto failure_of = [&](const command& asked) {
    try {
      run([&](far::world& world) { (void)count(world, asked); });
    } catch (const bad_argument& failure) {
      return std::string(failure.what());
    }
    return std::string("no failure");
  };
  const std::string missing = words.folder() + "/missing";
  EXPECT_EQ(failure_of({.files = {words.path(), missing}}).substr(0, missing.size() + 2),
            missing + ": ");
  EXPECT_NE(failure_of({.files = {packed.path()}}).find("ends too early"), std::string::npos);
  EXPECT_EQ(failure_of({.items = item_kind::kmers, .files = {words.path()}}),
            words.path() + ":1:1: expected '>' and a record's name, found 's'; give a FASTA file");
}

TEST_P(distributed_count_test, finds_48482_21mers_in_lambda_phage) {
  if (simulated()) seeds = 1;
  const std::string path = "/usr/share/doc/bowtie2/examples/reference/lambda_virus.fa.gz";
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << path << " is absent; install Debian's package bowtie2-examples";
  }
  const command asked{
      .items = item_kind::kmers, .files = {path}, .kmers = {.k = 21, .canonical = true}};
  run([&](far::world& world) {
    const count_result found = count(world, asked);
    EXPECT_EQ(found.total, 48482U);
    EXPECT_EQ(found.distinct, 48482U);
  });
}

INSTANTIATE_FAR_MODES_ON(distributed_count_test, 1, 2, 3, 4, 8);

}  // namespace
}  // namespace far::apps
