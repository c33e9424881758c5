#include "interpreter_lock.h"

#include <unistd.h>

#include <atomic>

#include "rill/base/error.h"

namespace rill::python {
namespace {

std::atomic<bool> is_gone{false};

bool is_finalizing() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

}  // namespace

// While it ends, the thread that ends it holds the lock and frees what programs left.
bool interpreter_ended() {
  return is_gone.load(std::memory_order_acquire) || (is_finalizing() && PyGILState_Check() == 0);
}

void stay_until_exit() {
  for (;;) pause();
}

WithLock::WithLock() {
  if (interpreter_ended()) raise(Code::kCancelled, "the Python interpreter has ended");
  state_ = or_stay([] { return PyGILState_Ensure(); });
}

void watch_interpreter() {
  is_gone.store(false, std::memory_order_release);
  Py_AtExit([] { is_gone.store(true, std::memory_order_release); });
}

}  // namespace rill::python
