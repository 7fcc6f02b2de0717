#pragma once
// Descriptors 0, 1 and 2. A program may be started without them (`program >&-`).

namespace far::base {

/// Opens a placeholder for each standard descriptor that is closed. As with a closed descriptor,
/// 0 cannot be read, and 1 and 2 cannot be written (EBADF); /dev/stdin, /dev/stdout and /dev/stderr
/// cannot be opened. So no file that this process opens
/// later (a job's memory, a library's socket) gets that number and receives what the program
/// prints. Child processes inherit the placeholders. Errors: fabric_error.
void hold_standard_streams();

/// Flushes the buffer of standard output. Errors: far::error if that, or an earlier write to
/// standard output, failed (a closed descriptor, a full disk).
void flush_standard_output();

}  // namespace far::base
