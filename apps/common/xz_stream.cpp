#include <algorithm>
#include <cstdint>

#include <lzma.h>

#include "apps/common/byte_stream.hpp"
#include "apps/common/input_error.hpp"

namespace far::apps {
namespace {

// The decoder allocates the dictionary before it decodes the first byte, so a few damaged bytes
// could request 4 GiB. Unpacking data of `xz -9` needs 65 MiB.
constexpr std::uint64_t memory_limit = std::uint64_t{1} << 30;

const char* reason(lzma_ret status) {
  switch (status) {
    case LZMA_MEMLIMIT_ERROR:
      return "it asks for more than 1 GiB to be unpacked";
    case LZMA_OPTIONS_ERROR:
      return "it uses an option that this liblzma does not know";
    default:
      return "it cannot be unpacked";
  }
}

// A file is a sequence of xz streams, with zero bytes between them and after the last. This class
// starts each stream itself: liblzma's decoder for concatenated streams would report other trailing
// bytes as a stream that ends too early.
class xz_stream : public byte_stream {
 public:
  explicit xz_stream(raw_input input) : byte_stream(std::move(input)) {}
  ~xz_stream() override { ::lzma_end(&lzma_); }

  std::size_t unpack(std::span<char> into) override {
    lzma_.next_out = reinterpret_cast<std::uint8_t*>(into.data());
    lzma_.avail_out = into.size();
    while (lzma_.avail_out > 0 && (in_stream_ || start_stream())) {
      const std::string_view raw = input_.peek();
      lzma_.next_in = reinterpret_cast<const std::uint8_t*>(raw.data());
      lzma_.avail_in = raw.size();
      const lzma_ret status = ::lzma_code(&lzma_, raw.empty() ? LZMA_FINISH : LZMA_RUN);
      input_.consume(raw.size() - lzma_.avail_in);
      if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
      if (status == LZMA_STREAM_END) {
        in_stream_ = false;
      } else if (status == LZMA_BUF_ERROR) {
        fail_truncated("xz");
      } else if (status != LZMA_OK) {
        fail_damaged("xz", reason(status));
      }
    }
    return into.size() - lzma_.avail_out;
  }

 private:
  bool start_stream() {
    for (;;) {
      const std::string_view raw = input_.peek();
      if (raw.empty()) return false;
      const std::size_t padding = std::min(raw.size(), raw.find_first_not_of('\0'));
      if (padding == 0) break;
      input_.consume(padding);
    }
    const std::string_view head = input_.peek_at_least(xz_magic.size()).substr(0, xz_magic.size());
    if (!xz_magic.starts_with(head)) fail_damaged("xz", "something else follows it");
    if (::lzma_stream_decoder(&lzma_, memory_limit, 0) != LZMA_OK) throw std::bad_alloc();
    in_stream_ = true;
    return true;
  }

  lzma_stream lzma_ = LZMA_STREAM_INIT;
  bool in_stream_ = false;
};

}  // namespace

std::unique_ptr<byte_stream> make_xz_stream(raw_input input) {
  return std::make_unique<xz_stream>(std::move(input));
}

}  // namespace far::apps
