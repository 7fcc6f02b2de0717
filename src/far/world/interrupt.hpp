#pragma once

namespace far {

/// Interrupts this process's waits: from now on to the end of its job, every call of its ranks that
/// has to wait throws far::interrupted, in whichever thread it waits, also if it waits already.
/// For signal handlers: a host language that is to notice Ctrl-C calls this in its handler, catches
/// far::interrupted, and raises its own exception.
///
/// A call that has been interrupted is unfinished, and what other ranks expect of this one does not
/// come. So the rank leaves the job then: let the exception leave the scope of the far::job, call
/// job.fail(), or end the whole job by exit_job(). The others get rank_failed. Outside of a job the
/// call has no effect.
///
/// Threads: any, also in a signal handler (async-signal-safe).
/// Progress: a call that computes or runs the program's code is not interrupted before it waits.
/// Checked by: Interrupt.EndsAWaitThatSleeps, LaunchJob.AnInterruptEndsTheWaitsOfItsRank.
void interrupt() noexcept;

}  // namespace far
