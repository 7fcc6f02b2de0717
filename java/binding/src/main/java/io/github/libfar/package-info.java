/**
 * Maps, queues, arrays, locks and object spaces over the ranks of a job.
 *
 * <p>A job is a program that {@code far run -n 4 java ...} has started several times: each process is
 * a rank. {@link io.github.libfar.Job#run} joins it. Without a launcher it is a job of one rank.
 *
 * <p>What ranks make together, they make in the same order. Closing it is not collective and never
 * waits: each rank closes what it needs no more. It is destroyed once all ranks have closed it.
 */
package io.github.libfar;
