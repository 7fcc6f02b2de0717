// far java: runs a program of Java threads over the ranks of a job.

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/harness/program.hpp"
#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/fabric/job.hpp"
#include "far/launch/launch.hpp"
#include "tools/far/java_line.hpp"
#include "tools/far/subcommands.hpp"

namespace far::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* java_footer = R"(
Runs an unchanged Java program of threads on N JVMs: far java -n 4 -jar app.jar.
Its threads are placed round robin; its objects are shared. Java's own options
go before -jar or the class: far java -n 2 -Xmx1g -cp app.jar Main ARGS.
Under mpirun, srun or far run it is one of the JVMs: mpirun -n 4 far java ...
The exit status is the program's. See docs/java.md.)";

struct java_options {
  launch::launch_options job;
  bool copies = false;
  bool explain = false;
};

/// A file that belongs to this command: where a variable says, or beside it.
fs::path own_file(const char* variable, const char* relative) {
  const std::string_view set = base::environment_text(variable);
  const fs::path path = set.empty() ? bench::own_folder().parent_path() / relative : fs::path(set);
  if (!fs::exists(path)) {
    throw bad_argument(fmt::format("{} is missing: build libfar with -DFAR_JAVA=ON, or set {}",
                                   path.string(), variable));
  }
  return path;
}

void add_words(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

/// Becomes the JVM of a rank that another launcher has started.
[[noreturn]] void become(launch::launch_options& job) {
  std::vector<char*> words{job.program.data()};
  for (std::string& argument : job.args) words.push_back(argument.data());
  words.push_back(nullptr);
  ::execv(job.program.c_str(), words.data());
  throw error(fmt::format("cannot run {}: {}", job.program, std::strerror(errno)));
}

int start(java_options& options, const std::vector<std::string>& words, bool in_job) {
  const java_line line = read_java_line(words);
  options.job.program = find_java().string();
  const fs::path agent = own_file("FAR_JAVA_AGENT", "libexec/far/far-agent.jar");
  std::vector<std::string>& args = options.job.args;
  // Rewriting makes methods longer; the JIT compiler leaves those alone that are above 8,000 bytes.
  // Calls of these classes take long anyway, and would take it seconds in the middle of a loop.
  args = {"-javaagent:" + agent.string(),
          "-XX:-DontCompileHugeMethods",
          "-XX:CompileCommand=quiet",
          "-XX:CompileCommand=dontinline,io.github.libfar.shared.Slow::*",
          "-XX:CompileCommand=dontinline,io.github.libfar.shared.Volatiles::*",
          "--enable-native-access=ALL-UNNAMED"};
  if (in_job || options.job.ranks != 1) {
    args.push_back("-Dfar.library=" + own_file("FAR_JAVA_LIBRARY", "lib/libfar_java.so").string());
    if (options.copies) args.emplace_back("-Dfar.copies=true");
    if (options.explain) args.emplace_back("-Dfar.explain=true");
    ::setenv("FAR_CONTEXTS", "48", 0);  // threads that can hold monitors
  }
  add_words(args, line.jvm_options);
  add_words(args, {"-cp", line.class_path, "io.github.libfar.shared.Main"});
  if (line.main.empty()) {
    add_words(args, {"-jar", line.class_path});
  } else {
    args.push_back(line.main);
  }
  add_words(args, line.arguments);
  if (in_job) become(options.job);
  return launch::run(options.job);
}

}  // namespace

void add_java(CLI::App& app, const std::vector<std::string>& program, int& status) {
  CLI::App* const java = app.add_subcommand("java", "Run a Java program over the ranks of a job");
  const auto options = std::make_shared<java_options>();
  launch::launch_options& job = options->job;
  java->add_option("-n,--ranks", job.ranks,
                   "Number of JVMs, 1 to 4096 (default: 1, or the sum of the hosts' numbers)");
  java->add_option("--hosts", job.hosts, "As of far run")->option_text("NAME[:RANKS],...");
  java->add_option("--rsh", job.remote_shell, "As of far run")->option_text("COMMAND");
  java->add_option("--remote-far", job.remote_far, "As of far run")->option_text("PATH");
  java->add_option("--timeout", job.timeout_s, "End the job after this time")
      ->option_text("SECONDS");
  java->add_flag("--tag-output", job.tag_output, "Begin each line of output with \"[RANK] \"");
  java->add_flag("--copies", options->copies,
                 "Work on copies as between machines, though all ranks are on this one");
  java->add_flag("--explain", options->explain,
                 "Print at the end which classes' objects ranks have shared, and how");
  // Only for the help: this parser never sees these (program_line.hpp).
  java->add_option("PROGRAM", "-jar FILE, or -cp PATH CLASS")->option_text(" ");
  java->add_option("ARGS", "Its arguments")->option_text(" ");
  java->footer(java_footer);
  java->callback([java, options, &program, &status] {
    if (options->job.ranks < 1) throw bad_argument("-n: want a number of ranks above 0");
    if (!options->job.hosts.empty() && java->count("--ranks") == 0) options->job.ranks = 0;
    const bool in_job = fabric::in_job();
    if (in_job && (java->count("--ranks") != 0 || !options->job.hosts.empty())) {
      throw bad_argument("this is a rank of a job already: its launcher takes -n and --hosts");
    }
    status = start(*options, program, in_job);
  });
}

}  // namespace far::tools
