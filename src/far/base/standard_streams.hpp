#pragma once
// Descriptors 0, 1 and 2, which a program may be started without (`program >&-`).

namespace far::base {

/// Occupies each standard descriptor that is closed with one that refuses what a closed one
/// refuses: 0 cannot be read, 1 and 2 cannot be written (EBADF). So nothing that this process opens
/// later (a job's memory, a library's socket) takes its place and receives what the program prints.
/// Child processes inherit it. Errors: fabric_error.
void hold_standard_streams();

/// Writes what standard output still buffers. Errors: far::error if that, or anything that the
/// program has printed before, was not written (a closed descriptor, a full disk).
void flush_standard_output();

}  // namespace far::base
