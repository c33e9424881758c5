#pragma once

#include <cxxabi.h>
#include <nanobind/nanobind.h>

#include <exception>

namespace rill::python {

namespace nb = nanobind;

// The interpreter may end while threads of C++ still run, and before C++ lets its last objects go.
// Then it cannot be entered: a thread that asks for its lock is made to exit, which would unwind
// C++ that does not expect it and end the process with an error.

// Whether this thread can no longer take the lock.
bool interpreter_ended();

// Stays for good, as threads of an ended interpreter do; the process ends without them.
[[noreturn]] void stay_until_exit();

// Runs what may take the lock.
template <class F>
decltype(auto) or_stay(F&& take) {
  try {
    return take();
  } catch (abi::__forced_unwind&) {
    stay_until_exit();
  }
}

// What a translator of exceptions begins with. Where a thread exits in Python that C++ has called,
// the binding sees that it unwinds, and no exception.
[[noreturn]] inline void rethrow(const std::exception_ptr& thrown) {
  if (thrown == nullptr) stay_until_exit();
  std::rethrow_exception(thrown);
}

// Holds the interpreter's lock while it lives. Throws Error (kCancelled) once the interpreter has
// ended: whatever called then has nobody to call.
class WithLock {
 public:
  WithLock();
  ~WithLock() { PyGILState_Release(state_); }
  WithLock(const WithLock&) = delete;
  WithLock& operator=(const WithLock&) = delete;

 private:
  PyGILState_STATE state_;
};

// Lets the lock go while it lives, for a thread that holds it.
class WithoutLock {
 public:
  WithoutLock() : thread_(PyEval_SaveThread()) {}
  ~WithoutLock() {
    or_stay([this] { PyEval_RestoreThread(thread_); });
  }
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;

 private:
  PyThreadState* thread_;
};

// Runs `release`, which lets objects of Python go, under the lock; may be called from any thread,
// at any time. What outlives the interpreter is left alone: its memory was the interpreter's.
template <class F>
void if_interpreter_lives(F&& release) {
  if (interpreter_ended()) return;
  const WithLock lock;
  release();
}
inline void let_go(nb::object& object) {
  PyObject* const held = object.release().ptr();
  if_interpreter_lives([&] { Py_XDECREF(held); });
}

// Notes the end of the interpreter from now on.
void watch_interpreter();

}  // namespace rill::python
