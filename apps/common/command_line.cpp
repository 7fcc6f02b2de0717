#include "apps/common/command_line.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "apps/common/printable.hpp"
#include "far/base/error.hpp"
#include "far/base/version.hpp"

namespace far::apps {
namespace {

/// Joins the lines of a CLI11 message.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return printable(text);
}

[[noreturn]] void fail(const CLI::App& app, const std::string& what) {
  throw usage_error(fmt::format("{0}: {1}; see {0} --help", app.get_name(), one_line(what)));
}

/// For an unknown command or option, CLI11 would only report that a command is missing.
void check_command(CLI::App& app, int argc, const char* const* argv) {
  if (app.get_subcommands({}).empty()) return;  // the program has no commands
  if (argc < 2) fail(app, "no command");
  const std::string name = argv[1];
  if (name == "-h" || app.get_option_no_throw(name) != nullptr) return;
  if (name.starts_with('-')) fail(app, "there is no option '" + name + "'");
  const auto has_name = [&](const CLI::App* command) { return command->get_name() == name; };
  if (app.get_subcommands(has_name).empty()) fail(app, "there is no command '" + name + "'");
}

}  // namespace

void name_program(CLI::App& app, const std::string& name) {
  app.name(name);
  app.set_version_flag("--version", name + " " + FAR_VERSION);
}

bool parse_command_line(CLI::App& app, int argc, const char* const* argv, std::string& answer) {
  check_command(app, argc, argv);
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::CallForVersion& version) {
    answer = std::string(version.what()) + "\n";
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    answer = chosen.empty() ? app.help() : chosen.front()->help(app.get_name());
  } catch (const CLI::ParseError& failure) {
    fail(app, failure.what());
  }
  return false;
}

CLI::Option* add_whole_number(CLI::App& app, const std::string& option,
                              std::function<void(std::int64_t)> take, const std::string& help) {
  const auto parse = [option, take = std::move(take)](const std::string& text) {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, value);
    if (failure != std::errc() || stop != end) {
      throw CLI::ValidationError(option,
                                 fmt::format("'{}' is no whole number from -2^63 to 2^63-1", text));
    }
    take(value);
  };
  return app.add_option_function<std::string>(option, parse, help);
}

CLI::Validator number_between(double min, double max) {
  const auto check = [min, max](const std::string& text) -> std::string {
    double value = 0;
    const bool is_number = CLI::detail::lexical_cast(text, value);
    if (is_number && value >= min && value <= max) return {};
    return fmt::format("'{}' is no number from {} to {}", text, min, max);
  };
  return CLI::Validator(check, fmt::format("{}..{}", min, max));
}

}  // namespace far::apps
