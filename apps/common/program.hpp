#pragma once
// The main function of a program that parses its command line, works on all ranks, and prints.

#include <string>

#include "apps/common/output.hpp"
#include "far/far.hpp"

namespace far::apps {

/// Runs a job. `parse(argc, argv, answer)` returns the request of the command line, or nothing and
/// an answer: the text of --help or --version. `work(world, request)` returns the result's text,
/// which rank 0 prints.
/// Every rank parses the same command line, so an error occurs on all; it is reported once.
template <class Parse, class Work>
void run_program(int argc, char** argv, Parse parse, Work work) {
  far::run([&](far::world& world) {
    std::string answer;
    if (const auto asked = parse(argc, argv, answer)) answer = work(world, *asked);
    if (world.rank() == 0) print_result(answer);
  });
}

}  // namespace far::apps
