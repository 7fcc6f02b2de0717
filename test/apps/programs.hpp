#pragma once
// Shared by end-to-end tests of the apps: the ways to start a program, and the form of every
// failure.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "test/support/command.hpp"

namespace far::test {

using words = std::vector<std::string>;

/// Runs a program as one rank, as ranks that are processes, and as ranks that are threads.
inline std::vector<words> ways_to_run(const std::string& program) {
  const words alone{built(program)};
  return {alone, far_run({"-n", "1", built(program)}), far_run({"-n", "2", built(program)}),
          far_run({"-n", "4", built(program)}), far_run({"-n", "3", "--threads", built(program)})};
}

inline words with(words command, const words& arguments) {
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

/// The start of a command that runs a program on ranks that are also ranks of Open MPI.
inline words mpirun(int ranks) {
  return {"env",
          "OMPI_ALLOW_RUN_AS_ROOT=1",
          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
          "mpirun",
          "--oversubscribe",
          "--bind-to",
          "none",
          "-n",
          std::to_string(ranks)};
}

/// Whether mpirun can start a program that was built with MPI.
inline bool has_mpi() {
#ifdef FAR_APPS_WITH_MPI
  return run_command({"mpirun", "--version"}).output.find("Open MPI") != std::string::npos;
#else
  return false;
#endif
}

/// The standard output of a program that succeeds without any message.
inline std::string output_of(const words& command) {
  const outcome result = run_command(command);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  return result.output;
}

/// The JSON that a program prints.
inline nlohmann::json json_of(const words& command) {
  return nlohmann::json::parse(output_of(command));
}

inline std::set<std::string> keys_of(const nlohmann::json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

/// Expects that a program draws these bars on a terminal, and leaves no line there.
inline void expect_progress(const words& command, const words& bars) {
  const outcome seen = run_command(command, {{{"FAR_TERMINAL", "80"}}, "", false});
  EXPECT_EQ(seen.status, 0);
  for (const std::string& bar : bars) {
    EXPECT_NE(seen.errors.find(bar), std::string::npos) << seen.errors;
  }
  EXPECT_EQ(seen.errors.find('\n'), std::string::npos) << seen.errors;
}

/// Expects that one rank prints a program's help for each of some arguments, and its version.
inline void expect_help(const std::string& program, const std::vector<words>& requests) {
  for (const words& arguments : requests) {
    for (const words& way : ways_to_run(program)) {
      const std::string text = output_of(with(way, arguments));
      EXPECT_NE(text.find("Usage: " + program), std::string::npos) << text;
      EXPECT_EQ(text.find("Usage: "), text.rfind("Usage: ")) << text;
    }
  }
  EXPECT_EQ(output_of({built(program), "--version"}).find(program + " "), 0U);
}

/// Expects that the program refuses: one line on standard error, which contains `what`, and no
/// result.
inline void expect_refusal(const words& command, std::string_view what) {
  std::string line;
  for (const std::string& word : command) line += word + " ";
  SCOPED_TRACE(line);
  const outcome result = run_command(command);
  EXPECT_GT(result.status, 0);
  EXPECT_LT(result.status, 124);  // not a signal or a time limit
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(lines_of(result.errors).size(), 1U) << result.errors;
  EXPECT_NE(result.errors.find(what), std::string::npos) << result.errors;
}

/// The same, for all ways to start the program.
inline void expect_refusals(const std::string& program, const words& arguments,
                            std::string_view what) {
  for (const words& way : ways_to_run(program)) expect_refusal(with(way, arguments), what);
}

}  // namespace far::test
