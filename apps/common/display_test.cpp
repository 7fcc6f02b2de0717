// Output for people: escaped bytes, tables, the progress bar.
#include <cstdlib>

#include <gtest/gtest.h>

#include "apps/common/printable.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/table.hpp"

namespace far::apps {
namespace {

using std::chrono::milliseconds;

TEST(printable, keeps_text_and_escapes_the_rest) {
  EXPECT_EQ(printable("plain text"), "plain text");
  EXPECT_EQ(printable("na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80"),
            "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(printable("a\nb\tc\x1b[2J\x7f"), "a\\x0ab\\x09c\\x1b[2J\\x7f");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");           // a terminal control character
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(printable, cuts_between_characters) {
  EXPECT_EQ(printable("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(printable("abcdefghi", 8), "abcde...");
  EXPECT_EQ(printable("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 4), "\xc3\xa4...");
  EXPECT_EQ(display_width(printable(std::string(1000, '\x01'), 20)), 20U);
}

TEST(printable, quotes_single_bytes) {
  EXPECT_EQ(quoted_byte('x'), "'x'");
  EXPECT_EQ(quoted_byte('\0'), "byte 0x00");
  EXPECT_EQ(quoted_byte('\xff'), "byte 0xff");
}

TEST(table, aligns_columns) {
  table t;
  t.add_column("name");
  t.add_column("rank", align::right);
  t.add_column("note");
  t.add_row({"libc6", "0.5", ""});
  t.add_row({"\xc3\xa4", "0.125", "x"});
  t.add_row({"a\nb"});
  EXPECT_EQ(t.text(),
            "name     rank  note\n"
            "------  -----  ----\n"
            "libc6     0.5\n"
            "\xc3\xa4       0.125  x\n"
            "a\\x0ab\n");
}

TEST(table, without_rows_is_a_header) {
  table t;
  t.add_column("a");
  EXPECT_EQ(t.text(), "a\n-\n");
}

struct fake_terminal {
  std::string written;
  std::chrono::steady_clock::time_point time{};

  progress_settings settings(std::size_t columns) {
    progress_settings s{.columns = columns};
    s.write = [this](std::string_view text) { written += text; };
    s.now = [this] { return time; };
    return s;
  }
};

TEST(progress_bar, draws_and_erases) {
  fake_terminal terminal;
  {
    progress_bar bar("loading", terminal.settings(60));
    bar.update(1, 4);
    EXPECT_EQ(terminal.written,
              "\rloading  [" + std::string(10, '#') + std::string(30, '.') + "]  25%\x1b[K");
    terminal.written.clear();
  }
  EXPECT_EQ(terminal.written, "\r\x1b[K");
}

TEST(progress_bar, draws_no_more_often_than_its_interval) {
  fake_terminal terminal;
  progress_bar bar("x", terminal.settings(40));
  bar.update(1, 10);
  terminal.written.clear();
  terminal.time += milliseconds(99);
  bar.update(2, 10);
  EXPECT_EQ(terminal.written, "");
  terminal.time += milliseconds(1);
  bar.update(3, 10);
  EXPECT_NE(terminal.written.find("30%"), std::string::npos);
}

TEST(progress_bar, fits_its_line_whatever_it_says) {
  for (const std::size_t columns : {20U, 21U, 30U, 79U, 80U, 300U}) {
    for (const std::uint64_t total : {0U, 1U, 12345678U}) {
      fake_terminal terminal;
      progress_bar bar("label of some length", terminal.settings(columns));
      bar.update(12345678, total, "iteration 17");
      const std::string& line = terminal.written;
      ASSERT_GT(line.size(), 4U);
      EXPECT_LE(display_width(line.substr(1, line.size() - 4)), columns - 1);
    }
  }
}

TEST(progress_bar, shows_amounts_without_a_total) {
  fake_terminal terminal;
  progress_bar bar("bytes read", terminal.settings(80));
  bar.update(12345678, 0);
  EXPECT_EQ(terminal.written, "\rbytes read  12.3 M\x1b[K");
}

TEST(progress_bar, is_silent_without_a_terminal) {
  fake_terminal terminal;
  {
    progress_bar bar("x", terminal.settings(0));
    EXPECT_FALSE(bar.visible());
    bar.update(1, 2);
  }
  EXPECT_EQ(terminal.written, "");
}

TEST(terminal_columns, follow_the_environment) {
  ::setenv("FAR_TERMINAL", "123", 1);
  EXPECT_EQ(terminal_columns(), 123U);
  for (const char* none : {"0", "", "wide", "12x", "-5"}) {
    ::setenv("FAR_TERMINAL", none, 1);
    EXPECT_EQ(terminal_columns(), 0U) << none;
  }
  ::unsetenv("FAR_TERMINAL");
}

}  // namespace
}  // namespace far::apps
