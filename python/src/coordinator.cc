#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "kept.h"
#include "package.h"
#include "plain_values.h"
#include "program_error.h"
#include "rill/api/train/coordinator.h"
#include "rill/api/train/waiting_runners.h"
#include "rill/api/training/session_face.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

using train::Coordinator;

void check_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// A threading.Thread.
class ProgramThread : public train::CoordinatedThread {
 public:
  explicit ProgramThread(nb::handle thread) : identity_(thread.ptr()), thread_(keep(thread)) {}
  bool is_alive() const override {
    const WithLock gil;
    check_signals();  // whoever waits for threads can be interrupted
    return truth_of(kept(thread_).attr("is_alive")());
  }
  bool is_started() const override {
    const WithLock gil;
    return !nb::getattr(kept(thread_), "ident", nb::int_(0)).is_none();
  }
  std::string name() const override {
    const WithLock gil;
    return str_of(kept(thread_).attr("name"));
  }
  const void* identity() const override { return identity_; }

 private:
  const void* identity_;
  std::shared_ptr<void> thread_;
};

bool wait_for_stop(Coordinator& self, nb::handle timeout) {
  constexpr double kSlice = 0.1;  // seconds between looks at signals
  double left = timeout.is_none() ? -1 : std::max(0.0, number_of(timeout));
  bool stopped = false;
  do {
    const double slice = timeout.is_none() ? kSlice : std::min(left, kSlice);
    without_lock([&] { stopped = self.wait_for_stop(slice); });
    check_signals();
    if (!timeout.is_none()) left -= slice;
  } while (!stopped && (timeout.is_none() || left > 0));
  return stopped;
}

void join_threads(Coordinator& self, nb::handle threads, double grace, bool ignore_live_threads) {
  std::vector<train::ThreadRef> all;
  if (!threads.is_none())
    for (nb::handle thread : threads) all.push_back(std::make_shared<ProgramThread>(thread));
  without_lock([&] {
    self.join(all, {.stop_grace_period_secs = grace, .ignore_live_threads = ignore_live_threads});
    all.clear();
  });
}

}  // namespace

void bind_coordinator(nb::module_& m) {
  nb::class_<Coordinator> c(m, "Coordinator");
  // Which errors end the threads cleanly; Python's face knows of other exceptions.
  c.def("__init__", [](Coordinator* self, const std::vector<int>& clean_codes) {
    train::CoordinatorOptions options{.clean_stop_codes = {}};
    for (const int code : clean_codes) options.clean_stop_codes.push_back(static_cast<Code>(code));
    new (self) Coordinator(std::move(options));
  });
  c.def(
      "_request_stop",
      [](Coordinator& self, nb::handle exception) {
        std::exception_ptr error;
        if (!exception.is_none()) error = std::make_exception_ptr(ProgramError(exception));
        without_lock([&] { self.request_stop(std::move(error)); });
      },
      nb::arg("exception").none());
  c.def("clear_stop", [](Coordinator& self) { without_lock([&] { self.clear_stop(); }); });
  c.def("should_stop", &Coordinator::should_stop, nb::call_guard<WithoutLock>());
  c.def("wait_for_stop", wait_for_stop, nb::arg("timeout") = nb::none());
  c.def(
      "register_thread",
      [](Coordinator& self, nb::handle thread) {
        auto added = std::make_shared<ProgramThread>(thread);
        without_lock([&] { self.register_thread(std::move(added)); });
      },
      nb::arg("thread"));
  c.def("_only_queue_runners_wait", train::only_queue_runners_wait, nb::arg("timeout"),
        nb::call_guard<WithoutLock>());
  c.def("join", join_threads, nb::arg("threads") = nb::none(),
        nb::arg("stop_grace_period_secs") = 120, nb::arg("ignore_live_threads") = false);
  auto& face = train::session_face();
  face.make_coordinator = [] {
    return in_program([] {
      nb::object made = package::coordinator(nb::list());
      return train::CoordinatorRef(keep(made), &nb::cast<Coordinator&>(made));
    });
  };
  face.sleep = [](double seconds) {
    in_program([&] { nb::module_::import_("time").attr("sleep")(seconds); });
  };
  c.def_prop_ro("joined", &Coordinator::joined, nb::call_guard<WithoutLock>());
  c.def("raise_requested_exception",
        [](Coordinator& self) { without_lock([&] { self.raise_requested_exception(); }); });
}

}  // namespace rill::python
