// The core of tf.estimator.Estimator: what python/rill/estimator/_estimator.py is a face of.
#include "estimator.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "basic_hooks.h"
#include "class_call.h"
#include "data.h"
#include "hooks.h"
#include "kept.h"
#include "numpy.h"
#include "package.h"
#include "plain_values.h"
#include "program_error.h"
#include "protos.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/estimator/core/estimator_spec.h"
#include "rill/base/clock.h"
#include "session.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::python {
namespace {

using OptionalCount = std::optional<std::int64_t>;

// Lets Ctrl-C end loops that run no line of the program.
class InterruptHook : public train::SessionRunHook {
 public:
  std::optional<train::SessionRunArgs> before_run(train::SessionRunContext&) override {
    const std::int64_t now = monotonic_nanos();
    if (now < next_look_) return {};
    next_look_ = now + kInterval;
    in_program(look);
    return {};
  }

 private:
  static void look() {
    if (PyErr_CheckSignals() == 0) return;
    // Until it is normalised, the error has no exception object.
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyErr_Restore(type, value, trace);
    throw nb::python_error();
  }

  static constexpr std::int64_t kInterval = 50'000'000;
  std::int64_t next_look_ = 0;
};

std::vector<train::HookRef> with_interrupt(nb::handle hooks) {
  std::vector<train::HookRef> list = hooks_of(hooks);
  list.push_back(std::make_shared<InterruptHook>());
  return list;
}

// A graph that its Python object lives as long as.
std::shared_ptr<Graph> new_graph() {
  const WithLock gil;
  nb::object object = new_graph_object(make_graph());
  Graph* const graph = graph_object(object).graph.get();
  return {keep(object), graph};
}

void add_saver(const train::SaverOptions& options) {
  in_program([&] {
    nb::dict given;
    given["sharded"] = options.sharded;
    given["max_to_keep"] = options.max_to_keep;
    given["keep_checkpoint_every_n_hours"] = options.keep_checkpoint_every_n_hours;
    given["defer_build"] = options.defer_build;
    given["save_relative_paths"] = options.save_relative_paths;
    nb::object saver = package::saver(**given);
    package::add_to_collection(GraphKeys::SAVERS, saver);
  });
}

// `f` takes features, labels and the mode, and returns an EstimatorSpec.
estimator::ModelFn model_fn_of(nb::handle f) {
  return [held = keep(f)](const estimator::InputBatch& batch, estimator::Mode mode,
                          const estimator::RunConfig&) {
    return in_program([&] {
      return spec_of(
          kept(held)(python_features(batch), python_labels(batch), estimator::mode_key(mode)));
    });
  };
}

// Hooks of programs may be of classes that they derive from CheckpointSaverHook.
std::function<bool(const estimator::EstimatorSpec&)> saver_finder(nb::handle hooks,
                                                                  nb::handle listeners) {
  return [hooks = keep(hooks), listeners = keep(listeners)](const estimator::EstimatorSpec& spec) {
    return in_program([&] {
      return truth_of(package::adopt_listeners(kept(hooks), kept(spec.form), kept(listeners)));
    });
  };
}

std::optional<estimator::WarmStartSettings> warm_start_of(nb::handle settings) {
  if (settings.is_none()) return {};
  estimator::WarmStartSettings result(str_of(settings.attr("ckpt_to_initialize_from")),
                                      train::WarmStartOptions());
  result.shown_as = str_of(nb::str(settings));
  result.run_as = [held = keep(settings)] {
    in_program([&] { package::warm_start(*kept(held)); });
  };
  return result;
}

nb::dict python_results(estimator::Values values) {
  nb::dict results;
  const auto step = values.extract("global_step");
  for (auto& [name, value] : values)
    results[nb::str(name.c_str())] = numpy_from_tensor(std::move(value));
  if (step) results["global_step"] = numpy_from_tensor(step.mapped());
  return results;
}

// The next batch by key; None at the end.
nb::object next_batch(estimator::Predictions& predictions) {
  std::optional<estimator::Values> values = without_lock([&] { return predictions.next_batch(); });
  if (!values) return nb::none();
  nb::dict batch;
  for (auto& [key, value] : *values)
    batch[nb::str(key.c_str())] = numpy_from_tensor(std::move(value));
  return batch;
}

nb::dict task_dict(const std::string& tf_config) {
  const estimator::TaskConfig task = estimator::parse_tf_config(tf_config);
  nb::dict cluster, result;
  for (const auto& [job, tasks] : task.cluster_spec)
    cluster[nb::str(job.c_str())] = nb::cast(tasks);
  result["cluster_spec"] = cluster;
  result["task_type"] = task.task_type;
  result["task_id"] = task.task_id;
  result["global_id_in_cluster"] = nb::cast(task.global_id_in_cluster);
  result["master"] = task.master;
  result["evaluation_master"] = task.evaluation_master;
  result["is_chief"] = task.is_chief;
  result["num_ps_replicas"] = task.num_ps_replicas;
  result["num_worker_replicas"] = task.num_worker_replicas;
  const tensorflow::ConfigProto config = estimator::default_session_config(task);
  result["session_config"] = message_from_bytes("tensorflow/core/protobuf/config.proto",
                                                "ConfigProto", config.SerializeAsString());
  return result;
}

void bind_checks(nb::module_& m) {
  m.def("estimator_task", [](const std::string& tf_config) {
    return building([&] { return task_dict(tf_config); });
  });
  m.def("estimator_model_dir", [](nb::handle config, const std::string& model_dir) {
    const estimator::RunConfig run_config = run_config_of(config);
    return building([&] { return estimator::model_dir_of(run_config, model_dir); });
  });
  m.def("estimator_checked_loss", [](nb::handle loss, nb::handle mode) {
    const InCallersPlace place({});
    return building(
        [&] { return give(estimator::checked_loss(tensor_object(loss).output, mode_of(mode))); });
  });
}

}  // namespace

