#include <algorithm>
#include <limits>

#include <zlib.h>

#include "apps/common/byte_stream.hpp"
#include "apps/common/input_error.hpp"

namespace far::apps {
namespace {

// RFC 1952: a file is a sequence of members, whose texts are concatenated. Zero bytes after the
// last member are padding, which tapes and some file systems add.
class gzip_stream : public byte_stream {
 public:
  explicit gzip_stream(raw_input input) : byte_stream(std::move(input)) {
    constexpr int gzip_with_largest_window = 16 + 15;
    if (::inflateInit2(&z_, gzip_with_largest_window) != Z_OK) throw std::bad_alloc();
  }
  ~gzip_stream() override { ::inflateEnd(&z_); }

  std::size_t unpack(std::span<char> into) override {
    std::size_t done = 0;
    while (done < into.size() && (in_member_ || start_member())) {
      done += inflate_some(into.subspan(done));
    }
    return done;
  }

 private:
  bool start_member() {
    for (;;) {
      const std::string_view raw = input_.peek();
      if (raw.empty()) return false;
      const std::size_t padding =
          members_ == 0 ? 0 : std::min(raw.size(), raw.find_first_not_of('\0'));
      if (padding == 0) break;
      input_.consume(padding);
    }
    if (input_.peek().front() != '\x1f') fail_damaged("gzip", "something else follows it");
    if (members_ > 0 && ::inflateReset(&z_) != Z_OK) throw std::bad_alloc();
    ++members_;
    in_member_ = true;
    return true;
  }

  std::size_t inflate_some(std::span<char> into) {
    const std::string_view raw = input_.peek();
    if (raw.empty()) fail_truncated("gzip");
    constexpr std::size_t max = std::numeric_limits<uInt>::max();
    const auto room = static_cast<uInt>(std::min(into.size(), max));
    // zlib does not write through next_in; its type lacks the const unless ZLIB_CONST is set.
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(raw.data()));
    z_.avail_in = static_cast<uInt>(raw.size());
    z_.next_out = reinterpret_cast<Bytef*>(into.data());
    z_.avail_out = room;
    const int status = ::inflate(&z_, Z_NO_FLUSH);
    input_.consume(raw.size() - z_.avail_in);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_STREAM_END) {
      in_member_ = false;
    } else if (status != Z_OK) {
      fail_damaged("gzip", z_.msg != nullptr ? z_.msg : "it cannot be unpacked");
    }
    return room - z_.avail_out;
  }

  z_stream z_ = {};
  std::uint64_t members_ = 0;
  bool in_member_ = false;
};

}  // namespace

std::unique_ptr<byte_stream> make_gzip_stream(raw_input input) {
  return std::make_unique<gzip_stream>(std::move(input));
}

}  // namespace far::apps
