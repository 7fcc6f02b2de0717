#pragma once
// The layer `rma`, remote memory access: transfers, atomics, signals, futures, flush.

#include "far/rma/async.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/await_words.hpp"
#include "far/rma/flush.hpp"
#include "far/rma/future.hpp"
#include "far/rma/nbi.hpp"
#include "far/rma/promise.hpp"
#include "far/rma/signal.hpp"
#include "far/rma/transfer.hpp"
#include "far/rma/when_all.hpp"
