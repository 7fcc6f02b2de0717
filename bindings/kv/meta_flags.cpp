#include "bindings/kv/meta_flags.hpp"

#include <algorithm>
#include <array>

#include "bindings/kv/base64.hpp"
#include "bindings/kv/expiry.hpp"
#include "bindings/kv/numbers.hpp"

namespace far::kv {
namespace {

constexpr std::string_view bad_token = "CLIENT_ERROR bad token in command line format";

/// Reads one command's flags, one after the other. An error does not end this: of several, the
/// last is told.
class flag_reader {
 public:
  flag_reader(backend& here, std::string_view& key, char* room, meta_flags& flags,
              std::string_view& error) noexcept
      : here_(here), key_(key), room_(room), flags_(flags), error_(error) {}

  /// Returns false if the rest is not to be read.
  bool read(std::string_view word) {
    const auto letter = static_cast<unsigned char>(word[0]);
    if (letter >= seen_.size() || seen_[letter]) {
      error_ = "CLIENT_ERROR duplicate flag";
      return false;
    }
    seen_[letter] = true;
    return take(word[0], word.substr(1));
  }
  [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }

 private:
  bool take(char letter, std::string_view argument) {
    switch (letter) {
      case 'b':
        decode_key();
        break;
      case 'N':
        flags_.makes = true;
        read_expiry(argument, flags_.made_expires);
        break;
      case 'T':
        flags_.sets_expiry = true;
        read_expiry(argument, flags_.expires);
        break;
      case 'R':
        flags_.renews = true;
        read_expiry(argument, flags_.renew_before);
        break;
      case 'C':
        flags_.has_cas = true;
        read(argument, flags_.cas, bad_token);
        break;
      case 'J':
        read(argument, flags_.initial, "CLIENT_ERROR invalid numeric initial value");
        break;
      case 'D':
        read(argument, flags_.delta, "CLIENT_ERROR invalid numeric delta value");
        break;
      case 'F':
        read(argument, flags_.client_flags, error_);
        break;
      case 'M':
        take_mode(argument);
        break;
      case 'v':
        flags_.wants_value = true;
        break;
      case 'q':
        flags_.quiet = true;
        break;
      case 'I':
        flags_.marks_stale = true;
        break;
      case 'u':
        flags_.no_update = true;
        break;
      case 'O':
      case 'P':
      case 'L':
      case 'k':
      case 's':
      case 't':
      case 'c':
      case 'f':
      case 'l':
      case 'h':
        break;
      default:
        error_ = "CLIENT_ERROR invalid flag";
        return false;
    }
    return true;
  }

  template <class Number>
  void read(std::string_view argument, Number& number, std::string_view error) {
    if (!read_number(argument, number)) fail(error);
  }
  void read_expiry(std::string_view argument, store_second& expires) {
    std::int32_t time = 0;
    if (!read_number(argument, time)) return fail(bad_token);
    expires = expiry_of(here_, time);
  }
  void take_mode(std::string_view argument) {
    if (argument.size() != 1) return fail("CLIENT_ERROR incorrect length for M token");
    flags_.mode = argument[0];
  }
  void decode_key() {
    flags_.binary_key = true;
    key_ = {room_, decode_base64(key_, room_)};
    if (key_.empty()) fail("CLIENT_ERROR error decoding key");
  }
  void fail(std::string_view error) {
    error_ = error;
    has_failed_ = true;
  }

  backend& here_;
  std::string_view& key_;
  char* room_;
  meta_flags& flags_;
  std::string_view& error_;
  std::array<bool, 127> seen_{};
  bool has_failed_ = false;
};

}  // namespace

bool read_meta_flags(backend& here, std::span<const std::string_view> words, std::string_view& key,
                     char* room, meta_flags& flags, std::string_view& error) {
  flag_reader reader(here, key, room, flags, error);
  const bool read_all =
      std::ranges::all_of(words, [&](std::string_view word) { return reader.read(word); });
  return read_all && !reader.has_failed();
}

bool has_long_opaque(std::span<const std::string_view> words) {
  const std::size_t at = position_of(words, 'O');
  return at < words.size() && words[at].size() > longest_opaque;
}

std::size_t position_of(std::span<const std::string_view> words, char letter) {
  const auto at =
      std::ranges::find_if(words, [letter](std::string_view word) { return word[0] == letter; });
  return static_cast<std::size_t>(at - words.begin());
}

}  // namespace far::kv