estimator::InputFn input_fn_of(nb::handle f) {
  return [held = keep(f)](estimator::Mode mode,
                          const estimator::RunConfig&) -> estimator::InputValues {
    return in_program([&]() -> estimator::InputValues {
      nb::object made = kept(held)(estimator::mode_key(mode));
      nb::object dataset = made[0], rest = made[1];
      if (dataset.is_none()) return batch_of(nb::object(rest[0]), nb::object(rest[1]));
      return estimator::BatchDataset{nb::cast<DatasetObject&>(dataset).dataset,
                                     [split = keep(rest)](const data::Components& parts) {
                                       return in_program([&] {
                                         nb::object both = kept(split)(give(parts));
                                         return batch_of(nb::object(both[0]), nb::object(both[1]));
                                       });
                                     }};
    });
  };
}

void bind_estimator(nb::module_& m) {
  bind_checks(m);
  nb::class_<estimator::Predictions>(m, "Predictions")
      .def("next_batch", next_batch)
      .def_prop_ro("spec", [](estimator::Predictions& self) { return python_spec(self.spec()); })
      .def("close", [](estimator::Predictions& self) { without_lock([&] { self.close(); }); });

  using E = estimator::Estimator;
  nb::class_<E> c(m, "Estimator");
  c.def(
      "__init__",
      [](E* self, nb::handle model_fn, nb::handle config, nb::handle warm_start,
         const std::string& config_text) {
        estimator::EstimatorOptions options{.config = run_config_of(config),
                                            .warm_start_from = warm_start_of(warm_start),
                                            .open = python_opener(),
                                            .new_graph = new_graph,
                                            .add_saver = add_saver,
                                            .config_text = config_text};
        estimator::ModelFn core = model_fn_of(model_fn);
        without_lock([&] { new (self) E(std::move(core), std::move(options)); });
      },
      nb::arg("model_fn"), nb::arg("config"), nb::arg("warm_start").none(), nb::arg("config_text"));
  c.def_prop_ro("model_dir", &E::model_dir);
  c.def("get_variable_names",
        [](E& self) { return building([&] { return self.get_variable_names(); }); });
  c.def("get_variable_value", [](E& self, const std::string& name) {
    return numpy_from_tensor(building([&] { return self.get_variable_value(name); }));
  });
  c.def("latest_checkpoint", &E::latest_checkpoint);
  c.def("eval_dir", &E::eval_dir);
  c.def(
      "train",
      [](E& self, nb::handle input_fn, nb::handle hooks, OptionalCount steps,
         OptionalCount max_steps, nb::handle listeners) {
        estimator::TrainOptions options{
            .hooks = with_interrupt(hooks), .steps = steps, .max_steps = max_steps};
        for (nb::handle listener : listeners)
          options.saving_listeners.push_back(listener_of(listener));
        options.saves_itself = saver_finder(hooks, listeners);
        const estimator::InputFn input = input_fn_of(input_fn);
        without_lock([&] { self.train(input, options); });
      },
      nb::arg("input_fn"), nb::arg("hooks"), nb::arg("steps").none(), nb::arg("max_steps").none(),
      nb::arg("listeners"));
  c.def(
      "evaluate",
      [](E& self, nb::handle input_fn, OptionalCount steps, nb::handle hooks,
         const std::string& checkpoint_path, const std::string& name) {
        const estimator::EvaluateOptions options{.steps = steps,
                                                 .hooks = with_interrupt(hooks),
                                                 .checkpoint_path = checkpoint_path,
                                                 .name = name};
        const estimator::InputFn input = input_fn_of(input_fn);
        return python_results(without_lock([&] { return self.evaluate(input, options); }));
      },
      nb::arg("input_fn"), nb::arg("steps").none(), nb::arg("hooks"), nb::arg("checkpoint_path"),
      nb::arg("name"));
  c.def(
      "predict",
      [](E& self, nb::handle input_fn, std::vector<std::string> predict_keys, nb::handle hooks,
         const std::string& checkpoint_path) {
        const estimator::PredictOptions options{.predict_keys = std::move(predict_keys),
                                                .hooks = hooks_of(hooks),
                                                .checkpoint_path = checkpoint_path};
        const estimator::InputFn input = input_fn_of(input_fn);
        return without_lock([&] { return self.predict(input, options); });
      },
      nb::keep_alive<0, 1>());
}

}  // namespace rill::python
