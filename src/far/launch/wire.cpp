#include "far/launch/wire.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::launch {
namespace {

constexpr std::uint32_t magic = 0x74'65'6c'66;

struct frame_header {
  std::uint32_t magic = launch::magic;
  frame_kind kind = frame_kind::heartbeat;
  std::uint32_t bytes = 0;
};

/// Max bytes of a frame: enough for the cards of 4096 ranks.
constexpr std::uint32_t longest = 128u << 20;

/// The beginning of bytes that are not a frame, for the error message.
std::string excerpt(std::string_view bytes) {
  std::string text(bytes.substr(0, std::min<std::size_t>(bytes.find('\n'), 60)));
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return std::isprint(static_cast<unsigned char>(c)) == 0; }, '?');
  return text;
}

}  // namespace

record frame::parsed() const {
  try {
    record result = record::from_cbor(bytes);
    if (result.is_object()) return result;
  } catch (const record::exception&) {
    // Thrown below, with a message of our own.
  }
  throw fabric_error("it sent a malformed message");
}

std::string framed_bytes(frame_kind kind, std::string_view bytes) {
  const frame_header header{magic, kind, static_cast<std::uint32_t>(bytes.size())};
  std::string result(sizeof(header) + bytes.size(), '\0');
  std::memcpy(result.data(), &header, sizeof(header));
  bytes.copy(result.data() + sizeof(header), bytes.size());
  return result;
}

std::string framed(frame_kind kind, const record& what) {
  std::string bytes;
  record::to_cbor(what, bytes);
  return framed_bytes(kind, bytes);
}

bool frame_reader::read_some() {
  static std::array<char, std::size_t{64} << 10> buffer;  // the launcher has one thread
  const ssize_t got = read(descriptor_, buffer.data(), buffer.size());
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  bytes_.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

std::optional<frame> frame_reader::next() {
  const std::string_view rest = std::string_view(bytes_).substr(taken_);
  const auto known = std::min(rest.size(), sizeof(magic));
  if (std::memcmp(rest.data(), &magic, known) != 0) {
    throw fabric_error(fmt::format("what came from it is not far's: '{}'", excerpt(rest)));
  }
  frame_header header;
  if (rest.size() >= sizeof(header)) std::memcpy(&header, rest.data(), sizeof(header));
  if (header.kind > frame_kind::heartbeat || header.bytes > longest) {
    throw fabric_error("what came from it is not far's");
  }
  if (rest.size() < sizeof(header) || rest.size() < sizeof(header) + header.bytes) {
    bytes_.erase(0, taken_);
    taken_ = 0;
    return std::nullopt;
  }
  taken_ += sizeof(header) + header.bytes;
  return frame{header.kind, std::string(rest.substr(sizeof(header), header.bytes))};
}

}  // namespace far::launch
