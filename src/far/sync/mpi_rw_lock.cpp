#include "far/sync/mpi_rw_lock.hpp"

#include "far/fabric/address.hpp"

namespace far {
namespace {

constexpr std::uint64_t one_reader = 1;
constexpr int writer_shift = 32;
static_assert(fabric::address::rank_bits < 64 - writer_shift);

constexpr bool has_writer(std::uint64_t local) noexcept { return local >> writer_shift != 0; }

/// Starts the subtraction and does not wait for it.
void subtract_later(const atomic_ref<std::uint64_t>& word, std::uint64_t value) {
  (void)word.add_async(0 - value);
}

}  // namespace

std::uint64_t mpi_rw_lock_view::name() const noexcept {
  return (static_cast<std::uint64_t>(view_.rank()) + 1) << writer_shift;
}

int mpi_rw_lock_view::writer() const {
  return static_cast<int>(local().load() >> writer_shift) - 1;
}

bool mpi_rw_lock_view::try_once() const {
  (void)global().fetch_add(1);
  std::uint64_t seen = 0;
  if (local().compare_exchange(seen, name())) return true;
  global().add(0 - std::uint64_t{1});
  return false;
}

bool mpi_rw_lock_view::enter(fabric::deadline_ns deadline) {
  use_->check_enters("mpi_rw_lock", view_.rank());
  use_->holds = try_once();
  if (use_->holds) return true;
  sync::retries turns(view_, local_, how_, use_->memory, deadline);
  while (turns.wait()) {
    if (how_ == back_off::best && local().load() != 0) continue;
    use_->holds = try_once();
    if (use_->holds) return true;
  }
  return false;
}

bool mpi_rw_lock_view::enter_shared(fabric::deadline_ns deadline) {
  use_->check_enters("mpi_rw_lock", view_.rank());
  use_->shares = !has_writer(local().fetch_add(one_reader));
  if (use_->shares) return true;
  sync::retries turns(view_, local_, how_, use_->memory, deadline);
  while (turns.wait()) {
    use_->shares = !has_writer(local().load());
    if (use_->shares) return true;
  }
  subtract_later(local(), one_reader);
  return false;
}

void mpi_rw_lock_view::unlock() {
  sync::lock_use::check_leaves("mpi_rw_lock", view_.rank(), use_->holds);
  use_->holds = false;
  sync::release_lock(view_, [&] {
    local().add(0 - name());
    subtract_later(global(), 1);
  });
}

void mpi_rw_lock_view::unlock_shared() {
  sync::lock_use::check_leaves("mpi_rw_lock", view_.rank(), use_->shares);
  use_->shares = false;
  sync::release_lock(view_, [&] { subtract_later(local(), one_reader); });
}

mpi_rw_lock::mpi_rw_lock(const world& view, int home, back_off how)
    : lock_words(view, "mpi_rw_lock", home, 2),
      mpi_rw_lock_view(view, words_at(home), words_at(master) + 1, use_of(view), how),
      home_(home),
      how_(how) {}

}  // namespace far
