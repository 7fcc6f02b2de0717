// k-mers: which windows count, independence from the division of a file, and a known genome.
#include "apps/count/fasta.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <future>
#include <random>

#include <gtest/gtest.h>

#include "apps/common/test_files.hpp"
#include "apps/count/oracle.hpp"

namespace far::apps {
namespace {

using oracle::counts;
using testing::gzip;
using testing::memory_file;
using testing::message_of;
using testing::source_file;
using testing::temporary_file;
using testing::xz;

counts<std::string> count_parts(const std::string& path, kmer_rules rules, std::size_t count = 1,
                                std::size_t piece = 256 * 1024) {
  std::vector<kmer> kmers;
  for (std::size_t index = 0; index < count; ++index) {
    kmer_reader reader(path, plan_input(path), {index, count}, rules, {.piece_bytes = piece});
    while (reader.read(kmers)) {
    }
  }
  counts<std::string> counted;
  for (const kmer code : kmers) ++counted[kmer_text(code, rules.k)];
  return counted;
}

counts<std::string> count_whole(std::string_view text, kmer_rules rules) {
  counts<std::string> counted;
  oracle::count_kmers(text, rules.k, rules.canonical, counted);
  return counted;
}

counts<std::string> kmers_of(std::string_view text, kmer_rules rules) {
  const memory_file file(text);
  const auto counted = count_parts(file.path(), rules);
  EXPECT_EQ(counted, count_whole(text, rules));
  return counted;
}

std::string failure_of(std::string_view text, std::size_t count = 1) {
  const memory_file file(text);
  std::string message;
  for (std::size_t index = 0; index < count && message.empty(); ++index) {
    std::vector<kmer> kmers;
    message = message_of([&] {
      kmer_reader reader(file.path(), plan_input(file.path()), {index, count}, {.k = 3},
                         {.piece_bytes = 4});
      while (reader.read(kmers)) {
      }
    });
  }
  return message.empty() ? message : message.substr(file.path().size());
}

TEST(kmers, are_the_windows_of_a_record) {
  EXPECT_EQ(kmers_of(">x\nACGTA\n", {.k = 3}),
            (counts<std::string>{{"ACG", 1}, {"CGT", 1}, {"GTA", 1}}));
  EXPECT_EQ(kmers_of(">x\nac\ngT\n\nA", {.k = 3}),
            (counts<std::string>{{"ACG", 1}, {"CGT", 1}, {"GTA", 1}}));
  EXPECT_EQ(kmers_of(">x\r\nACGT\r\nA\r\n", {.k = 4}),
            (counts<std::string>{{"ACGT", 1}, {"CGTA", 1}}));
  EXPECT_EQ(kmers_of(">x\nAC\n>y\nGT\n", {.k = 2}), (counts<std::string>{{"AC", 1}, {"GT", 1}}));
  EXPECT_EQ(kmers_of(">x\nACNGT-AA*CC>GG\n", {.k = 2}),
            (counts<std::string>{{"AC", 1}, {"GT", 1}, {"AA", 1}, {"CC", 1}, {"GG", 1}}));
  EXPECT_EQ(kmers_of(">x\nAC\n;AC\nGT\n", {.k = 4}), (counts<std::string>{{"ACGT", 1}}));
  EXPECT_EQ(kmers_of(">x\nACGT", {.k = 5}), counts<std::string>{});
  EXPECT_EQ(kmers_of(">x\nACA", {.k = 1}), (counts<std::string>{{"A", 2}, {"C", 1}}));
  for (const char* nothing : {"", "\n", ">", ">ACGT", ">x\n", ";ACGT\n", "\n \n>\n"}) {
    EXPECT_EQ(kmers_of(nothing, {.k = 1}), counts<std::string>{});
  }
}

// As jellyfish 2.3.0 and KMC 3.2.1 count them.
TEST(kmers, do_not_reach_across_blanks) {
  EXPECT_EQ(kmers_of(">x\nAC GT\nACG \nTTT\n\tAAC\n", {.k = 3}),
            (counts<std::string>{{"AAC", 1}, {"ACG", 1}, {"GTA", 1}, {"TAC", 1}, {"TTT", 1}}));
  EXPECT_EQ(kmers_of(">x\nAC\fGTT\n", {.k = 3}), (counts<std::string>{{"GTT", 1}}));
}

TEST(kmers, leave_a_byte_order_mark_out) {
  const std::string text = "\xef\xbb\xbf>x\nACGTTGCA\nAC\n";
  const auto expected = count_whole(">x\nACGTTGCAAC\n", {.k = 3});
  EXPECT_EQ(oracle::total(expected), 8U);
  for (const std::string& bytes : {text, gzip(text), xz(text)}) {
    const memory_file file(bytes);
    for (std::size_t count = 1; count <= 9; ++count) {
      for (const std::size_t piece : {1U, 2U, 3U, 1000U}) {
        EXPECT_EQ(count_parts(file.path(), {.k = 3}, count, piece), expected);
      }
    }
  }
  EXPECT_EQ(failure_of("\xef\xbb\xbf"), "");
  EXPECT_EQ(failure_of("\xef\xbb\xbf>x\nAC\x01\n", 3),
            ":2:3: expected a letter, found byte 0x01; give a FASTA file");
  EXPECT_EQ(failure_of("\xef\xbb\xbf@read\n"),
            ":1:1: expected '>' and a record's name, found '@'; give a FASTA file");
}

TEST(kmers, of_both_strands_are_one_when_canonical) {
  EXPECT_EQ(kmers_of(">x\nTTT\n>y\nAAA\n", {.k = 3, .canonical = true}),
            (counts<std::string>{{"AAA", 2}}));
  EXPECT_EQ(kmers_of(">x\nACGT\n", {.k = 4, .canonical = true}),
            (counts<std::string>{{"ACGT", 1}}));
  std::mt19937_64 random(5);
  for (int k = 1; k <= largest_k; ++k) {
    std::string sequence;
    for (int i = 0; i < 100; ++i) sequence += "ACGT"[random() % 4];
    (void)kmers_of(">x\n" + sequence, {.k = k});
    (void)kmers_of(">x\n" + sequence, {.k = k, .canonical = true});
  }
}

TEST(kmers, as_numbers_sort_like_text) {
  std::mt19937_64 random(6);
  for (int k = 1; k <= largest_k; ++k) {
    const kmer mask = (kmer{1} << (2 * k)) - 1;
    const kmer a = random() & mask, b = random() & mask;
    EXPECT_EQ(a < b, kmer_text(a, k) < kmer_text(b, k));
    EXPECT_EQ(reverse_complement(reverse_complement(a, k), k), a);
  }
  EXPECT_EQ(kmer_text(reverse_complement(0b00'01'10, 3), 3), "CGT");  // of ACG
}

TEST(kmers, refuse_other_k) {
  const memory_file file(">x\nACGT\n");
  for (const int k : {-1, 0, 32, 1000}) {
    EXPECT_NE(message_of([&] { (void)count_parts(file.path(), {.k = k}); }).find("from 1 to 31"),
              std::string::npos);
  }
}

TEST(kmers, are_counted_once_however_a_file_is_divided) {
  const std::string example = oracle::read_text(source_file("test/data/count/example.fa"));
  for (const std::string& text :
       {example, std::string(">a\nACGTTGCA"), std::string("\n\n>a b\r\nAC\r\nGT\r\n>\r\nTTTT"),
        std::string(">x\nAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n;AA\nCC\n\n\nG"), std::string()}) {
    for (const std::string& bytes : {text, gzip(text), xz(text)}) {
      const memory_file file(bytes);
      for (const kmer_rules rules : {kmer_rules{1, false}, {2, true}, {5, false}, {9, true}}) {
        const auto whole = count_whole(text, rules);
        for (std::size_t count = 1; count <= 9; count += bytes == text ? 1U : 3U) {
          for (const std::size_t piece : {1U, 2U, 3U, 10U, 1000U}) {
            ASSERT_EQ(count_parts(file.path(), rules, count, piece), whole)
                << text << " in " << count << " parts, pieces of " << piece;
          }
        }
      }
    }
  }
}

TEST(kmers, of_random_records_are_counted_like_the_oracle_does) {
  std::mt19937 random(7);
  const std::vector<std::string> tokens = {"A",    "C",      "G",  "T",       "a",
                                           "t",    "N",      "\n", "AC",      "GT",
                                           "\r\n", "\n>x\n", " ",  "\n;AC\n", "\n>AC GT\n"};
  for (int round = 0; round < 500; ++round) {
    std::string text = ">";
    for (std::size_t i = random() % 100; i > 0; --i) text += tokens[random() % tokens.size()];
    // A carriage return inside a header is an error, tested elsewhere.
    if (text.starts_with(">\r") || text.find(" \r") != text.npos) text.insert(1, "h\n");
    const kmer_rules rules{static_cast<int>(1 + random() % 6), random() % 2 == 0};
    const memory_file file(round % 3 == 0 ? gzip(text) : text);
    ASSERT_EQ(count_parts(file.path(), rules, 1 + random() % 9, 1 + random() % 30),
              count_whole(text, rules))
        << text;
  }
}

TEST(kmers, of_a_line_as_long_as_a_genome) {
  std::mt19937 random(8);
  std::string text = ">one line\n";
  for (int i = 0; i < 300000; ++i) text += "ACGT"[random() % 4];
  const memory_file file(text);
  const auto whole = count_whole(text, {.k = 11});
  for (const std::size_t count : {1U, 4U}) {
    EXPECT_EQ(count_parts(file.path(), {.k = 11}, count), whole);
  }
}

TEST(fasta, says_where_and_what_is_wrong) {
  const std::string not_fasta = "expected '>' and a record's name, found ";
  EXPECT_EQ(failure_of("@read\nACGT\n+\nIIII\n"), ":1:1: " + not_fasta + "'@'; give a FASTA file");
  EXPECT_EQ(failure_of("\n\n ACGT\n"), ":3:2: " + not_fasta + "'A'; give a FASTA file");
  EXPECT_EQ(failure_of(std::string_view("\0", 1)),
            ":1:1: " + not_fasta + "byte 0x00; give a FASTA file");
  EXPECT_EQ(failure_of(">x\nAC\x80G\n"),
            ":2:3: expected a letter, found byte 0x80; give a FASTA file");
  EXPECT_EQ(failure_of(">x\rACGT\r>y\rAC\r"),
            ":1:3: carriage return inside a header; end lines with a newline");
  for (std::size_t count = 1; count <= 9; ++count) {
    EXPECT_EQ(failure_of("\n\n \n\n @read\nACGT\n", count),
              ":5:2: " + not_fasta + "'@'; give a FASTA file");
    EXPECT_NE(failure_of(">x\rACGT\r>y\rAC\r", count), "");
    EXPECT_EQ(failure_of(">xyz\r\nACGT\r\n>\r\nAC\r\n", count), "");
    EXPECT_EQ(failure_of(">x\nACGTACGTAC\n>y\nAC\x01G\n", count),
              ":4:3: expected a letter, found byte 0x01; give a FASTA file");
  }
  EXPECT_NE(failure_of(gzip(">x\nACGT\n").substr(0, 15)).find("ends too early"), std::string::npos);
}

/// Whether readers accept a text, told line by line.
bool is_fasta(std::string_view text) {
  bool has_begun = false;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!has_begun) line.remove_prefix(std::min(line.find_first_not_of(" \t\v\f\r"), line.size()));
    if (line.empty()) continue;
    if (line[0] == '>' || line[0] == ';') {
      has_begun = true;
      if (line.substr(0, line.size() - 1).find('\r') != line.npos) return false;
    } else if (!has_begun || std::ranges::any_of(line, [](unsigned char c) {
                 return c > '~' || (c < ' ' && (c < '\t' || c > '\r'));
               })) {
      return false;
    }
  }
  return true;
}

