#include <cstdint>

#include <lzma.h>

#include "apps/common/byte_stream.hpp"
#include "apps/common/input_error.hpp"

namespace far::apps {
namespace {

// The dictionary is allocated before the first byte is seen, so a few damaged bytes could ask for
// 4 GiB. `xz -9` needs 65 MiB to unpack.
constexpr std::uint64_t memory_limit = std::uint64_t{1} << 30;

const char* reason(lzma_ret status) {
  switch (status) {
    case LZMA_FORMAT_ERROR:
      return "something else follows it";
    case LZMA_MEMLIMIT_ERROR:
      return "it asks for more than 1 GiB to be unpacked";
    case LZMA_OPTIONS_ERROR:
      return "it uses an option that this liblzma does not know";
    default:
      return "it cannot be unpacked";
  }
}

class xz_stream : public byte_stream {
 public:
  explicit xz_stream(raw_input input) : byte_stream(std::move(input)) {
    if (::lzma_stream_decoder(&lzma_, memory_limit, LZMA_CONCATENATED) != LZMA_OK) {
      throw std::bad_alloc();
    }
  }
  ~xz_stream() override { ::lzma_end(&lzma_); }

  std::size_t unpack(std::span<char> into) override {
    lzma_.next_out = reinterpret_cast<std::uint8_t*>(into.data());
    lzma_.avail_out = into.size();
    while (lzma_.avail_out > 0 && !ended_) {
      const std::string_view raw = input_.peek();
      lzma_.next_in = reinterpret_cast<const std::uint8_t*>(raw.data());
      lzma_.avail_in = raw.size();
      const lzma_ret status = ::lzma_code(&lzma_, raw.empty() ? LZMA_FINISH : LZMA_RUN);
      input_.consume(raw.size() - lzma_.avail_in);
      if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
      if (status == LZMA_STREAM_END) {
        ended_ = true;
      } else if (status == LZMA_BUF_ERROR) {
        fail_truncated("xz");
      } else if (status != LZMA_OK) {
        fail_damaged("xz", reason(status));
      }
    }
    return into.size() - lzma_.avail_out;
  }

 private:
  lzma_stream lzma_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<byte_stream> make_xz_stream(raw_input input) {
  return std::make_unique<xz_stream>(std::move(input));
}

}  // namespace far::apps
