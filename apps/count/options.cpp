#include "apps/count/options.hpp"

#include "apps/common/command_line.hpp"

namespace far::apps {
namespace {

void add_common_options(CLI::App& app, command& c, const char* files) {
  app.add_option("FILE", c.files, files)->required();
  app.add_option("--top", c.top, "number of most frequent items to print")
      ->capture_default_str()
      ->check(number_between(0, 1e9));
  app.add_flag("--verify", c.verify, "count once more, sequentially, and compare");
  app.add_flag("--json", c.json, "print the result as JSON");
}

}  // namespace

std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer) {
  command c;
  CLI::App app{"Counts words or k-mers of files, distributed over the ranks of a job"};
  name_program(app, "far-count");
  app.require_subcommand(1);

  CLI::App* const words = app.add_subcommand("words", "count runs of non-whitespace bytes");
  add_common_options(*words, c, "text files, plain or packed by gzip or xz");

  CLI::App* const kmers = app.add_subcommand("kmers", "count the windows of k letters A, C, G, T");
  add_common_options(*kmers, c, "FASTA files, plain or packed by gzip or xz");
  kmers->add_option("-k", c.kmers.k, "letters of a k-mer")
      ->capture_default_str()
      ->check(number_between(1, largest_k));
  kmers->add_flag("--canonical", c.kmers.canonical,
                  "count a k-mer and its reverse complement as one");

  if (!parse_command_line(app, argc, argv, answer)) return std::nullopt;
  c.items = kmers->parsed() ? item_kind::kmers : item_kind::words;
  return c;
}

}  // namespace far::apps
