#pragma once
// What the head and the launchers of the machines say to each other, through the standard streams
// of whatever program starts the one for the other: frames of a header and some bytes, which are a
// record (JSON, as CBOR) or, for output and input, what a rank has written or is to read.
//
// Both ends are of the same build, which the first frame tells, on machines of the same kind. What
// comes is checked all the same: a login script may print, a connection break in a frame.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "far/base/language.hpp"

namespace far::launch {

enum class frame_kind : std::uint32_t {
  // From a machine, in this order: hello, able, then the rest, done.
  hello,        ///< {build}
  able,         ///< {symmetric, local}: the most that heaps can be there
  cards,        ///< {build, cards: [[rank, card]]}: of its ranks, for their uplinks
  left,         ///< {}: its ranks do not need the others any more
  output,       ///< bytes of ranks
  said,         ///< {line} for the user, in answer to report
  input_taken,  ///< {more}: rank 0 has taken the last input; not more: and reads no more
  broken,       ///< {rank, kind, text, status}: a rank has failed, says the mapping there
  unable,       ///< {text}: it cannot be part of the job
  done,         ///< {joined: in how many jobs, others, not_run, failure}: its ranks have ended
  // From the head: job, start, then the rest.
  job,            ///< what to start, and where
  start,          ///< {symmetric, local}: what heaps are to be
  roster,         ///< {cards} of all ranks
  all_left,       ///< {}: no rank needs any other
  input,          ///< bytes for rank 0; none: their end
  output_closed,  ///< {}: nobody reads the ranks' output any more
  forward,        ///< {signal} to the ranks
  report,         ///< {}: tell what each rank waits for
  failed,         ///< as broken: the whole job has
  end,            ///< {}: end the ranks
  kill,           ///< {}: at once
  // Both: sent every second by the head, and sent back.
  beat,
};

using record = nlohmann::json;

struct frame {
  frame_kind kind = frame_kind::beat;
  std::string bytes;

  /// Errors: fabric_error.
  [[nodiscard]] record parsed() const;
};

/// A frame as it goes through a stream.
std::string framed_bytes(frame_kind kind, std::string_view bytes);
std::string framed(frame_kind kind, const record& what = record::object());

/// Cuts what comes out of a stream into frames.
class frame_reader {
 public:
  explicit frame_reader(int descriptor) noexcept : descriptor_(descriptor) {}

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// Reads once, which blocks only if poll has not said that it can be done. False: it has ended.
  bool read_some();
  /// The next whole one. Errors: fabric_error for what is no frame.
  std::optional<frame> next();

 private:
  int descriptor_;
  std::string bytes_;
  std::size_t taken_ = 0;
};

}  // namespace far::launch
