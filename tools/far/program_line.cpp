#include "tools/far/program_line.hpp"

#include <iterator>
#include <string_view>

namespace far::tools {
namespace {

/// Whether the word after this option is its value.
bool takes_next_word(const CLI::App& subcommand, const std::string& option) {
  const bool is_long = option.starts_with("--");
  if (is_long && option.find('=') != std::string::npos) return false;
  if (!is_long && option.size() > 2) return false;  // -n4
  const CLI::Option* const known = subcommand.get_option_no_throw(option);
  return known != nullptr && known->get_items_expected_max() > 0;
}

/// Whether the parser knows the option: -n, -n4, --ranks, --ranks=4.
bool is_known(const CLI::App& subcommand, const std::string& option) {
  const bool is_long = option.starts_with("--");
  const std::string name = is_long ? option.substr(0, option.find('=')) : option.substr(0, 2);
  if (name == "-h" || name == "--help") return option == name;
  const CLI::Option* const known = subcommand.get_option_no_throw(name);
  if (known == nullptr) return false;
  const std::string value = is_long ? "" : option.substr(2);
  return value.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::vector<std::string> cut_program(const CLI::App& subcommand,
                                     std::vector<std::string>& arguments, unknown_options unknown) {
  if (arguments.empty() || arguments.front() != subcommand.get_name()) return {};
  auto next = arguments.begin() + 1;
  const CLI::App* parser = &subcommand;
  while (next != arguments.end()) {
    const auto inner = parser->get_subcommands(
        [&](const CLI::App* command) { return command->get_name() == *next; });
    if (!inner.empty()) {
      parser = inner.front();
      ++next;
      continue;
    }
    if (next->size() <= 1 || next->front() != '-' || *next == "--") break;
    if (unknown == unknown_options::program && !is_known(*parser, *next)) break;
    const bool two_words = takes_next_word(*parser, *next);
    ++next;
    if (two_words && next != arguments.end()) ++next;
  }
  const auto options_end = next;
  if (next != arguments.end() && *next == "--") ++next;
  std::vector<std::string> program(std::make_move_iterator(next),
                                   std::make_move_iterator(arguments.end()));
  arguments.erase(options_end, arguments.end());
  return program;
}

}  // namespace far::tools
