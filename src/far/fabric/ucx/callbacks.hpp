#pragma once
// What UCX calls, all of it under the link's lock. `data` is what the call passed on.

#include <ucp/api/ucp.h>

#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {

/// The one number of active messages of UCX that is in use.
inline constexpr unsigned packet_id = 1;

struct callbacks {
  static ucs_status_t arrived(void* data, const void* header, std::size_t header_bytes, void* bytes,
                              std::size_t count, const ucp_am_recv_param_t* param);
  static void broken(void* data, ucp_ep_h endpoint, ucs_status_t status);
  /// A packet is on its way; data: the packet.
  static void sent(void* request, ucs_status_t status, void* data);
  /// A part of an operation has ended; data: the operation.
  static void part_ended(void* request, ucs_status_t status, void* data);
  /// A flush of an endpoint; data: its mark, to be deleted.
  static void flush_ended(void* request, ucs_status_t status, void* data);
  /// The same, of a read into memory of the program.
  static void read_ended(void* request, ucs_status_t status, void* data);
  /// A step of an atomic of the interface has ended; data: the operation.
  static void step_ended(void* request, ucs_status_t status, void* data);
  /// Something that nobody awaits; data: the link.
  static void unawaited(void* request, ucs_status_t status, void* data);
};

}  // namespace far::fabric::ucx
