// How the words are read: where ranks run on this machine, by loads of their own size. In a
// simulation by peek, so that each look is a step that the explorer orders;
// wait_reason::plain_memory tells it that changes of the rank's memory end the wait.

#include "far/rma/await_words.hpp"

#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/rma/direct.hpp"

namespace far::rma {
namespace {

/// Looks before the first progress. Together they take less than a microsecond, in which a rank
/// that is about to change the word may do so.
constexpr std::size_t quick_looks = 256;

bool compare(comparison how, auto word, auto value) noexcept {
  switch (how) {
    case comparison::eq:
      return word == value;
    case comparison::ne:
      return word != value;
    case comparison::gt:
      return word > value;
    case comparison::ge:
      return word >= value;
    case comparison::lt:
      return word < value;
    case comparison::le:
      return word <= value;
  }
  return false;
}

void check(const world& world, const word_set& words) {
  const fabric::address first = words.first;
  if (first && first.rank() != world.rank()) {
    throw bad_argument(
        fmt::format("{}: rank {} cannot wait for words of rank {}: they must be its own",
                    words.caller, world.rank(), first.rank()));
  }
  if (first.offset() % words.bytes != 0) {
    throw bad_argument(fmt::format("{}: the words at offset {} are not aligned to their {} bytes",
                                   words.caller, first.offset(), words.bytes));
  }
  const std::size_t values = words.values.size() / words.bytes;
  if (values != 1 && values != words.count) {
    throw bad_argument(fmt::format("{}: {} values for {} words: want one for all, or one for each",
                                   words.caller, values, words.count));
  }
  if (!words.excluded.empty() && words.excluded.size() != words.count) {
    throw bad_argument(
        fmt::format("{}: {} flags of exclusion for {} words: want none, or one for each",
                    words.caller, words.excluded.size(), words.count));
  }
  if (words.count > fabric::address::max_offset / words.bytes) {
    throw bad_argument(fmt::format("{}: {} words", words.caller, words.count));
  }
  if (words.count > 0) world.fabric().check_bounds(first, words.count * words.bytes);
}

/// The words of one call. Only its thread uses it.
class scan {
 public:
  scan(const world& world, const word_set& words) : world_(&world), words_(words) {
    check(world, words);
    context_ = &world.context();
    if (words.count > 0 && !world.fabric().simulated()) place_ = world.fabric().local(words.first);
    one_value_ = words.values.size() == words.bytes;
    while (next_ < words.count && is_excluded(next_)) ++next_;
    none_ = next_ == words.count;
  }

  [[nodiscard]] std::size_t count() const noexcept { return words_.count; }
  /// Whether no word is awaited.
  [[nodiscard]] bool none() const noexcept { return none_; }
  [[nodiscard]] bool is_excluded(std::size_t i) const noexcept {
    return !words_.excluded.empty() && words_.excluded[i] != 0;
  }
  [[nodiscard]] bool satisfies(std::size_t i) const {
    switch (words_.bytes) {
      case 2:
        return satisfies_as<std::uint16_t>(i);
      case 4:
        return satisfies_as<std::uint32_t>(i);
      default:
        return satisfies_as<std::uint64_t>(i);
    }
  }

  /// Goes on from the first word that has not satisfied its comparison yet.
  [[nodiscard]] bool all() {
    while (next_ < words_.count && (is_excluded(next_) || satisfies(next_))) ++next_;
    return next_ == words_.count;
  }
  /// The index of the first that does; count() if none does.
  [[nodiscard]] std::size_t any() const {
    std::size_t i = 0;
    while (i < words_.count && (is_excluded(i) || !satisfies(i))) ++i;
    return i;
  }
  [[nodiscard]] std::size_t some(std::size_t* which) const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < words_.count; ++i) {
      if (!is_excluded(i) && satisfies(i)) which[found++] = i;
    }
    return found;
  }

  /// Waits until ready() holds; false: not before the deadline.
  template <class Ready>
  bool wait(Ready ready, fabric::deadline_ns deadline) {
    if (place_ != nullptr) {
      for (std::size_t looks = 0; looks < quick_looks; looks += words_.count) {
        if (ready()) return true;
      }
    }
    const fabric::address awaited =
        words_.first + static_cast<std::int64_t>(next_ % words_.count * words_.bytes);
    return context_->wait(ready, deadline, {"words", -1, awaited, true});
  }

  /// Looks, and once more after some progress.
  template <class Ready>
  bool test(Ready ready) {
    if (ready()) return true;
    world_->progress();
    return ready();
  }

 private:
  template <class Word>
  [[nodiscard]] bool satisfies_as(std::size_t i) const {
    const Word word = load<Word>(i);
    Word value;
    std::memcpy(&value, words_.values.data() + (one_value_ ? 0 : i * sizeof(Word)), sizeof(Word));
    using signed_word = std::make_signed_t<Word>;
    return words_.is_signed ? compare(words_.how, static_cast<signed_word>(word),
                                      static_cast<signed_word>(value))
                            : compare(words_.how, word, value);
  }

  template <class Word>
  [[nodiscard]] Word load(std::size_t i) const {
    const std::size_t at = i * sizeof(Word);
    if (place_ != nullptr) return instructions<Word>::load_acquire(place_ + at);
    const fabric::address word = words_.first + static_cast<std::int64_t>(at);
    const std::uint64_t inside = word.offset() % sizeof(std::uint64_t);
    const std::uint64_t whole = context_->peek(word + -static_cast<std::int64_t>(inside));
    Word part;
    std::memcpy(&part, reinterpret_cast<const std::byte*>(&whole) + inside, sizeof(part));
    return part;
  }

  const world* world_;
  word_set words_;
  fabric::context* context_;
  const std::byte* place_ = nullptr;  // of the first word, where loads of this process are right
  bool one_value_;
  std::size_t next_ = 0;  // all before it are excluded, or have satisfied their comparison
  bool none_;
};

}  // namespace

bool await_all(const world& world, const word_set& words, fabric::deadline_ns deadline) {
  scan look(world, words);
  return look.all() || look.wait([&] { return look.all(); }, deadline);
}

std::optional<std::size_t> await_any(const world& world, const word_set& words,
                                     fabric::deadline_ns deadline) {
  scan look(world, words);
  if (look.none()) return std::nullopt;
  std::size_t found = look.any();
  const auto ready = [&] { return (found = look.any()) < look.count(); };
  if (found < look.count() || look.wait(ready, deadline)) return found;
  return std::nullopt;
}

std::size_t await_some(const world& world, const word_set& words, std::size_t* which,
                       fabric::deadline_ns deadline) {
  scan look(world, words);
  if (look.none()) return 0;
  std::size_t found = look.some(which);
  const auto ready = [&] { return (found = look.some(which)) > 0; };
  return found > 0 || look.wait(ready, deadline) ? found : 0;
}

bool test_all(const world& world, const word_set& words) {
  scan look(world, words);
  return look.test([&] { return look.all(); });
}

std::optional<std::size_t> test_any(const world& world, const word_set& words) {
  scan look(world, words);
  std::size_t found = look.count();
  if (look.none() || !look.test([&] { return (found = look.any()) < look.count(); })) {
    return std::nullopt;
  }
  return found;
}

std::size_t test_some(const world& world, const word_set& words, std::size_t* which) {
  scan look(world, words);
  std::size_t found = 0;
  if (!look.none()) look.test([&] { return (found = look.some(which)) > 0; });
  return found;
}

}  // namespace far::rma
