#include "far/fabric/sim/explore/labels.hpp"

#include <fmt/format.h>

namespace far::fabric::sim {
namespace {

std::string place_of(const event_label& label) {
  return fmt::format("{} bytes at segment {} offset {} of rank {}", label.bytes,
                     label.word.segment(), label.word.offset(), label.word.rank());
}

}  // namespace

std::string text_of(const event_label& label) {
  using kind = event_label::kind;
  switch (label.what) {
    case kind::unnamed:
      break;
    case kind::put:
      return fmt::format("put of rank {} takes place: {}", label.from, place_of(label));
    case kind::get:
      return fmt::format("get of rank {} takes place: {}", label.from, place_of(label));
    case kind::amo:
      return fmt::format("atomic of rank {} takes place: {}", label.from, place_of(label));
    case kind::signal:
      return fmt::format("signal of rank {} takes place: {}", label.from, place_of(label));
    case kind::message:
      return fmt::format("message from rank {} arrives at rank {}", label.from, label.to);
    case kind::reply_data:
      return fmt::format("data of a reply from rank {} land: {}", label.from, place_of(label));
    case kind::reply:
      return fmt::format("a reply arrives at rank {}", label.to);
    case kind::credit:
      return fmt::format("rank {} learns that rank {} has handled its message", label.to,
                         label.from);
    case kind::flushed:
      return fmt::format("a flush of rank {} ends", label.from);
    case kind::quiet:
      return "all learn that nothing is in flight";
    case kind::death:
      return fmt::format("the others learn of the death of rank {}", label.from);
  }
  return "something takes place";
}

std::string text_of(question about, std::uint64_t answer) {
  switch (about) {
    case question::other:
      break;
    case question::give_way:
      return "lets others come first";
    case question::at_once:
      return "its operation takes place at once";
    case question::read_now:
      return "its payload is read at once";
    case question::message_or_task:
      return "runs a message before a task";
    case question::cuts:
      return fmt::format("its transfer is cut {} times", answer);
    case question::cut_at:
      return fmt::format("a cut after word {} of its transfer", answer + 1);
    case question::first_lane:
      return fmt::format("looks at lane {} first", answer);
    case question::who_wakes:
      return fmt::format("wakes waiter {} for a message", answer);
    case question::nap:
      return fmt::format("pauses {} steps longer", answer);
  }
  return fmt::format("chooses {}", answer);
}

}  // namespace far::fabric::sim
