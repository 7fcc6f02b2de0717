// far-count as a user runs it: its results, its JSON, and its messages for bad input.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

#include "apps/common/test_files.hpp"
#include "test/apps/programs.hpp"

namespace {

using far::apps::testing::gzip;
using far::apps::testing::source_file;
using far::apps::testing::temporary_file;
using far::apps::testing::xz;
using far::test::built;
using far::test::expect_help;
using far::test::expect_progress;
using far::test::expect_refusal;
using far::test::expect_refusals;
using far::test::far_run;
using far::test::json_of;
using far::test::keys_of;
using far::test::output_of;
using far::test::run_command;
using far::test::ways_to_run;
using far::test::with;
using far::test::words;
using nlohmann::json;

constexpr const char* count_program = "far-count";

std::string example_words() { return source_file("test/data/count/words.txt"); }
std::string fasta() { return source_file("test/data/count/example.fa"); }

json result_of(const words& command) {
  json result = json_of(command);
  EXPECT_EQ(keys_of(result), (std::set<std::string>{"total", "distinct", "top", "seconds"}));
  EXPECT_GE(result["seconds"].get<double>(), 0);
  result.erase("seconds");
  return result;
}

TEST(far_count, counts_words) {
  const json expected = json::parse(R"({"total": 11, "distinct": 10, "top": [
      {"item": "the", "count": 2}, {"item": "The", "count": 1}, {"item": "brown", "count": 1}]})");
  for (const words& way : ways_to_run(count_program)) {
    EXPECT_EQ(result_of(with(way, {"words", "--json", "--top", "3", example_words()})), expected);
  }
}

TEST(far_count, counts_kmers) {
  const temporary_file file(">x\nACGTACGT\n>y\nacgnACG\n");
  const json expected = json::parse(R"({"total": 8, "distinct": 4, "top": [
      {"item": "ACG", "count": 4}, {"item": "CGT", "count": 2}, {"item": "GTA", "count": 1},
      {"item": "TAC", "count": 1}]})");
  const json canonical = json::parse(R"({"total": 8, "distinct": 2, "top": [
      {"item": "ACG", "count": 6}, {"item": "GTA", "count": 2}]})");
  for (const words& way : ways_to_run(count_program)) {
    EXPECT_EQ(result_of(with(way, {"kmers", "-k", "3", "--json", file.path()})), expected);
    EXPECT_EQ(result_of(with(way, {"kmers", "-k", "3", "--canonical", "--json", file.path()})),
              canonical);
  }
}

// 48,502 letters, so 48,482 windows of 21; all of them differ, also between the strands.
TEST(far_count, finds_48482_21mers_in_lambda_phage) {
  const std::string path = "/usr/share/doc/bowtie2/examples/reference/lambda_virus.fa.gz";
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << path << " is absent; install Debian's package bowtie2-examples";
  }
  for (const words& way : ways_to_run(count_program)) {
    const json found = result_of(with(way, {"kmers", "--canonical", "--json", path}));
    EXPECT_EQ(found["total"], 48482);
    EXPECT_EQ(found["distinct"], 48482);
    ASSERT_EQ(found["top"].size(), 10U);
    EXPECT_EQ(found["top"][0]["item"].get<std::string>().size(), 21U);
    for (const json& item : found["top"]) EXPECT_EQ(item["count"], 1);
  }
}

TEST(far_count, adds_several_files_up) {
  const temporary_file gz(gzip("b a\n"), "b.gz");
  const temporary_file packed(xz("c a\n"), "c.xz");
  const json found = result_of(far_run({"-n", "3", built(count_program), "words", "--json",
                                        gz.path(), packed.path(), gz.path(), "--top", "1"}));
  EXPECT_EQ(found, json::parse(R"({"total": 6, "distinct": 3,
                                   "top": [{"item": "a", "count": 3}]})"));
}

TEST(far_count, reads_a_pipe) {
  const std::string shell = "printf 'a b a' | '" + built("far") + "' run -n 3 '" +
                            built(count_program) + "' words --json /dev/stdin '" + example_words() +
                            "'";
  const json found = result_of({"sh", "-c", shell});
  EXPECT_EQ(found["total"], 14);
  EXPECT_EQ(found["distinct"], 12);
}

TEST(far_count, ends_with_status_2_if_its_command_line_is_wrong) {
  for (const words& way : ways_to_run(count_program)) {
    for (const words& wrong : {words{"nothing"}, words{"words", "--no-such-option"},
                               words{"words", "--top", "many", example_words()}}) {
      EXPECT_EQ(run_command(with(way, wrong)).status, 2);
    }
    EXPECT_EQ(run_command(with(way, {"words", "/no/such/file"})).status, 1);
  }
}

TEST(far_count, says_when_its_input_is_closed) {
  const std::string command = "'" + built(count_program) + "' words /dev/stdin <&-";
  const std::string far = "'" + built("far") + "' ";
  for (const std::string& start : {std::string(), far + "run -n 2 ", far + "sim -n 2 "}) {
    expect_refusal({"sh", "-c", start + command}, "/dev/stdin: ");
  }
}

