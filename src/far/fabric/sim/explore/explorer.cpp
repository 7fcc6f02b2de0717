#include "far/fabric/sim/explore/explorer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "far/fabric/sim/explore/trace.hpp"

namespace far::fabric::sim {

explorer::explorer(std::unique_ptr<driver> driver, std::unique_ptr<explorer_log> log,
                   std::uint64_t patience, std::function<void(std::uint64_t)> stalled)
    : driver_(std::move(driver)),
      log_(std::move(log)),
      listens_(driver_->listens()),
      rules_(driver_->rules()),
      patience_(patience),
      stalled_(std::move(stalled)) {
  if (rules_ != 0 && log_ != nullptr) log_->decided(first_rules + rules_);
}

void explorer::post(event what, picoseconds) {
  const event_label label = std::exchange(next_label_, {});
  if (dropping_) return;
  if (listens_) {
    if (next_causes_.empty()) next_causes_.push_back(current_step());
    driver_->posted(posted_, next_causes_);
    next_causes_.clear();
  }
  events_.push_back(std::move(what));
  event_ids_.push_back(posted_++);
  labels_.push_back(label);
}

void explorer::woken(fiber_id who, std::span<const step_number> causes) {
  if (!listens_) return;
  const std::array only{current_step()};
  driver_->woken(who, causes.empty() ? std::span<const step_number>(only) : causes);
}

void explorer::drop_events() {
  dropping_ = true;
  events_.clear();
  event_ids_.clear();
  labels_.clear();
}

std::uint64_t explorer::choose(std::uint64_t n) {
  const question asked = std::exchange(about_, question::other);
  const std::uint64_t answer = driver_->choose(n, asked);
  if (log_ != nullptr) send_answer(asked, answer);
  return answer;
}

bool explorer::chance(std::uint64_t parts) {
  const question asked = std::exchange(about_, question::other);
  const bool answer = driver_->chance(parts, asked);
  if (log_ != nullptr) send_answer(asked, answer ? 1 : 0);
  return answer;
}

void explorer::name_fiber(fiber_id who, int rank, std::string part) {
  if (who >= names_.size()) names_.resize(who + 1);
  names_[who] = {rank, std::move(part)};
  driver_->belongs(who, rank);
  progressed();
}

bool explorer::step() {
  ++steps_;
  wake_sleepers();
  if (events_.empty() && runnable_.empty()) {
    if (sleepers_.empty()) return false;
    steps_ = sleepers_.begin()->first / 1000;
    return true;
  }
  ++taken_;
  if (++quiet_steps_ > patience_ && waiting_for_time_ == 0 && !dropping_) {
    stalled_(std::exchange(quiet_steps_, 0));
    return true;  // stalled_ has notified all ranks
  }
  const std::size_t choice = driver_->next(event_ids_, runnable_);
  ++next_step_;
  if (log_ != nullptr) report_step(choice);
  choice < events_.size() ? run_event(choice) : run_runnable(choice - events_.size());
  return true;
}

void explorer::run_event(std::size_t choice) {
  const auto place = static_cast<std::ptrdiff_t>(choice);
  event what = std::move(events_[choice]);
  const event_label label = labels_[choice];
  events_.erase(events_.begin() + place);
  event_ids_.erase(event_ids_.begin() + place);
  labels_.erase(labels_.begin() + place);
  if (listens_) touch_label(label);
  what();
}

void explorer::run_runnable(std::size_t choice) {
  const auto place = runnable_.begin() + static_cast<std::ptrdiff_t>(choice);
  const fiber_id who = *place;
  runnable_.erase(place);
  if (const auto due = due_.find(who); due != due_.end()) {
    steps_ = std::max(steps_, due->second / 1000);
    due_.erase(due);
  }
  if (listens_) touch_rank(who < names_.size() ? names_[who].rank : -1);
  run_fiber(who);
  if (entry_of(who).body == nullptr) progressed();
}

void explorer::wake_sleepers() {
  while (follows(any_time) && !sleepers_.empty()) {
    const auto [until, who] = *sleepers_.begin();
    driver_->woken(who, {});
    due_[who] = until;
    wake(who);
  }
  while (!sleepers_.empty() && sleepers_.begin()->first <= now()) wake(sleepers_.begin()->second);
}

// What a fiber touches by verbs is recorded there. Plain loads and stores are invisible, so a fiber
// may touch everything that belongs to its rank.
void explorer::touch_rank(int rank) {
  using part = touch::part;
  constexpr auto changes = touch::mode::changes;
  if (rank < 0) return driver_->touched({});
  const auto r = static_cast<std::uint64_t>(rank);
  driver_->touched({part::fibers, changes, r, r + 1});
  if (follows(verbs_alone)) return;
  driver_->touched({part::mind, changes, r, r + 1});
  driver_->touched({part::transfers, changes, r, r + 1});
  const std::uint64_t begin = address(rank, 0, 0).bits();
  driver_->touched({part::memory, changes, begin,
                    address(rank, address::max_segments - 1, address::max_offset).bits()});
}

// The issuer of a transfer may change the buffer that the transfer uses, and checks the list of its
// transfers, so its fibers conflict with all of them. This makes neither the transfers of one rank
// nor the pieces of one transfer conflict with each other: whichever piece is last, the transfer
// then ends. So each piece touches what the end touches.
void explorer::touch_label(const event_label& label) {
  using kind = event_label::kind;
  using part = touch::part;
  constexpr auto reads = touch::mode::reads;
  constexpr auto adds = touch::mode::adds;
  constexpr auto changes = touch::mode::changes;
  const auto from = static_cast<std::uint64_t>(label.from);
  const auto to = static_cast<std::uint64_t>(label.to);
  const std::uint64_t word = label.word.bits();
  switch (label.what) {
    case kind::put:
    case kind::get:
    case kind::amo:
    case kind::signal: {
      const auto how = label.what == kind::get ? reads : changes;
      driver_->touched({part::memory, how, word, word + label.bytes});
      driver_->touched({part::transfers, reads, from, from + 1});
      if (label.tells) driver_->touched({part::mind, adds, from, from + 1});
      return;
    }
    case kind::reply_data:
      return driver_->touched({part::memory, changes, word, word + label.bytes});
    case kind::message:
      driver_->touched({part::lanes, changes, to, to + 1});
      driver_->touched({part::mind, adds, to, to + 1});
      return;
    case kind::credit:
      return driver_->touched({part::credits, adds, to, to + 1});
    case kind::reply:
      driver_->touched({part::mind, adds, to, to + 1});
      driver_->touched({part::traffic, adds});
      return;
    case kind::flushed:
    case kind::quiet:
      return;  // the arrivals that follow record this
    case kind::unnamed:
    case kind::death:
      return driver_->touched({});
  }
}

std::string explorer::name_of(fiber_id who) const {
  if (who >= names_.size()) return fmt::format("fiber {}", who);
  const fiber_name& name = names_[who];
  return name.part.empty() ? fmt::format("rank {}", name.rank)
                           : fmt::format("rank {}, {}", name.rank, name.part);
}

void explorer::report_step(std::size_t choice) {
  log_->decided(choice);
  if (choice == 0 || !log_->wants_story()) return;
  const auto what = [this](std::size_t place) {
    return place < events_.size() ? text_of(labels_[place])
                                  : name_of(runnable_[place - events_.size()]) + " goes on";
  };
  log_->tell(fmt::format("step {:>4}: {} (not yet: {})\n", taken_, what(choice), what(0)));
}

void explorer::send_answer(question asked, std::uint64_t answer) {
  log_->decided(answer);
  if (answer == 0 || !log_->wants_story()) return;
  const std::string who = current() == no_rank ? "the network" : name_of(current());
  log_->tell(fmt::format("step {:>4}: {}: {}\n", taken_, who, text_of(asked, answer)));
}

}  // namespace far::fabric::sim
