#pragma once
// Callbacks from UCX, all under the link's lock. `data` is the pointer given to UCX with the call.

#include <ucp/api/ucp.h>

#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {

/// The only active message id of UCX in use.
inline constexpr unsigned packet_id = 1;

struct callbacks {
  static ucs_status_t arrived(void* data, const void* header, std::size_t header_bytes, void* bytes,
                              std::size_t count, const ucp_am_recv_param_t* param);
  static void broken(void* data, ucp_ep_h endpoint, ucs_status_t status);
  /// A packet has been sent; data: the packet.
  static void sent(void* request, ucs_status_t status, void* data);
  /// A part of an operation has ended; data: the operation.
  static void part_ended(void* request, ucs_status_t status, void* data);
  /// A flush of an endpoint has ended; data: its flush_mark, which the callback deletes.
  static void flush_ended(void* request, ucs_status_t status, void* data);
  /// A read into the program's memory has ended; data: the operation.
  static void read_ended(void* request, ucs_status_t status, void* data);
  /// A step of a NIC atomic has ended; data: the operation.
  static void step_ended(void* request, ucs_status_t status, void* data);
  /// An operation for which no caller waits has ended; data: the link.
  static void unawaited(void* request, ucs_status_t status, void* data);
};

}  // namespace far::fabric::ucx
