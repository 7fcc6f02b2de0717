#include "tools/far/java_line.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"

namespace far::tools {
namespace {

namespace fs = std::filesystem;

constexpr int oldest_java = 17;

/// Options of java whose value is the next word.
constexpr std::array two_words = {"--add-opens", "--add-exports", "--add-modules", "--add-reads",
                                  "--limit-modules"};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  for (const std::string_view w : words) {
    if (word == w) return true;
  }
  return false;
}

/// A jar is a zip file.
void check_jar(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 2> begin{};
  if (!file) throw bad_argument(fmt::format("-jar {}: there is no such file", path));
  file.read(begin.data(), begin.size());
  if (!file || begin[0] != 'P' || begin[1] != 'K') {
    throw bad_argument(fmt::format("-jar {}: this is not a jar file", path));
  }
}

/// The version that the JDK's file `release` tells; 0: unknown.
int version_of(const fs::path& java) {
  std::error_code ignored;
  std::ifstream release(fs::canonical(java, ignored).parent_path().parent_path() / "release");
  constexpr std::string_view key = "JAVA_VERSION=\"";
  for (std::string line; std::getline(release, line);) {
    if (!line.starts_with(key)) continue;
    const std::string text = line.substr(key.size());
    const int first = std::atoi(text.c_str());
    return first == 1 ? std::atoi(text.c_str() + 2) : first;  // "1.8.0"
  }
  return 0;
}

bool is_program(const fs::path& path) { return ::access(path.c_str(), X_OK) == 0; }

fs::path find_in_path() {
  std::string_view path = base::environment_text("PATH");
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const fs::path candidate = fs::path(path.substr(0, end)) / "java";
    if (is_program(candidate)) return candidate;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return {};
}

}  // namespace

java_line read_java_line(const std::vector<std::string>& words) {
  java_line line;
  std::size_t i = 0;
  const auto value = [&]() -> const std::string& {
    if (i + 1 >= words.size()) throw bad_argument(words[i] + ": want a value");
    return words[++i];
  };
  bool has_program = false;
  for (; i < words.size() && !has_program; ++i) {
    const std::string& word = words[i];
    if (word == "-jar") {
      line.class_path = value();
      check_jar(line.class_path);
      has_program = true;
    } else if (is_one_of(word, {"-cp", "-classpath", "--class-path"})) {
      line.class_path = value();
    } else if (is_one_of(word, {"-m", "--module", "-p", "--module-path"})) {
      throw bad_argument(word + ": a program of modules cannot be run; use -cp and its main class");
    } else if (word.starts_with("-")) {
      line.jvm_options.push_back(word);
      for (const std::string_view option : two_words) {
        if (word == option) line.jvm_options.push_back(value());
      }
    } else {
      line.main = word;
      has_program = true;
    }
  }
  if (!has_program) throw bad_argument("no program to run: want -jar FILE, or -cp PATH CLASS");
  if (line.class_path.empty()) {
    line.class_path = base::environment_text("CLASSPATH");
    if (line.class_path.empty()) line.class_path = ".";
  }
  line.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
  return line;
}

fs::path find_java() {
  const fs::path home(base::environment_text("JAVA_HOME"));
  const fs::path java = home.empty() ? find_in_path() : home / "bin" / "java";
  if (java.empty() || !is_program(java)) {
    throw bad_argument(fmt::format("there is no java in {}: install a JDK of version {} or later",
                                   home.empty() ? "PATH" : "JAVA_HOME, " + home.string(),
                                   oldest_java));
  }
  const int version = version_of(java);
  if (version != 0 && version < oldest_java) {
    throw bad_argument(fmt::format("{} is of Java {}: want version {} or later; set JAVA_HOME",
                                   java.string(), version, oldest_java));
  }
  return java;
}

}  // namespace far::tools
