#pragma once
// memcached's text protocol on one connection, without the connection: bytes in, bytes out. The
// replies are those of memcached 1.6.18.
//
// Replies have the order of the commands. A command on a key elsewhere is answered later; what
// comes behind it is carried out meanwhile, unless it is on the same key and one of the two changes
// it, and its replies wait.

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "bindings/kv/backend.hpp"
#include "bindings/kv/operation.hpp"
#include "bindings/kv/output.hpp"
#include "bindings/kv/tokens.hpp"

namespace far::kv {

/// What has become of a command.
enum class step : std::uint8_t {
  done,     ///< the line has been used, and if it has a value, that too
  later,    ///< nothing has been used: it needs more input, or an earlier answer
  partial,  ///< a get that has more keys, and whose output is to be sent first
};

/// The commands of one connection. Belongs to one thread.
class protocol {
 public:
  /// Where take stops, so that a short command cannot fill the memory with its replies.
  static constexpr std::size_t max_output = 1 << 20;
  /// A line may have so many bytes before its end comes, unless it is a get.
  static constexpr std::size_t max_open_line = 2048;
  /// And so many with its end: what memcached reads at a time.
  static constexpr std::size_t max_line = 16 << 10;
  static constexpr std::size_t max_get_line = 16 << 20;
  /// Commands that wait for answers.
  static constexpr std::size_t max_pending = 128;

  /// `answered` is called when a command is answered later. `client`: the socket, for the log.
  protocol(backend& here, std::function<void()> answered, int client = -1);
  ~protocol();
  protocol(const protocol&) = delete;
  protocol& operator=(const protocol&) = delete;

  /// Carries out the whole commands at the start of `input`, appends their replies, and returns
  /// how many bytes it has taken. The caller keeps the rest and passes it again, with more behind
  /// it. Stops at max_output.
  std::size_t take(std::string_view input, output& out);
  /// Appends what has been answered since.
  void collect(output& out);

  /// The bytes of input from which on take can do more; 0: one more.
  [[nodiscard]] std::size_t wanted() const noexcept { return wanted_; }
  /// Whether take has stopped because of the output or of other connections, and would go on with
  /// the same input.
  [[nodiscard]] bool is_stalled() const noexcept { return is_stalled_; }
  /// Whether the input waits for an answer.
  [[nodiscard]] bool is_blocked() const noexcept { return is_blocked_; }
  /// Whether a command has not been answered.
  [[nodiscard]] bool has_pending() const noexcept { return !pending_.empty(); }
  /// Whether the connection ends when all replies are sent.
  [[nodiscard]] bool is_closing() const noexcept { return is_closing_; }
  /// The same, because of what the client has sent.
  [[nodiscard]] bool is_refusing() const noexcept { return is_refusing_; }
  /// Whether the connection gets lines of the log, and all input is dropped; and which.
  [[nodiscard]] bool is_watching() const noexcept { return is_watching_; }
  [[nodiscard]] event_kinds watched() const noexcept { return watched_; }

 private:
  class slot;

  std::size_t take_line(std::string_view input);

  // login.cpp
  std::size_t take_login(std::string_view input);
  void log_in(const tokens& words);

  void check_long_line(std::string_view line);
  step run(std::string_view line, std::string_view behind);
  step run_meta(const tokens& words, std::string_view behind);
  step run_classic(const tokens& words, std::string_view behind);
  step run_other(const tokens& words);

  // get.cpp
  step get(const tokens& words, bool with_cas);
  step get_and_touch(const tokens& words, bool with_cas);
  step get_keys(std::string_view keys, operation& op);
  step get_key(const operation& op);

  // classic.cpp
  step store(const tokens& words, store_verb verb, bool has_cas, std::string_view behind);
  step arithmetic(const tokens& words, store_verb verb);
  step touch(const tokens& words);
  step erase(const tokens& words);
  step refuse_large(const operation& op, std::size_t value_bytes, bool removes);

  // meta.cpp
  step meta_get(const tokens& words);
  step meta_set(const tokens& words, std::string_view behind);
  step meta_delete(const tokens& words);
  step meta_arithmetic(const tokens& words);
  step meta_debug(const tokens& words);

  // admin.cpp
  step stats(const tokens& words);
  step stats_detail(const tokens& words);
  step flush_all(const tokens& words);
  step verbosity(const tokens& words);
  step shut_down(const tokens& words);
  step memory_limit(const tokens& words);
  step slabs(const tokens& words);
  step lru(const tokens& words);
  step extstore(const tokens& words);

  // list_commands.cpp
  step stats_cachedump(const tokens& words);
  step metadump(std::string_view classes);
  step list_items();
  void take_page(const listed_page& page, output& to);
  step lru_crawler(const tokens& words);
  step crawl(std::string_view classes);

  // watch.cpp
  step watch(const tokens& words);

  /// Ends the connection because of what the client has sent.
  void refuse() noexcept { is_closing_ = is_refusing_ = true; }
  /// The value behind a line, with its line end, if it is there.
  [[nodiscard]] bool has_value(std::size_t bytes, std::string_view behind);
  /// Carries out an operation, now or later.
  step perform(const operation& op);
  [[nodiscard]] bool must_wait_for(std::size_t hash, bool changes) const noexcept;
  step ask_job(job_request what, std::string_view end);
  step ask_sizes(size_report what);
  step reply(std::string_view text, bool quiet = false);
  /// The same where a value follows that is to be dropped: replies, as memcached, when it has come.
  /// `text` must be a literal.
  step reply_and_swallow(std::string_view text, std::size_t value_bytes, bool quiet = false);

  /// Where the reply to the next command goes.
  [[nodiscard]] output& out() noexcept;

  backend& here_;
  std::function<void()> answered_;
  std::deque<std::shared_ptr<slot>> pending_;
  output* out_ = nullptr;    // during take
  std::size_t swallow_ = 0;  // bytes to drop
  std::string_view swallowed_reply_;
  std::size_t value_taken_ = 0;  // of the command: its value's bytes
  std::size_t searched_ = 0;     // bytes of input without a line end
  std::size_t wanted_ = 0;
  std::size_t keys_done_ = 0;                      // of a get that was interrupted
  std::array<char, max_store_key_bytes + 6> key_;  // decoded
  std::optional<listing> listing_;  // that the command at the beginning of the input makes
  bool is_first_ = true;
  bool is_known_ = false;  // the client has told its user and password, where that is asked for
  bool is_stalled_ = false;
  bool is_blocked_ = false;
  bool is_closing_ = false;
  bool is_refusing_ = false;
  bool is_watching_ = false;
  event_kinds watched_ = 0;
  int client_;
};

}  // namespace far::kv
