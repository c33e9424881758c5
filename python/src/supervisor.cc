#include "rill/api/training/supervisor.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "basic_hooks.h"
#include "class_call.h"
#include "errors.h"
#include "hook_arguments.h"
#include "kept.h"
#include "package.h"
#include "plain_values.h"
#include "program_error.h"
#include "saver_object.h"
#include "session.h"
#include "train_inputs.h"
#include "training.h"
#include "variables.h"

namespace rill::python {
namespace {

using train::Supervisor;
using GlobalStep = std::optional<std::int64_t>;

// The services that threads of Python do round by round.
constexpr const char* kServices[] = {"summaries", "step_counter", "checkpoints"};

// What the program gave for a part; its USE_DEFAULT is the number 0.
bool is_given(nb::handle value) { return !PyLong_CheckExact(value.ptr()); }

std::optional<train::Runnable> given_runnable(nb::handle value) {
  if (!is_given(value)) return {};
  return optional_runnable(value);
}
std::optional<Output> tensor_part_of(nb::handle value) {
  if (!is_given(value)) return {};
  if (is_variable(value)) return variable_of(value).value();
  const train::Runnable found = optional_runnable(value);
  if (!found) return Output();
  return found.is_operation() ? Output{&found.node(), 0} : found.tensor();
}

auto saved_by(nb::handle saver) {
  return [program = keep(saver)](Session& session, const std::string& path, GlobalStep step) {
    in_program([&] { kept(program).attr("save")(python_session(session), path, step); });
  };
}

void create_supervisor(Supervisor* self, const nb::dict& given, nb::handle coord) {
  const auto number = [&](const char* name) {
    const nb::object value = given[name];
    return value.is_none() ? 0.0 : number_of(value);
  };
  train::SupervisorOptions options{
      .graph = graph_object(given["graph"]).graph,
      .is_chief = truth_of(given["is_chief"]),
      .ready_op = given_runnable(given["ready_op"]),
      .ready_for_local_init_op = given_runnable(given["ready_for_local_init_op"]),
      .init_op = given_runnable(given["init_op"]),
      .local_init_op = given_runnable(given["local_init_op"]),
      .summary_op = tensor_part_of(given["summary_op"]),
      .global_step = tensor_part_of(given["global_step"]),
      .init_feed_dict = feeds_of(given["init_feed_dict"]),
      .local_init_run_options = run_options_of(given["local_init_run_options"]),
      .logdir = text_or_empty(given["logdir"]),
      .save_summaries_secs = number("save_summaries_secs"),
      .save_model_secs = number("save_model_secs"),
      .recovery_wait_secs = number("recovery_wait_secs"),
      .stop_grace_secs = number("stop_grace_secs"),
      .checkpoint_basename = str_of(given["checkpoint_basename"]),
      .coord = {keep(coord), &nb::cast<train::Coordinator&>(coord)}};
  if (const nb::object saver = given["saver"]; is_given(saver)) {
    options.saver.emplace();
    if (!saver.is_none()) {
      if (nb::hasattr(saver, "_core"))
        options.saver = nb::cast<SaverObject&>(saver.attr("_core")).saver;
      options.restorer = restorer_of(saver);
      options.save = saved_by(saver);
    }
  }
  if (const nb::object writer = given["summary_writer"]; is_given(writer))
    options.summary_writer = writer_of(writer);
  if (const nb::object init_fn = given["init_fn"]; !init_fn.is_none())
    options.init_fn = [init_fn = keep(init_fn)](Session& session) {
      in_program([&] { kept(init_fn)(python_session(session)); });
    };
  if (const nb::object step = given["global_step"]; is_variable(step))
    options.global_step_name = variable_of(step).op().name();
  const InCallersPlace place({});
  building([&] { new (self) Supervisor(std::move(options)); });
}

nb::object prepare_supervised(Supervisor& self, const std::string& master, nb::handle config,
                              bool wait_for_checkpoint, double max_wait_secs) {
  train::ManagedSessionOptions options{.master = master,
                                       .config = session_options_of(config, master),
                                       .wait_for_checkpoint = wait_for_checkpoint,
                                       .max_wait_secs = max_wait_secs};
  return without_lock([&] {
    const auto session =
        self.is_chief()
            ? self.session_manager().prepare_session(master, self.how_to_prepare(options))
            : self.session_manager().wait_for_session(
                  master, {.config = options.config, .max_wait_secs = max_wait_secs});
    return python_session(*session);
  });
}

// One round of a service. The counter gets and gives what it counted last.
nb::object do_round(Supervisor& self, const std::string& service, nb::handle sess,
                    nb::handle last) {
  const auto session = session_of(sess);
  return without_lock([&]() -> nb::object {
    if (service == kServices[0]) {
      self.write_summaries(*session);
    } else if (service == kServices[2]) {
      self.save_checkpoint(*session);
    } else {
      auto count = self.count_steps(*session);
      if (last.is_none()) return nb::make_tuple(count.time, count.step);
      count = {number_of(last[0]), integer_of(last[1])};
      self.write_steps_per_second(*session, count);
      return nb::make_tuple(count.time, count.step);
    }
    return nb::none();
  });
}

}  // namespace

void bind_supervisor(nb::module_& m) {
  nb::class_<Supervisor> c(m, "SupervisorCore");
  c.def("__init__", create_supervisor);
  c.def("part", [](Supervisor& self, const std::string& name) -> nb::object {
    if (name == "ready_op") return give_or_none(*self.parts().ready_op);
    if (name == "ready_for_local_init_op")
      return give_or_none(*self.parts().ready_for_local_init_op);
    if (name == "init_op") return give_or_none(*self.parts().init_op);
    if (name == "local_init_op") return give_or_none(*self.parts().local_init_op);
    return tensor_or_none(self.summary_op());
  });
  c.def("before_session", [](Supervisor& self) { without_lock([&] { self.before_session(); }); });
  c.def("prepare_session", prepare_supervised, nb::arg("master"), nb::arg("config").none(),
        nb::arg("wait_for_checkpoint"), nb::arg("max_wait_secs"));
  c.def("write_graph", [](Supervisor& self) { without_lock([&] { self.write_graph(); }); });
  c.def("begin_services", [](Supervisor& self, nb::handle sess) {
    const auto session = session_of(sess);
    nb::list names;
    for (const auto service : without_lock([&] { return self.begin_services(*session); }))
      names.append(kServices[static_cast<int>(service)]);
    return names;
  });
  c.def("do_round", do_round, nb::arg("service"), nb::arg("sess"), nb::arg("last").none());
  c.def(
      "summary_computed",
      [](Supervisor& self, nb::handle sess, nb::handle summary, GlobalStep step) {
        const auto session = session_of(sess);
        const nb::object bytes = PyBytes_Check(summary.ptr()) ? nb::borrow(summary)
                                                              : summary.attr("SerializeToString")();
        const std::string text(PyBytes_AS_STRING(bytes.ptr()),
                               static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr())));
        without_lock([&] { self.summary_computed(*session, text, step); });
      },
      nb::arg("sess"), nb::arg("summary"), nb::arg("step").none());
  c.def("close_summary_writer",
        [](Supervisor& self) { without_lock([&] { self.close_summary_writer(); }); });

  train::session_face().first_saver = []() -> std::shared_ptr<train::Saver> {
    return in_program([]() -> std::shared_ptr<train::Saver> {
      nb::object saver = package::first_saver();
      if (saver.is_none()) return nullptr;
      return nb::cast<SaverObject&>(saver.attr("_core")).saver;
    });
  };
}

}  // namespace rill::python
