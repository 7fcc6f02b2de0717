// How a client tells its user and password, if the server asks for them: as a value, before it may
// send any other command.

#include "bindings/kv/numbers.hpp"
#include "bindings/kv/protocol.hpp"

namespace far::kv {

/// "set key flags expiry bytes", and as value "user password". Only `bytes` matters of the line.
std::size_t protocol::take_login(std::string_view input) {
  constexpr std::uint32_t max_login = 2048;
  const std::size_t length = input.find('\n');
  if (length == std::string_view::npos) {
    if (input.size() > max_open_line) is_closing_ = true;
    return 0;
  }
  std::string_view line = input.substr(0, length);
  if (line.ends_with('\r')) line.remove_suffix(1);
  const tokens words(line);
  std::uint32_t bytes = 0;
  if (words.size() < 5 || words[0] != "set" || !read_number(words[4], bytes) || bytes > max_login) {
    reply("CLIENT_ERROR unauthenticated");
    return length + 1;
  }
  const std::string_view behind = input.substr(length + 1);
  if (!has_value(bytes, behind)) {
    wanted_ += length + 1;
    return 0;
  }
  if (behind.substr(bytes, 2) != "\r\n") {
    reply("CLIENT_ERROR bad command line termination");
  } else {
    log_in(tokens(behind.substr(0, bytes)));
  }
  return length + 1 + bytes + 2;
}

void protocol::log_in(const tokens& words) {
  if (words.size() < 2) {
    reply("CLIENT_ERROR bad authentication token format");
    return;
  }
  here_.counts.add(count::auth_cmds);
  is_known_ = here_.settings.users->has(words[0], words[1]);
  if (!is_known_) here_.counts.add(count::auth_errors);
  reply(is_known_ ? "STORED" : "CLIENT_ERROR authentication failure");
}

}  // namespace far::kv
