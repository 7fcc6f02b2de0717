#pragma once
// The command line of Java, as `far java` gets it behind its own options.

#include <filesystem>
#include <string>
#include <vector>

namespace far::tools {

/// What to run, and how.
struct java_line {
  std::vector<std::string> jvm_options;  ///< -Xmx1g, -Dname=value, -ea, ...
  std::string class_path;                ///< the jar itself for -jar
  std::string main;                      ///< the main class; empty: the jar says
  std::vector<std::string> arguments;    ///< the program's
};

/// Reads `[JVM OPTIONS] (-jar FILE | [-cp PATH] CLASS) [ARGS]`.
/// Errors: bad_argument: nothing to run, an option without its value, modules, a jar that is none.
java_line read_java_line(const std::vector<std::string>& words);

/// The java command of JAVA_HOME, or else of PATH.
/// Errors: bad_argument if there is none, or one that is too old.
std::filesystem::path find_java();

}  // namespace far::tools
