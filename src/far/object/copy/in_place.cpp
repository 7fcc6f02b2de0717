#include "far/object/copy/in_place.hpp"

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>

#include "far/fabric/verbs.hpp"
#include "far/object/copy/packet_format.hpp"
#include "far/object/heap/words.hpp"
#include "far/object/part.hpp"

namespace far::objects {
namespace {

/// The widest word that begins at an offset and has at most so many bytes.
std::size_t word_at(std::uint64_t offset, std::size_t bytes) {
  std::size_t width = 8;
  while (offset % width != 0 || width > bytes) width /= 2;
  return width;
}

template <class Visit>
void for_each_range(const change_pieces& changes, Visit visit) {
  for (const auto& runs : changes) for_each_run(runs, max_region_bytes, visit);
}

/// The same, cut into words: a put keeps only those whole (docs/memory_model.md, axioms 1 and 2).
template <class Visit>
void for_each_word(const change_pieces& changes, Visit visit) {
  for_each_range(changes, [&](std::uint32_t offset, fabric::payload bytes) {
    while (!bytes.empty()) {
      const std::size_t width = word_at(offset, bytes.size());
      visit(offset, bytes.first(width));
      offset += static_cast<std::uint32_t>(width);
      bytes = bytes.subspan(width);
    }
  });
}

/// The parts of a put come in any order. So of several changes of a word, which have waited for
/// the same write, only the last one may be put: returns them as one piece, whose runs are
/// disjoint.
change_pieces merged(change_pieces changes) {
  if (changes.size() < 2) return changes;
  std::size_t end = 0;
  for_each_range(changes, [&](std::uint32_t offset, fabric::payload bytes) {
    end = std::max(end, offset + bytes.size());
  });
  std::vector<std::byte> last(end);
  std::vector<bool> is_changed(end + 1);
  for_each_range(changes, [&](std::uint32_t offset, fabric::payload bytes) {
    std::ranges::copy(bytes, last.begin() + offset);
    std::fill_n(is_changed.begin() + offset, bytes.size(), true);
  });
  std::vector<std::byte> runs;
  for (std::size_t at = 0; at < end; ++at) {
    const std::size_t begin = at;
    while (is_changed[at]) ++at;
    if (at == begin) continue;
    append(runs,
           packet_run{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at - begin)});
    const auto first = last.begin() + static_cast<std::ptrdiff_t>(begin);
    runs.insert(runs.end(), first, first + static_cast<std::ptrdiff_t>(at - begin));
  }
  return {std::move(runs)};
}

class copy_writer : public fabric::completion {
 public:
  copy_writer(part& of, fabric::context& context, copy_write&& write, thread_work* mine)
      : of_(of.shared_from_this()), context_(&context), write_(std::move(write)), mine_(mine) {
    on_done = &step_done;
    if (mine_ != nullptr) ++mine_->in_flight;
  }

  /// Opens the word, as it was seen last.
  void open() {
    expected_ = value_of(write_.has_twin ? update_word::state::twinned : update_word::state::ready);
    fabric::amo_request request;
    request.word = word();
    request.op = fabric::amo_op::compare_swap;
    request.compare = expected_;
    request.operand = value_of(update_word::state::open);
    request.fetched = &seen_;
    context_->amo(request, this);
  }

 private:
  [[nodiscard]] std::uint64_t value_of(update_word::state s) const noexcept {
    return update_word::value(write_.number, s);
  }
  [[nodiscard]] fabric::address word() const noexcept {
    return write_.copies.word(write_.offset, of_->heap.bytes());
  }

  static void step_done(fabric::completion& self) noexcept {
    static_cast<copy_writer&>(self).step_done();
  }
  void step_done() noexcept {
    if (written_) return finish(true);
    if (seen_ == expected_) return write();
    const bool has_twin = seen_ == value_of(update_word::state::twinned);
    if (!has_twin && seen_ != value_of(update_word::state::ready)) return finish(false);
    write_.has_twin = has_twin;
    open();
  }

  void write() {
    written_ = true;
    const fabric::address data = write_.copies.data(write_.offset);
    const fabric::address twin = write_.copies.twin(write_.offset, of_->heap.bytes());
    const fabric::signal gives_back{word(), expected_, fabric::signal::kind::set};
    fabric::fabric& fabric = context_->owner();
    std::vector<fabric::put_part> parts;
    if (std::byte* const copy = fabric.direct(data); copy != nullptr) {
      for_each_range(write_.changes, [&](std::uint32_t offset, fabric::payload bytes) {
        store_words(copy + offset, bytes.data(), bytes.size());
        if (write_.has_twin) store_words(fabric.direct(twin) + offset, bytes.data(), bytes.size());
      });
    } else {
      write_.changes = merged(std::move(write_.changes));
      for_each_word(write_.changes, [&](std::uint32_t offset, fabric::payload bytes) {
        parts.push_back({data + offset, bytes.data(), bytes.size()});
        if (write_.has_twin) parts.push_back({twin + offset, bytes.data(), bytes.size()});
      });
    }
    context_->put(parts, this, nullptr, &gives_back);
  }

  void finish(bool done) noexcept {
    const std::unique_ptr<copy_writer> ends(this);
    outbox out;
    {
      const std::scoped_lock lock(of_->mutex);
      of_->directory.written(out, std::move(write_), done);
    }
    end_step(*of_, *context_, mine_, std::move(out));
  }

  std::shared_ptr<part> of_;
  fabric::context* context_;
  copy_write write_;
  thread_work* mine_;
  std::uint64_t expected_ = 0;
  std::uint64_t seen_ = 0;
  bool written_ = false;
};

}  // namespace

bool is_worth_writing(const part& of, int rank, const change_pieces& changes) {
  const fabric::fabric& fabric = of.main_context->owner();
  // An interface that takes lists takes a put of many words for one operation.
  if (fabric.direct(rank) != nullptr || fabric.descriptor_segments() > 0) return true;
  std::size_t puts = 0;
  for_each_word(changes, [&](std::uint32_t, fabric::payload) { puts += 2; });  // and of the twin
  return puts <= fabric::max_landings;
}

void start_write(part& of, fabric::context& context, copy_write&& write, thread_work* mine) {
  auto writer = std::make_unique<copy_writer>(of, context, std::move(write), mine);
  writer.release()->open();
}

}  // namespace far::objects