// The system reports its size as 0.
TEST(far_count, reads_a_file_of_proc) {
  const std::string path = "/proc/version";
  std::ifstream file(path);
  std::uint64_t expected = 0;
  for (std::string word; file >> word;) ++expected;
  ASSERT_GT(expected, 0U);
  for (const words& way : ways_to_run(count_program)) {
    EXPECT_EQ(result_of(with(way, {"words", "--json", path}))["total"], expected);
  }
  expect_refusal({built(count_program), "words", "--verify", path},
                 path + ": can be read only once");
}

TEST(far_count, says_when_its_result_is_lost) {
  for (const char* options : {"", "--json", "--help"}) {
    const std::string shell = "'" + built(count_program) + "' words " + options + " '" +
                              example_words() + "' > /dev/full";
    expect_refusal({"sh", "-c", shell}, "cannot write the result to standard output");
    expect_refusal({"sh", "-c", "'" + built("far") + "' run -n 2 " + shell},
                   "No space left on device");
  }
}

TEST(far_count, verifies_itself) {
  for (const words& way : ways_to_run(count_program)) {
    for (const words& arguments :
         {words{"words", example_words()}, {"kmers", "-k", "4", fasta()}}) {
      const std::string text = output_of(with(with(way, arguments), {"--verify"}));
      EXPECT_NE(text.find("\nverified  "), std::string::npos) << text;
    }
  }
}

TEST(far_count, prints_a_table) {
  const std::string text =
      output_of({built(count_program), "words", "--top", "2", example_words()});
  EXPECT_EQ(text.substr(0, text.find("counting took")),
            "   count  word\n"
            "-  -----  ----\n"
            "1      2  the\n"
            "2      1  The\n"
            "\n"
            "words               11\n"
            "distinct            10\n");
}

TEST(far_count, of_nothing_finds_nothing) {
  const temporary_file file("");
  for (const words& way : ways_to_run(count_program)) {
    const json nothing = json::parse(R"({"total": 0, "distinct": 0, "top": []})");
    EXPECT_EQ(result_of(with(way, {"words", "--json", file.path()})), nothing);
    EXPECT_EQ(result_of(with(way, {"kmers", "--json", file.path()})), nothing);
  }
}

TEST(far_count, prints_words_of_any_bytes) {
  const temporary_file file(std::string("\xff\x01 \xff\x01 b"));
  EXPECT_NE(output_of({built(count_program), "words", file.path()}).find("  \\xff\\x01\n"),
            std::string::npos);
  const json found = result_of({built(count_program), "words", "--json", file.path()});
  EXPECT_EQ(found["top"][0]["item"], "\xef\xbf\xbd\x01");  // JSON cannot express 0xff
}

TEST(far_count, refuses_wrong_command_lines) {
  expect_refusals(count_program, {}, "no command");
  expect_refusals(count_program, {"letters", example_words()}, "there is no command 'letters'");
  expect_refusals(count_program, {"words"}, "FILE is required");
  expect_refusals(count_program, {"kmers", "-k", "0", fasta()},
                  "-k: '0' is no number from 1 to 31");
  const auto refuse = [](const words& arguments, std::string_view what) {
    expect_refusal(with({built(count_program)}, arguments), what);
  };
  refuse({"kmers", "-k", "32", fasta()}, "-k: '32' is no number from 1 to 31");
  refuse({"kmers", "-k", "2.5", fasta()}, "-k = 2.5");
  refuse({"words", "-k", "3", example_words()}, "-k");
  refuse({"words", "--top", "x", example_words()}, "--top: 'x' is no number");
  refuse({"words", "--unknown", example_words()}, "--unknown");
}

TEST(far_count, refuses_bad_files) {
  const auto refuse = [](const char* command, const std::string& path, const std::string& what) {
    expect_refusals(count_program, {command, example_words(), path}, path + what);
  };
  const temporary_file cut(gzip(std::string(3000, 'a') + " b").substr(0, 30), "cut.gz");
  refuse("words", cut.path(), ": ");
  refuse("words", cut.folder() + "/missing", ": cannot open: No such file or directory");
  refuse("words", cut.folder(), ": is a directory");
  const std::string archive = cut.folder() + "/archive.tar.gz";
  ASSERT_EQ(run_command({"tar", "-czf", archive, "-C", cut.folder(), "cut.gz"}).status, 0);
  refuse("words", archive, ": is a tar archive, which is not read; unpack it with tar xf");
  const temporary_file reads("@read\nACGT\n", "reads.fq");
  expect_refusals(count_program, {"kmers", fasta(), reads.path()},
                  reads.path() + ":1:1: expected '>' and a record's name, found '@'");
}

TEST(far_count, shows_progress_on_a_terminal) {
  expect_progress({built(count_program), "words", example_words()}, {"counting  ["});
}

TEST(far_count, helps) {
  expect_help(count_program, {{"--help"}, {"words", "--help"}, {"kmers", "-h"}});
}

}  // namespace
