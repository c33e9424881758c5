// tf.train.MonitoredSession and its kin.
#include <nanobind/stl/string.h>

#include "call.h"
#include "class_call.h"
#include "errors.h"
#include "hooks.h"
#include "kept.h"
#include "plain_values.h"
#include "program_error.h"
#include "run_request.h"
#include "session.h"
#include "training.h"

namespace rill::python {
namespace {

using train::MonitoredSession;
using train::SessionRunArgs;
using train::SessionRunValues;

// What Python's MonitoredSession holds.
struct MonitoredObject {
  explicit MonitoredObject(train::MonitoredSessionOptions options) : session(std::move(options)) {}
  ~MonitoredObject() { session.forget(); }  // nobody waits for its threads here
  GraphObject& graph() { return *known_graph(session.graph()); }

  MonitoredSession session;
};

using RunArgs = std::function<SessionRunValues(const SessionRunArgs&, StepStats*)>;

// One run of a session with hooks, as a program writes it.
nb::object run_with(MonitoredObject& self, const RunArgs& run, nb::handle fetch_structure,
                    nb::handle feed_dict, nb::handle options, nb::handle metadata) {
  if (self.session.is_closed()) throw_python(PyExc_RuntimeError, "Session is already closed.");
  GraphObject& graph = self.graph();
  RunRequest request(graph, fetch_structure, feed_dict);
  Fetches& fetches = request.fetches;
  SessionRunArgs args{.feed_dict = std::move(request.feeds),
                      .form = keep(nb::make_tuple(fetch_structure, feed_dict))};
  args.fetches.reserve(fetches.tensors().size() + fetches.operations().size());
  for (const Output& tensor : fetches.tensors()) args.fetches.push_back(tensor);
  for (Node* operation : fetches.operations()) args.fetches.push_back(*operation);
  if (!options.is_none()) args.options = run_options_of(options);
  StepStats stats;
  StepStats* const wanted = metadata.is_none() ? nullptr : &stats;
  SessionRunValues values = without_lock([&] { return run(args, wanted); }, &graph);
  if (wanted != nullptr) metadata.attr("CopyFrom")(run_metadata_object(stats));
  values.results.resize(fetches.tensors().size());
  return fetches.build(
      python_values(self.session.raw_session(), fetches.tensors(), std::move(values.results)));
}

nb::object run_monitored(MonitoredObject& self, nb::handle fetches, nb::handle feed_dict,
                         nb::handle options, nb::handle metadata) {
  return run_with(
      self,
      [&](const SessionRunArgs& args, StepStats* stats) { return self.session.run(args, stats); },
      fetches, feed_dict, options, metadata);
}

// `make_context` makes the program's StepContext of a session and a function that runs with hooks.
nb::object run_step_fn(MonitoredObject& self, nb::handle step_fn, nb::handle make_context) {
  nb::object result;
  without_lock([&] {
    self.session.run_step_fn([&](train::StepContext& context) {
      in_program([&] {
        nb::object with_hooks = nb::cpp_function(
            [&](nb::handle fetches, nb::handle feed_dict, nb::handle options, nb::handle metadata) {
              return run_with(
                  self,
                  [&](const SessionRunArgs& args, StepStats* stats) {
                    return context.run_with_hooks(args, stats);
                  },
                  fetches, feed_dict, options, metadata);
            },
            nb::arg("fetches").none(), nb::arg("feed_dict") = nb::none(),
            nb::arg("options") = nb::none(), nb::arg("run_metadata") = nb::none());
        result = step_fn(make_context(python_session(context.session()), with_hooks));
      });
    });
  });
  return result;
}

void create_monitored_session(MonitoredObject* self, nb::handle creator, nb::handle hooks,
                              bool recovers, double stop_grace_period_secs) {
  const InCallersPlace place({});
  train::MonitoredSessionOptions options{.session_creator = session_creator_of(creator),
                                         .hooks = hooks_of(hooks),
                                         .stop_grace_period_secs = stop_grace_period_secs,
                                         .recovers = recovers};
  without_lock([&] { new (self) MonitoredObject(std::move(options)); });
}

std::optional<std::int64_t> optional_steps(nb::handle value) {
  if (value.is_none()) return {};
  return static_cast<std::int64_t>(number_of(value));
}

void create_training(MonitoredObject* self, const nb::dict& given) {
  const InCallersPlace place({});
  const auto text = [&](const char* name) { return text_or_empty(given[name]); };
  train::MonitoredTrainingSessionOptions options{
      .master = text("master"),
      .is_chief = truth_of(given["is_chief"]),
      .checkpoint_dir = text("checkpoint_dir"),
      .scaffold = scaffold_of(given["scaffold"]),
      .hooks = hooks_of(given["hooks"]),
      .chief_only_hooks = hooks_of(given["chief_only_hooks"]),
      .save_checkpoint_secs = optional_number<double>(given["save_checkpoint_secs"]),
      .save_checkpoint_steps = optional_steps(given["save_checkpoint_steps"]),
      .save_summaries_steps = optional_steps(given["save_summaries_steps"]),
      .save_summaries_secs = optional_number<double>(given["save_summaries_secs"]),
      .config = session_options_of(given["config"], text("master")),
      .stop_grace_period_secs = number_of(given["stop_grace_period_secs"]),
      .log_step_count_steps = optional_steps(given["log_step_count_steps"]).value_or(0),
      .max_wait_secs = number_of(given["max_wait_secs"]),
      .summary_dir = text("summary_dir"),
      .save_graph_def = truth_of(given["save_graph_def"])};
  without_lock([&] { new (self) MonitoredObject(train::training_session_parts(options)); });
}

}  // namespace

void bind_monitored_session(nb::module_& m) {
  nb::class_<MonitoredObject> c(m, "MonitoredSessionCore");
  c.def("__init__", create_monitored_session, nb::arg("session_creator").none(),
        nb::arg("hooks").none(), nb::arg("should_recover"), nb::arg("stop_grace_period_secs"));
  c.def("__init__", create_training);
  c.def("run", run_monitored, nb::arg("fetches").none(), nb::arg("feed_dict") = nb::none(),
        nb::arg("options") = nb::none(), nb::arg("run_metadata") = nb::none());
  c.def("run_step_fn", run_step_fn);
  c.def("should_stop", [](MonitoredObject& self) {
    return without_lock([&] { return self.session.should_stop(); });
  });
  c.def("close", [](MonitoredObject& self, bool after_error) {
    without_lock([&] { after_error ? self.session.close_after_error() : self.session.close(); });
  });
  c.def("is_closed", [](MonitoredObject& self) { return self.session.is_closed(); });
  c.def("tf_sess", [](MonitoredObject& self) {
    return self.session.is_closed() ? nb::none() : python_session(self.session.raw_session());
  });
  c.def("coordinator", [](MonitoredObject& self) {
    return self.session.is_closed() ? nb::none() : python_coordinator(*self.session.coordinator());
  });
}

}  // namespace rill::python
