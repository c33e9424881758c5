// tf.estimator.train_and_evaluate: the parts that C++ has, for estimators of programs.
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "data.h"
#include "estimator.h"
#include "estimator_outer.h"
#include "kept.h"
#include "numpy.h"
#include "plain_values.h"
#include "program_error.h"
#include "rill/api/estimator/export/exporter.h"
#include "rill/api/estimator/schedule/evaluator.h"
#include "session.h"

namespace rill::python {
namespace {

using estimator::Evaluator;
using estimator::NewCheckpointListener;

std::optional<std::string> path_or_none(nb::handle path) {
  if (path.is_none() || nb::len(path) == 0) return {};
  return PyBytes_Check(path.ptr()) ? text_of(path.attr("decode")()) : str_of(path);
}

std::shared_ptr<Evaluator> evaluator_of(nb::object latest, nb::object evaluate, nb::object write,
                                        std::optional<std::int64_t> max_steps,
                                        const std::string& eval_dir,
                                        estimator::InterruptedTrainingRef unfinished) {
  const auto a = keep(latest), b = keep(evaluate), c = keep(write);
  return std::make_shared<Evaluator>(estimator::Evaluation{
      .latest_checkpoint = [a] { return in_program([&] { return path_or_none(kept(a)()); }); },
      .evaluate =
          [b](const std::string& path) {
            return in_program([&] { return integer_of(kept(b)(path)); });
          },
      .export_models = [c](const std::string& path,
                           bool is_final) { in_program([&] { kept(c)(path, is_final); }); },
      .max_steps = max_steps,
      .begin_again = [eval_dir](std::int64_t step) { estimator::mark_restart(eval_dir, step); },
      .unfinished = std::move(unfinished)});
}

// A listener of C++, which a listener of Python asks.
struct ListenerCore {
  train::ListenerRef listener;
};

void bind_interrupted(nb::module_& m) {
  using estimator::InterruptedTraining;
  nb::class_<InterruptedTraining> t(m, "InterruptedTraining");
  t.def(nb::init<std::string>());
  t.def("finish", [](InterruptedTraining& self) { building([&] { self.finish(); }); });
  nb::class_<ListenerCore> l(m, "ListenerCore");
  l.def("before_save", [](ListenerCore& self, nb::handle session, std::int64_t step) {
    const auto held = session_of(session);
    without_lock([&] { self.listener->before_save(*held, step); });
  });
  l.def("after_save", [](ListenerCore& self, nb::handle session, std::int64_t step) {
    const auto held = session_of(session);
    return without_lock([&] { return self.listener->after_save(*held, step); });
  });
  m.def("save_input_position", [](estimator::InterruptedTrainingRef training) {
    const auto parts = estimator::save_input_position(std::move(training));
    return nb::make_tuple(nb::cast(parts.hook), nb::cast(ListenerCore{parts.listener}));
  });
}

void bind_evaluator(nb::module_& m) {
  nb::class_<Evaluator> e(m, "Evaluator");
  e.def(nb::new_(&evaluator_of), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(),
        nb::arg().none());
  e.def("make_up_for_latest",
        [](Evaluator& self) { without_lock([&] { self.make_up_for_latest(); }); });
  nb::class_<NewCheckpointListener> l(m, "NewCheckpointListener");
  l.def(nb::init<std::shared_ptr<Evaluator>, double>());
  l.def("begin", [](NewCheckpointListener& self) { self.begin(); });
  // The session is of no use to it.
  l.def("after_save", [](NewCheckpointListener& self, std::int64_t step) {
    return without_lock([&] { return self.after_saved(step); });
  });
  l.def("end", [](NewCheckpointListener& self, std::int64_t step) {
    without_lock([&] { self.ended(step); });
  });
  m.def("evaluate_continuously", [](Evaluator& evaluator, double delay, double throttle,
                                    nb::object sleep) {
    const auto wait = keep(sleep);
    without_lock([&] {
      estimator::evaluate_continuously(
          evaluator, {.start_delay_secs = delay,
                      .throttle_secs = throttle,
                      .sleep = [wait](double secs) { in_program([&] { kept(wait)(secs); }); }});
    });
  });
}

// --- what this process is for --------------------------------------------------------------------

estimator::TaskConfig task_of(const estimator::Cluster& cluster, const std::string& type,
                              std::int64_t id) {
  estimator::TaskConfig task;
  task.cluster_spec = cluster;
  task.task_type = type;
  task.task_id = id;
  return task;
}

const char* role_name(estimator::Role role) {
  constexpr const char* kNames[] = {"local", "chief", "master", "worker", "ps", "evaluator"};
  return kNames[static_cast<int>(role)];
}

void bind_roles(nb::module_& m) {
  m.def("role_of", [](const estimator::Cluster& cluster, const std::string& type, std::int64_t id) {
    return building([&] { return role_name(estimator::role_of(task_of(cluster, type, id))); });
  });
  m.def("start_server",
        [](const estimator::Cluster& cluster, const std::string& type, std::int64_t id) {
          without_lock([&] { estimator::start_server(task_of(cluster, type, id)); });
        });
}

// --- exporting -----------------------------------------------------------------------------------

nb::dict values_dict(const estimator::Values& values) {
  nb::dict dict;
  for (const auto& [name, value] : values)
    dict[nb::str(name.c_str())] = numpy_from_tensor(value.clone());
  return dict;
}

nb::object best_eval_result(const std::string& pattern, nb::object compare) {
  const auto found = building([&] {
    return estimator::best_eval_result(pattern, [&](const auto& best, const auto& current) {
      return truth_of(compare(values_dict(best), values_dict(current)));
    });
  });
  return found ? nb::object(values_dict(*found)) : nb::object(nb::none());
}

estimator::InputReceiver receiver_of(nb::handle given) {
  estimator::InputReceiver receiver{
      .batch = batch_of(given.attr("features"), nb::getattr(given, "labels", nb::none())),
      .receiver_tensors = features_of_dict(given.attr("receiver_tensors"))};
  const nb::object others = nb::getattr(given, "receiver_tensors_alternatives", nb::none());
  if (!others.is_none())
    for (const auto& [name, tensors] : nb::cast<nb::dict>(others))
      receiver.receiver_tensors_alternatives[str_of(name)] = features_of_dict(tensors);
  return receiver;
}

std::string export_saved_models(estimator::Estimator& model, const std::string& base,
                                nb::dict receivers,
                                const std::map<std::string, std::string>& assets_extra,
                                bool as_text, const std::string& checkpoint, bool strip) {
  std::map<estimator::Mode, estimator::InputReceiverFn> functions;
  for (const auto& [mode, receiver] : receivers) {
    const auto function = keep(receiver);
    functions[mode_of(mode)] = [function] {
      return in_program([&] { return receiver_of(kept(function)()); });
    };
  }
  return without_lock([&] {
    return model.experimental_export_all_saved_models(base, functions,
                                                      {.assets_extra = assets_extra,
                                                       .as_text = as_text,
                                                       .checkpoint_path = checkpoint,
                                                       .strip_default_attrs = strip});
  });
}

}  // namespace

void bind_estimator_training(nb::module_& m) {
  bind_interrupted(m);
  bind_evaluator(m);
  bind_roles(m);
  m.def("best_eval_result", best_eval_result);
  m.def("export_saved_models", export_saved_models);
}

}  // namespace rill::python