TEST(fasta, survives_random_bytes) {
  constexpr std::string_view text = ">;\n\n\n\r \tACGTacgtN-*~\x05\x7f\x80";
  std::mt19937 random(9);
  int valid = 0;
  for (int round = 0; round < 900; ++round) {
    const bool any = round % 3 == 0;
    std::string bytes(random() % (any ? 200 : 20), '\0');
    for (char& c : bytes) c = any ? static_cast<char>(random()) : text[random() % text.size()];
    if (round % 2 == 0) bytes.insert(0, ">");
    const std::string failure = failure_of(bytes, 1 + random() % 4);
    EXPECT_EQ(failure.empty(), is_fasta(bytes)) << round << failure;
    EXPECT_EQ(failure.find('\n'), std::string::npos) << failure;
    valid += failure.empty() ? 1 : 0;
  }
  EXPECT_GT(valid, 200);
  EXPECT_LT(valid, 700);
}

TEST(fasta, reads_pipes) {
  const temporary_file file("");
  const std::string pipe = file.folder() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string text : {">x\nACG\nTA\n", ">x\nACG\nT\x01\n"}) {
    const auto writer = std::async(std::launch::async, [&] { std::ofstream(pipe) << text; });
    std::vector<kmer> kmers;
    const std::string message = message_of([&] {
      kmer_reader reader(pipe, plan_input(pipe), {0, 2}, {.k = 3}, {.piece_bytes = 2});
      while (reader.read(kmers)) {
      }
    });
    if (text.find('\x01') == text.npos) {
      EXPECT_EQ(kmers.size(), 3U);
      EXPECT_EQ(message, "");
    } else {
      EXPECT_EQ(message.substr(0, pipe.size() + 6), pipe + ":3:2: ");
    }
  }
}

// 48,502 letters, so 48,482 windows of 21 letters; all differ, even between the strands.
TEST(fasta, lambda_phage_has_48482_distinct_canonical_21mers) {
  const std::string path = "/usr/share/doc/bowtie2/examples/reference/lambda_virus.fa.gz";
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << path << " is absent; install Debian's package bowtie2-examples";
  }
  const kmer_rules rules{.k = 21, .canonical = true};
  const auto known = count_whole(oracle::read_text(path), rules);
  EXPECT_EQ(known.size(), 48482U);
  EXPECT_EQ(oracle::total(known), 48482U);
  EXPECT_EQ(count_parts(path, rules), known);
  EXPECT_EQ(count_parts(path, rules, 3, 1000), known);
}

}  // namespace
}  // namespace far::apps
