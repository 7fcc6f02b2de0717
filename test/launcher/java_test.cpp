// The command line of `far java`. A script that prints its arguments stands for java: what Java
// does with them, the tests of java/agent see.

#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "test/support/command.hpp"
#include "test/support/system_files.hpp"

namespace {

using far::test::built;
using far::test::lines_of;
using far::test::outcome;
using far::test::run_command;

class far_java_test : public testing::Test {
 protected:
  far_java_test() {
    files_.add("/jdk/bin/java", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    ::chmod(path("jdk/bin/java").c_str(), 0755);
    files_.add("/agent.jar", "PK");
    files_.add("/library.so", "");
    set_version("17.0.2");
  }

  void set_version(const std::string& version) const {
    files_.add("/jdk/release", "IMPLEMENTOR=\"none\"\nJAVA_VERSION=\"" + version + "\"\n");
  }
  [[nodiscard]] std::string add(const std::string& name, const std::string& text) const {
    files_.add("/" + name, text);
    return path(name);
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return files_.root() + "/" + name;
  }

  outcome far_java(const std::vector<std::string>& arguments, const std::string& home = "jdk") {
    std::vector<std::string> line{built("far"), "java"};
    line.insert(line.end(), arguments.begin(), arguments.end());
    return run_command(line, {{{"JAVA_HOME", path(home)},
                               {"FAR_JAVA_AGENT", path("agent.jar")},
                               {"FAR_JAVA_LIBRARY", path("library.so")},
                               {"CLASSPATH", "from:the:environment"}},
                              "",
                              false});
  }
  /// What java gets.
  std::vector<std::string> words(const std::vector<std::string>& arguments) {
    const outcome result = far_java(arguments);
    EXPECT_EQ(result.status, 0) << result.errors;
    return lines_of(result.output);
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& why,
                      const std::string& home = "jdk") {
    const outcome result = far_java(arguments, home);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
    EXPECT_NE(result.errors.find(why), std::string::npos) << result.errors;
    EXPECT_EQ(result.output, "");
  }

 private:
  far::test::system_files files_;
};

using strings = std::vector<std::string>;

TEST_F(far_java_test, passes_on_what_is_the_programs) {
  const strings got = words({"-Xmx1g", "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-cp",
                             "a.jar:b", "some.Main", "-n", "--copies", "two words"});
  const strings begin{"-javaagent:" + path("agent.jar"),
                      "-XX:-DontCompileHugeMethods",
                      "-XX:CompileCommand=quiet",
                      "-XX:CompileCommand=dontinline,io.github.libfar.shared.Slow::*",
                      "-XX:CompileCommand=dontinline,io.github.libfar.shared.Volatiles::*",
                      "--enable-native-access=ALL-UNNAMED"};
  const strings end{"-Xmx1g",    "--add-opens", "java.base/java.lang=ALL-UNNAMED",
                    "-cp",       "a.jar:b",     "io.github.libfar.shared.Main",
                    "some.Main", "-n",          "--copies",
                    "two words"};
  strings expected = begin;
  expected.insert(expected.end(), end.begin(), end.end());
  EXPECT_EQ(got, expected);
}

TEST_F(far_java_test, runs_a_jar) {
  const std::string jar = add("app.jar", "PK and more");
  const strings got = words({"-jar", jar, "x"});
  ASSERT_GE(got.size(), 6u);
  EXPECT_EQ(strings(got.end() - 6, got.end()),
            (strings{"-cp", jar, "io.github.libfar.shared.Main", "-jar", jar, "x"}));
}

TEST_F(far_java_test, takes_the_class_path_of_the_environment) {
  const strings got = words({"Main"});
  ASSERT_GE(got.size(), 4u);
  EXPECT_EQ(strings(got.end() - 4, got.end() - 2), (strings{"-cp", "from:the:environment"}));
}

TEST_F(far_java_test, ranks_get_the_library) {
  const strings got = words({"-n", "2", "--copies", "--explain", "Main"});
  for (const std::string& word :
       {"-Dfar.library=" + path("library.so"), std::string("-Dfar.copies=true"),
        std::string("-Dfar.explain=true"), std::string("Main")}) {
    EXPECT_EQ(std::count(got.begin(), got.end(), word), 2) << word;
  }
}

TEST_F(far_java_test, wrong_lines_are_refused) {
  expect_refused({}, "no program to run");
  expect_refused({"-Xmx1g"}, "no program to run");
  expect_refused({"-jar"}, "-jar: want a value");
  expect_refused({"-cp"}, "-cp: want a value");
  expect_refused({"-jar", path("none.jar")}, "there is no such file");
  expect_refused({"-jar", add("empty.jar", "")}, "this is not a jar file");
  expect_refused({"-jar", add("text.jar", "a text")}, "this is not a jar file");
  expect_refused({"-m", "app/Main"}, "a program of modules");
  expect_refused({"-n", "0", "Main"}, "want a number of ranks above 0");
}

TEST_F(far_java_test, old_and_missing_jdks_are_refused) {
  expect_refused({"Main"}, "there is no java in JAVA_HOME", "nowhere");
  set_version("11.0.20");
  expect_refused({"Main"}, "is of Java 11: want version 17 or later");
  set_version("1.8.0_292");
  expect_refused({"Main"}, "is of Java 8: want version 17 or later");
}

}  // namespace
