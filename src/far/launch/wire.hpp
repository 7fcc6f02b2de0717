#pragma once
// The protocol between the head and the launchers of the machines. It uses the standard streams of
// the program that starts the launcher for the head (ssh). A frame is a header and some bytes. The
// bytes are a record (JSON, as CBOR); in frames of output and input they are what a rank has
// written or is to read.
//
// Both ends are of the same build, which the first frame establishes, on machines of the same kind.
// Input is checked all the same: a login script may print, or a connection may break inside a
// frame.

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
  able,         ///< {symmetric, local, nic}: max bytes of each heap there
  cards,        ///< {build, cards: [[rank, card]]}: the cards of its ranks, for their uplinks
  left,         ///< {}: its ranks no longer need the others
  output,       ///< bytes of ranks
  said,         ///< {line} for the user, in answer to report
  input_taken,  ///< {more}: rank 0 has taken the last input; `more`: it may read more
  broken,       ///< {rank, kind, text, status}: the shared memory there records a rank's failure
  unable,       ///< {text}: it cannot be part of the job
  done,         ///< {joined: number of jobs, others, not_run, failure}: its ranks have ended
  // From the head: job, start, then the rest.
  job,            ///< what to start, and where
  start,          ///< {symmetric, local, nic}: bytes of each heap
  roster,         ///< {cards} of all ranks
  all_left,       ///< {}: no rank needs any other
  input,          ///< bytes for rank 0; no bytes: end of the input
  output_closed,  ///< {}: the ranks' output is no longer read
  forward,        ///< {signal} to the ranks
  report,         ///< {}: report what each rank waits for
  failed,         ///< as broken: the job has failed
  end,            ///< {}: end the ranks
  kill,           ///< {}: kill the ranks
  // From both: sent every second by the head, and returned.
  heartbeat,
};

using record = nlohmann::json;

struct frame {
  frame_kind kind = frame_kind::heartbeat;
  std::string bytes;

  /// Errors: fabric_error.
  [[nodiscard]] record parsed() const;
};

/// A frame in the form that is written to a stream.
std::string framed_bytes(frame_kind kind, std::string_view bytes);
std::string framed(frame_kind kind, const record& what = record::object());

/// Reads frames from a stream.
class frame_reader {
 public:
  explicit frame_reader(int descriptor) noexcept : descriptor_(descriptor) {}

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// Reads once. It does not block if poll has reported the descriptor readable. Returns false at
  /// the end of the stream.
  bool read_some();
  /// The next complete frame, if there is one. Errors: fabric_error if the bytes are not a frame.
  std::optional<frame> next();

 private:
  int descriptor_;
  std::string bytes_;
  std::size_t taken_ = 0;
};

}  // namespace far::launch
