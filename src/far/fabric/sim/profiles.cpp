// The built-in profiles. The comment at each figure gives its source: a paper's table or text, or
// "fitted", which means chosen so that a benchmark of libfar shows what the paper measured.
// docs/simulator_internals.md says what each was fitted on, and how far off the rest is.

#include "far/fabric/address.hpp"
#include "far/fabric/sim/profile.hpp"

namespace far::fabric::sim {
namespace {

constexpr picoseconds ns = 1000;

constexpr link_costs wire(picoseconds latency, double bytes_per_ns) {
  return {latency, static_cast<picoseconds>(1024 * 1000 / bytes_per_ns)};
}

/// Cray Aries. The two latencies and the three services were fitted on Table I of rdma-vs-rpc (64
/// nodes of 32 ranks: put 3.0 us, get 3.7, compare-and-swap 3.8, fetch-and-op 3.9), then frozen.
/// The rest:
profile aries() {
  profile p;
  p.nodes_per_group = 384;  // a group is two cabinets of 192 nodes (Cray's XC series brochure)
  p.inside = {150 * ns, 150 * ns, 200 * ns, 250 * ns};   // assumed: copies and locked instructions
  p.outside = {400 * ns, 400 * ns, 400 * ns, 400 * ns};  // assumed: a descriptor, a doorbell
  p.completion = 100 * ns;                               // assumed
  p.poll = 50 * ns;                                      // assumed
  p.links = {wire(50 * ns, 10), wire(150 * ns, 8.5),     // assumed
             wire(1270 * ns, 10),   // fitted; 10 GB/s injection (Cray's XC series brochure)
             wire(1570 * ns, 10)};  // fitted in the same way; one more hop over optics: assumed
  p.gap = 10 * ns;                  // assumed: 100 million messages a second per interface
  p.get_service = 700 * ns;         // fitted
  p.swap_service = 800 * ns;        // fitted
  p.amo_service = 900 * ns;         // fitted
  p.amo_gap = 10 * ns;              // assumed
  p.same_word_gap = 5000 * ns;      // assumed: the paper says "much higher" and no number
  p.handler = 300 * ns;             // assumed: unpacking and inserting into a table
  p.handoff = 1000 * ns;            // assumed: a progress thread on a shared core
  p.service_tax = 100 * ns;         // assumed: the locks that a progress thread needs
  return p;
}

/// InfiniBand as in armci-host-assisted: put 6.2 us, get 12.3 us, 830 and 765 MB/s (IA32); 7.44,
/// 16, 730 and 689 (IA64); atomics through the network 17.1 us (machine not named).
profile infiniband_2004() {
  profile p;
  p.ranks_per_node = 2;                                      // dual-processor nodes
  p.nodes_per_group = 64;                                    // assumed: one switch
  p.inside = {400 * ns, 400 * ns, 500 * ns, 600 * ns};       // assumed
  p.outside = {1000 * ns, 1000 * ns, 1000 * ns, 1500 * ns};  // assumed
  p.completion = 400 * ns;                                   // assumed
  p.poll = 200 * ns;                                         // assumed
  p.gap = 500 * ns;                                          // assumed
  p.amo_gap = 500 * ns;                                      // assumed
  p.handler = 1000 * ns;                                     // assumed
  p.handoff = 5000 * ns;                                     // assumed: a blocking server thread
  p.service_tax = 100 * ns;                                  // assumed
  return p;
}

/// What the same paper says of memory that is not contiguous, of registration and of the server.
void add_host_assistance(profile& p) {
  p.get_gap = p.get_service / 4;     // assumed: adapters of the time had four reads in flight
  p.descriptor_segments = 60;        // section 5.2
  p.descriptor = 1000 * ns;          // section 5.2: "a microsecond on Itanium 1GHz"; IA32: assumed
  p.descriptor_segment = 15 * ns;    // section 5.2: 60 instead of 1 take less than a microsecond
  p.registration = 60'000 * ns;      // fitted on figure 2, whose numbers the text does not give:
  p.registered_kilobyte = 250 * ns;  // up to 100 KB a copy is cheaper
  p.copied_row = 20 * ns;            // assumed
  p.helper_share = 4;                // fitted: to "seriously degraded" (section 4.1)
}

/// A Xeon of the fourth generation with 16 cores, and more of the same. Measured on one, by far
/// 0.1: fetch-and-add of one word by one rank 10.7 ns, put of a random word 5.1; by 2 and 16 ranks,
/// in millions a second of all, barrier 4.9 and 8.2, allreduce 2.8 and 5.0, calls to random ranks
/// 3.2 and 14. The figures were fitted on these, by hand. docs/simulator_internals.md compares.
profile xeon_16() {
  profile p;
  p.name = "xeon-16";
  p.about = "ranks that are processes of one Xeon (Sapphire Rapids) with a core for each";
  p.ranks_per_node = address::max_ranks;   // there is no network
  p.inside = {5100, 1100, 10700, 150000};  // ps; put and amo measured, send fitted on calls,
                                           // get assumed as on the laptop
  p.links = {link_costs{0, 14000}, link_costs{0, 14000}};  // assumed, as on the laptop
  p.completion = 15 * ns;                                  // assumed
  p.poll = 13 * ns;                                        // assumed
  p.line_transfer = 100 * ns;                              // fitted on barrier and allreduce
  p.line_gap = 25 * ns;                                    // assumed
  p.payload = 50 * ns;                                     // these four assumed
  p.copy = 5 * ns;
  p.spilled_kilobyte = 10 * ns;
  p.batch_key = 27 * ns;
  p.first_key = 31 * ns;  // assumed
  p.handler = 100 * ns;   // fitted on calls
  p.answer = 100 * ns;    // fitted on calls
  return p;
}

}  // namespace

const std::vector<profile>& known_profiles() {
  static const std::vector<profile> all = [] {
    profile cori = aries();
    cori.name = "cori-aries";
    cori.about = "Cori phase I, Cray XC40, 32 ranks a node (rdma-vs-rpc, section IV)";
    cori.ranks_per_node = 32;

    profile daint = aries();
    daint.name = "piz-daint";
    daint.about = "Piz Daint, Cray XC30, 16 ranks a node (rma-locks, section 5)";
    daint.ranks_per_node = 16;

    profile ia32 = infiniband_2004();
    ia32.name = "ib-2004-ia32";
    ia32.about = "InfiniBand of 2004, IA32 nodes (armci-host-assisted)";
    ia32.links = {wire(200 * ns, 1), wire(400 * ns, 0.8),  // assumed
                  wire(2400 * ns, 0.830),
                  wire(2400 * ns, 0.830)};              // fitted: put; bandwidth as reported
    ia32.get_service = 6100 * ns;                       // fitted: get
    ia32.get_kilobyte = 105 * ns;                       // fitted: 765 MB/s for gets, 830 for puts
    ia32.swap_service = ia32.amo_service = 10900 * ns;  // fitted: atomics through the network

    add_host_assistance(ia32);
    ia32.copied_kilobyte = 1100 * ns;  // assumed: 0.93 GB/s from and to memory, Pentium IV
    ia32.helper_atomic = 5650 * ns;    // fitted: atomics by the server in 22.1 us (section 4.3)

    profile ia64 = infiniband_2004();
    ia64.name = "ib-2004-ia64";
    ia64.about = "InfiniBand of 2004, IA64 nodes (armci-host-assisted)";
    ia64.links = {wire(200 * ns, 1), wire(400 * ns, 0.8),           // assumed
                  wire(3020 * ns, 0.730), wire(3020 * ns, 0.730)};  // as for IA32
    ia64.get_service = 8560 * ns;
    ia64.get_kilobyte = 83 * ns;
    ia64.swap_service = ia64.amo_service = 9660 * ns;
    add_host_assistance(ia64);
    ia64.copied_kilobyte = 900 * ns;  // assumed: 1.1 GB/s, Itanium 2 of 1 GHz
    ia64.helper_atomic = 4410 * ns;   // as for IA32

    profile ib2006 = infiniband_2004();
    ib2006.name = "ib-2006";
    ib2006.about = "InfiniBand of 2006: one-sided 2 us, a message 17 us (oo-dsm-rdma)";
    // A message takes 17 us until "the application layer" has it (section 1): sending, the wire,
    // the communication thread that it wakes (handoff), and that thread's work (handler).
    ib2006.outside = {300 * ns, 300 * ns, 300 * ns, 6000 * ns};  // the last: fitted on the message
    ib2006.completion = 200 * ns;                                // assumed
    ib2006.links = {wire(100 * ns, 2), wire(200 * ns, 1.5),      // assumed
                    wire(700 * ns, 0.9), wire(700 * ns, 0.9)};   // fitted: put in 2 us; 10 Gbit/s
    ib2006.gap = 300 * ns;                                       // assumed
    ib2006.swap_service = ib2006.amo_service = 500 * ns;         // assumed
    ib2006.handler = 5150 * ns;                                  // fitted on the message
    ib2006.answer = 10150 * ns;      // as a message: the communication thread receives it, too
    ib2006.descriptor_segments = 1;  // section 7: no remote scatter
    ib2006.descriptor = 300 * ns;    // a reply that only lands is a put
    ib2006.message_bytes = 8192;     // changes are streamed in 4 KB (section 5.1)

    profile cx4 = infiniband_2004();
    cx4.name = "cx4-100g";
    cx4.about = "ConnectX-4, 100 Gbit/s, 2 us round trip (darray, section 6)";
    cx4.ranks_per_node = 1;                                    // one process per node, with threads
    cx4.inside = {50 * ns, 50 * ns, 60 * ns, 100 * ns};        // assumed
    cx4.outside = {150 * ns, 150 * ns, 150 * ns, 200 * ns};    // assumed
    cx4.completion = 100 * ns;                                 // assumed
    cx4.poll = 30 * ns;                                        // assumed
    cx4.links = {wire(30 * ns, 12), wire(60 * ns, 10),         // assumed
                 wire(800 * ns, 12.5), wire(800 * ns, 12.5)};  // fitted: get in 2 us
    cx4.gap = 15 * ns;                                         // assumed
    cx4.get_service = 150 * ns;                                // fitted
    cx4.swap_service = cx4.amo_service = 250 * ns;             // assumed
    cx4.amo_gap = 100 * ns;                                    // assumed
    cx4.same_word_gap = 250 * ns;                              // assumed
    cx4.handler = 150 * ns;                                    // assumed
    cx4.handoff = 1000 * ns;                                   // assumed
    // The paths of libfar, on two 12-core Xeon E5-2650 v4. Assumed: 1.5 times what processes of one
    // machine took (AMD EPYC, 3.7 GHz): get 1.9 ns and set 2.35, through a pin 0.5, apply 4.6.
    cx4.array_hit = 3 * ns;
    cx4.array_pinned = 800;
    cx4.array_apply = 7 * ns;

    // All fitted by `far sim calibrate`, on a virtual machine with two cores (AMD EPYC).
    profile laptop;
    laptop.name = "laptop";
    laptop.about = "ranks that are processes of one machine (far sim calibrate)";
    laptop.ranks_per_node = address::max_ranks;  // there is no network
    laptop.inside = {2300, 1100, 3800, 68400};   // ps
    laptop.links = {link_costs{0, 14000}, link_costs{0, 14000}};
    laptop.completion = 14900;
    laptop.line_transfer = 74200;
    laptop.payload = 52500;
    laptop.copy = 4400;
    laptop.spilled_kilobyte = 9800;
    laptop.batch_key = 26700;
    laptop.first_key = 31200;
    laptop.handler = 68400;
    laptop.answer = 68400;
    laptop.poll = 12900;
    return std::vector<profile>{cori, daint, ia32, ia64, ib2006, cx4, laptop, xeon_16()};
  }();
  return all;
}

}  // namespace far::fabric::sim
