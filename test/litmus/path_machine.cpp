#include "test/litmus/path_machine.hpp"

namespace far::litmus::path {
namespace {

constexpr std::uint8_t is_locked = 0x80;

}  // namespace

bool has_left(const state& s, std::size_t cell) noexcept {
  for (std::size_t c = 0; c < chunks; ++c) {
    if ((s.left >> c & 1) == 0) continue;
    if (cell == copy(c)) return true;
    for (std::size_t t = 0; t < max_local; ++t) {
      if (cell == line(t, c)) return true;
    }
  }
  return false;
}

void machine::check(std::size_t cell) const noexcept {
  if (has_left(state_, cell)) found_->late_access = true;
}

void machine::drain(std::size_t thread) noexcept {
  while (state_.memory.pending(thread) > 0) {
    check(state_.memory.queue_of(thread)[0].cell);
    state_.memory.drain(thread, 0);
  }
}

bool machine::is_choice() noexcept {
  if (ways_ > choice_) has_more_choices_ = true;
  return ways_++ == choice_;
}

std::uint8_t machine::load(std::size_t cell) {
  return instruction([&] {
    check(cell);
    return state_.memory.load(thread_, cell);
  });
}

std::uint8_t machine::load_of_answer(std::size_t cell) {
  return instruction([&] { return state_.memory.load(thread_, cell); });
}

void machine::store(std::size_t cell, std::uint8_t value) {
  instruction([&]() -> std::uint8_t {
    if (state_.memory.pending(thread_) == state_.memory.depth) return block();
    state_.memory.store(thread_, cell, value);
    return 0;
  });
}

std::uint8_t machine::exchange(std::size_t cell, std::uint8_t value) {
  return instruction([&] {
    check(cell);
    drain(thread_);
    return state_.memory.exchange(thread_, cell, value);
  });
}

std::uint8_t machine::fetch_add(std::size_t cell, std::uint8_t value) {
  return instruction([&] {
    check(cell);
    drain(thread_);
    const std::uint8_t old = state_.memory.load(thread_, cell);
    return state_.memory.exchange(thread_, cell, static_cast<std::uint8_t>(old + value));
  });
}

void machine::fence() {
  instruction([&]() -> std::uint8_t {
    drain(thread_);
    return 0;
  });
}

std::uint8_t machine::interrupt_another(std::uint8_t mask) {
  return instruction([&] {
    std::uint8_t chosen = none;
    for (std::uint8_t t = 0; t <= max_local; ++t) {
      const bool exists = t < threads_ || t == handler;
      if (exists && t != thread_ && (mask >> t & 1) == 0 && is_choice()) chosen = t;
    }
    if (chosen != none) drain(chosen);
    return chosen;
  });
}

std::uint8_t machine::lock() {
  return instruction([&] {
    drain(thread_);
    const std::uint8_t seen = state_.memory.load(thread_, mutex);
    if (seen == is_locked) return block();
    return state_.memory.exchange(thread_, mutex, is_locked);
  });
}

void machine::unlock(std::uint8_t guarded) { store(mutex, guarded); }

void machine::leave(std::size_t chunk) {
  instruction([&]() -> std::uint8_t {
    state_.left |= static_cast<std::uint8_t>(1u << chunk);
    return 0;
  });
}

void machine::want(std::size_t chunk) {
  instruction([&]() -> std::uint8_t {
    state_.wanted |= static_cast<std::uint8_t>(1u << chunk);
    return 0;
  });
}

std::uint8_t machine::await_recall() {
  return instruction([&] {
    std::uint8_t chosen = none;
    for (std::uint8_t c = 0; c < chunks; ++c) {
      const bool waits = (state_.wanted >> c & 1) != 0 && (state_.recalled >> c & 1) == 0;
      if (waits && is_choice()) chosen = c;
    }
    if (chosen == none) return block();
    state_.recalled |= static_cast<std::uint8_t>(1u << chosen);
    return chosen;
  });
}

void machine::answer(std::size_t chunk, std::uint8_t data, bool combined) {
  instruction([&]() -> std::uint8_t {
    std::uint8_t& element = state_.home[chunk];
    element = static_cast<std::uint8_t>(data + (combined ? element : 0));
    state_.granted |= static_cast<std::uint8_t>(1u << chunk);
    return 0;
  });
}

std::uint8_t machine::get_at_home(std::size_t chunk) {
  return instruction([&] {
    if ((state_.granted >> chunk & 1) == 0) return block();
    return state_.home[chunk];
  });
}

void machine::set_at_home(std::size_t chunk, std::uint8_t value) {
  instruction([&]() -> std::uint8_t {
    if ((state_.granted >> chunk & 1) == 0) return block();
    state_.home[chunk] = value;
    return 0;
  });
}

void machine::apply_at_home(std::size_t chunk, std::uint8_t value, bool now) {
  instruction([&]() -> std::uint8_t {
    if (!now && (state_.granted >> chunk & 1) == 0) return block();
    state_.home[chunk] = static_cast<std::uint8_t>(state_.home[chunk] + value);
    return 0;
  });
}

}  // namespace far::litmus::path
