#include "far/sections/run_list.hpp"

#include <array>
#include <span>

#include "far/rpc/serialize.hpp"

namespace far::sections {
namespace {

constexpr unsigned low_bits = 7;
constexpr std::uint64_t more = 1U << low_bits;

class number_reader {
 public:
  explicit number_reader(std::span<const std::byte> text) noexcept : left_(text) {}

  [[nodiscard]] bool at_end() const noexcept { return left_.empty(); }
  [[nodiscard]] std::uint64_t next() {
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += low_bits) {
      if (left_.empty()) wire::throw_malformed("a run without its end");
      const auto digit = std::to_integer<std::uint64_t>(left_.front());
      left_ = left_.subspan(1);
      result |= (digit & (more - 1)) << shift;
      if (digit < more) return result;
    }
    wire::throw_malformed("a number of more than 64 bits");
  }

 private:
  std::span<const std::byte> left_;
};

}  // namespace

void run_list::add(const list_run& next) {
  std::array<std::byte, max_bytes> digits;
  std::size_t count = 0;
  const auto write = [&](std::uint64_t number) {
    for (; number >= more; number >>= low_bits) {
      digits[count++] = static_cast<std::byte>(number | more);
    }
    digits[count++] = static_cast<std::byte>(number);
  };
  const std::uint64_t distance = next.there.bits() - end_;
  const std::uint64_t sign = distance >> 63;
  write((distance << 1) ^ (0 - sign));
  write(next.bytes);
  text_.insert(text_.end(), digits.begin(), digits.begin() + static_cast<std::ptrdiff_t>(count));
  end_ = next.there.bits() + next.bytes;
}

std::vector<list_run> run_list::all() const {
  std::vector<list_run> result;
  result.reserve(text_.size() / min_bytes);
  number_reader numbers(text_);
  std::uint64_t end = 0;
  while (!numbers.at_end()) {
    const std::uint64_t folded = numbers.next();
    const std::uint64_t bits = end + ((folded >> 1) ^ (0 - (folded & 1)));
    const std::uint64_t bytes = numbers.next();
    result.push_back({fabric::address::from_bits(bits), bytes});
    end = bits + bytes;
  }
  return result;
}

}  // namespace far::sections
