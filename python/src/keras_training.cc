#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "gradients.h"
#include "kept.h"
#include "keras.h"
#include "layers.h"
#include "numpy.h"
#include "plain_values.h"
#include "rill/api/core/captured_values.h"
#include "rill/api/keras/network.h"
#include "rill/api/keras/training.h"
#include "session.h"
#include "variables.h"

namespace rill::python {
namespace {

struct TrainingObject {
  std::unique_ptr<keras::Training> training;
  nb::object graph;
  std::vector<DType> input_types, target_types;
};

template <class Build>
auto in_model_graph(nb::handle graph, Build build) {
  const AsDefault inside(graph_object(graph).graph);
  PyObject* const nothing[] = {Py_None};
  const InCallersPlace place(nothing);
  return building(build);
}

std::vector<Node*> nodes_of(nb::handle list) {
  std::vector<Node*> nodes;
  for (nb::handle item : list) nodes.push_back(&operation_object(item).node());
  return nodes;
}

keras::TrainedMetric metric_of(nb::handle given) {
  const auto held = keep(nb::object(given[1]));
  return {.name = str_of(nb::object(given[0])),
          .result =
              [held](Output y_true, Output y_pred, const std::optional<Output>& weights) {
                const nb::object told = weights ? give(*weights) : nb::object(nb::none());
                return tensor_of(kept(held)(y_true.node ? give(y_true) : nb::object(nb::none()),
                                            give(y_pred), told));
              },
          .weighted = truth_of(nb::object(given[2]))};
}

keras::Reduction reduction_named(const std::string& name) {
  if (name == "sum") return keras::Reduction::kSum;
  return name == "none" ? keras::Reduction::kNone : keras::Reduction::kSumOverBatchSize;
}

keras::TrainedOutput output_of(const nb::dict& given) {
  const Settings s(given);
  keras::TrainedOutput out{.prediction = tensor_of(s["prediction"]),
                           .name = s.text("name"),
                           .loss = {},
                           .reduction = reduction_named(s.text("reduction", "auto")),
                           .loss_weight = s.number("loss_weight", 1),
                           .temporal = s.flag("temporal"),
                           .target = {},
                           .weights = {},
                           .metrics = {}};
  if (s.has("loss"))
    out.loss = [held = keep(s["loss"])](Output y_true, Output y_pred) {
      return tensor_of(kept(held)(give(y_true), give(y_pred)));
    };
  if (s.has("target")) out.target = tensor_of(s["target"]);
  if (s.has("weights")) out.weights = tensor_of(s["weights"]);
  for (nb::handle metric : s["metrics"]) out.metrics.push_back(metric_of(metric));
  return out;
}

std::function<std::vector<Node*>()> nodes_function(const Settings& s, const char* name) {
  if (!s.has(name)) return {};
  return [held = keep(s[name])] { return nodes_of(kept(held)()); };
}

keras::TrainingRequest request_of(const nb::dict& given) {
  const Settings s(given);
  keras::TrainingRequest r;
  r.inputs = outputs_of(s["inputs"]);
  for (nb::handle output : s["outputs"]) r.outputs.push_back(output_of(nb::cast<nb::dict>(output)));
  if (s.has("losses")) r.losses = [held = keep(s["losses"])] { return outputs_of(kept(held)()); };
  r.updates = nodes_function(s, "updates");
  r.state_updates = nodes_function(s, "state_updates");
  if (s.has("optimize"))
    r.optimize = [held = keep(s["optimize"])](Output loss) -> Node* {
      const nb::object made = kept(held)(give(loss));
      return made.is_none() ? nullptr : &operation_object(made).node();
    };
  if (s.has("mean_of"))
    r.mean_of = [held = keep(s["mean_of"])](const std::string& name, Output loss) {
      return tensor_of(kept(held)(nb::str(name.c_str()), give(loss)));
    };
  if (s.has("more_metrics"))
    for (nb::handle pair : s["more_metrics"])
      r.more_metrics.emplace_back(str_of(nb::object(pair[0])), tensor_of(nb::object(pair[1])));
  return r;
}

// Runs by the `run` of an object that adds a program's options to each.
keras::Training::Run run_through(nb::handle runner) {
  return [runner](std::span<const Feed> feeds, std::span<const Output> fetches,
                  std::span<Node* const> targets) {
    nb::dict given;
    for (const Feed& feed : feeds) given[give(feed.target)] = numpy_from_tensor(feed.value.clone());
    nb::list asked, nodes;
    for (const Output& fetch : fetches) asked.append(give(fetch));
    for (Node* target : targets) nodes.append(give(*target));
    const nb::object values = runner.attr("run")(nb::make_tuple(asked, nodes), given)[0];
    std::vector<Tensor> results;
    for (std::size_t i = 0; i < fetches.size(); ++i)
      results.push_back(tensor_from_value(nb::object(values[i]), fetches[i].dtype()));
    return results;
  };
}

keras::Training::Run run_in(nb::handle session) {
  if (nb::hasattr(session, "_is_runner")) return run_through(session);
  return [session](std::span<const Feed> feeds, std::span<const Output> fetches,
                   std::span<Node* const> targets) {
    return run_step(session, feeds, fetches, targets);
  };
}

std::vector<Tensor> fed_tensors(nb::handle arrays, const std::vector<DType>& types) {
  std::vector<Tensor> tensors;
  for (nb::handle array : arrays) {
    if (array.is_none()) {
      tensors.emplace_back();
      continue;
    }
    const std::size_t i = tensors.size();
    tensors.push_back(tensor_from_feed(array, i < types.size() ? types[i] : DType::f32));
  }
  return tensors;
}

keras::Examples examples_of(const TrainingObject& o, nb::handle x, nb::handle y,
                            nb::handle weights) {
  return {fed_tensors(x, o.input_types), fed_tensors(y, o.target_types), fed_tensors(weights, {})};
}

nb::dict logs_dict(const keras::Logs& logs) {
  nb::dict told;
  for (const auto& [name, value] : logs) told[name.c_str()] = value;
  return told;
}

// Tells a list of callbacks of Python. Those of models in eager execution run eagerly, as the
// program around does.
class PythonCallback : public keras::Callback {
 public:
  explicit PythonCallback(nb::handle list) : list_(list), eagerly_(lifts_variables()) {}
  void on_epoch_begin(std::int64_t epoch) override { tell("on_epoch_begin", epoch); }
  void on_epoch_end(std::int64_t epoch, const keras::Logs& logs) override {
    tell("on_epoch_end", epoch, logs_dict(logs));
  }
  void on_batch_begin(std::int64_t batch, std::int64_t size) override {
    tell("on_train_batch_begin", batch, place(batch, size));
  }
  void on_batch_end(std::int64_t batch, std::int64_t size, const keras::Logs& logs) override {
    tell("on_train_batch_end", batch, after(batch, size, logs));
  }
  void on_test_begin() override { tell("on_test_begin"); }
  void on_test_end() override { tell("on_test_end"); }
  void on_test_batch_begin(std::int64_t batch, std::int64_t size) override {
    tell("on_test_batch_begin", batch, place(batch, size));
  }
  void on_test_batch_end(std::int64_t batch, std::int64_t size, const keras::Logs& logs) override {
    tell("on_test_batch_end", batch, after(batch, size, logs));
  }
  bool stop_training() override { return truth_of(nb::object(list_.attr("stop_training"))); }

 private:
  template <class... Args>
  void tell(const char* method, const Args&... args) {
    std::optional<AsDefault> around;
    if (eagerly_) around.emplace(eager_graph());
    list_.attr(method)(args...);
  }
  static nb::dict place(std::int64_t batch, std::int64_t size) {
    nb::dict told;
    told["batch"] = batch;
    told["size"] = size;
    return told;
  }
  static nb::dict after(std::int64_t batch, std::int64_t size, const keras::Logs& logs) {
    nb::dict told = place(batch, size);
    for (const auto& [name, value] : logs) told[name.c_str()] = value;
    return told;
  }
  nb::handle list_;
  const bool eagerly_;
};

nb::list arrays_of(std::vector<Tensor> tensors) {
  nb::list list;
  for (Tensor& tensor : tensors) list.append(numpy_from_tensor(std::move(tensor)));
  return list;
}

void fit(TrainingObject& o, nb::handle session, nb::handle x, nb::handle y, nb::handle weights,
         const nb::dict& given, nb::handle callbacks) {
  const Settings s(given);
  keras::FitOptions options;
  options.batch_size = s.integer("batch_size", 32);
  options.epochs = s.integer("epochs", 1);
  options.initial_epoch = s.integer("initial_epoch");
  options.shuffle = s.has("shuffled");
  if (s.has("shuffled"))
    options.shuffled = [f = s["shuffled"]](std::vector<std::int64_t>& order) {
      order = nb::cast<std::vector<std::int64_t>>(f(nb::cast(order)));
    };
  if (s.has("validation_freq")) {
    const std::vector<std::int64_t> freq = s.integers("validation_freq");
    if (is_sequence(s["validation_freq"]))
      options.validation_epochs = freq;
    else
      options.validation_freq = freq.at(0);
  }
  if (s.has("validation")) {
    const nb::object v = s["validation"];
    options.validation_data = examples_of(o, nb::object(v[0]), nb::object(v[1]), nb::object(v[2]));
  }
  in_model_graph(o.graph, [&] {
    PythonCallback told(callbacks);
    options.callbacks = {&told};
    o.training->fit(run_in(session), examples_of(o, x, y, weights), options);
  });
}

void bind_training(nb::module_& m) {
  nb::class_<TrainingObject> c(m, "KerasTraining");
  c.def("__init__", [](TrainingObject* self, nb::object graph, nb::dict request) {
    new (self) TrainingObject{nullptr, graph, {}, {}};
    in_model_graph(graph, [&] {
      keras::TrainingRequest r = request_of(request);
      for (const Output& input : r.inputs) self->input_types.push_back(base_type(input.dtype()));
      self->training = std::make_unique<keras::Training>(std::move(r));
      for (const Output& target : self->training->targets())
        if (target.node) self->target_types.push_back(base_type(target.dtype()));
    });
  });
  c.def_prop_ro("metrics_names", [](TrainingObject& o) { return o.training->metrics_names(); });
  c.def_prop_ro("total_loss", [](TrainingObject& o) { return give(o.training->total_loss()); });
  c.def_prop_ro("results", [](TrainingObject& o) { return give(o.training->results()); });
  c.def_prop_ro("targets", [](TrainingObject& o) {
    nb::list list;
    for (const Output& target : o.training->targets())
      if (target.node) list.append(give(target));
    return list;
  });
  c.def("set_metric_variables", [](TrainingObject& o, nb::handle list) {
    o.training->metric_variables.clear();
    for (nb::handle variable : list) o.training->metric_variables.push_back(variable_of(variable));
  });
  c.def("make_updates", [](TrainingObject& o) {
    in_model_graph(o.graph, [&] {
      differentiating(graph_object(o.graph), [&] { o.training->optimization(); });
    });
  });
  c.def("train_on_batch",
        [](TrainingObject& o, nb::handle session, nb::handle x, nb::handle y, nb::handle w) {
          return in_model_graph(o.graph, [&] {
            return o.training->train_on_batch(run_in(session), examples_of(o, x, y, w));
          });
        });
  c.def("test_on_batch",
        [](TrainingObject& o, nb::handle session, nb::handle x, nb::handle y, nb::handle w) {
          return in_model_graph(o.graph, [&] {
            return o.training->test_on_batch(run_in(session), examples_of(o, x, y, w));
          });
        });
  c.def("reset_metrics",
        [](TrainingObject& o, nb::handle session) { o.training->reset_metrics(run_in(session)); });
  c.def("fit", fit);
  c.def("evaluate", [](TrainingObject& o, nb::handle session, nb::handle x, nb::handle y,
                       nb::handle w, std::int64_t batch_size, nb::handle callbacks) {
    return in_model_graph(o.graph, [&] {
      PythonCallback told(callbacks);
      return o.training->evaluate(run_in(session), examples_of(o, x, y, w), batch_size, {&told});
    });
  });
}

// --- networks ------------------------------------------------------------------------------------

struct NetworkObject {
  keras::Network network;
  nb::object graph;
};

// The Python object of a layer.
nb::object object_of(layers::Layer* layer) {
  if (auto* side = dynamic_cast<LayerSide*>(layer)) return nb::borrow(side->self());
  return nb::none();
}

void bind_network(nb::module_& m) {
  nb::class_<NetworkObject> c(m, "KerasNetwork");
  c.def(
      "__init__", [](NetworkObject* self, nb::object graph, nb::handle inputs, nb::handle outputs) {
        in_model_graph(graph, [&] {
          new (self) NetworkObject{keras::Network(outputs_of(inputs), outputs_of(outputs)), graph};
        });
      });
  c.def_prop_ro("layers", [](NetworkObject& o) {
    nb::list list;
    for (layers::Layer* layer : o.network.layers()) list.append(object_of(layer));
    return list;
  });
  // (layer, number of its call) in an order in which they can run.
  c.def_prop_ro("calls", [](NetworkObject& o) {
    nb::list list;
    for (const keras::NetworkCall& call : o.network.calls())
      list.append(nb::make_tuple(object_of(call.layer), call.call));
    return list;
  });
  c.def(
      "run",
      [](NetworkObject& o, nb::handle inputs, nb::handle training, nb::handle masks) {
        layers::CallArguments arguments;
        if (!training.is_none())
          arguments.training = input_of(training, DType::invalid, "", "training");
        if (!masks.is_none()) arguments.masks = optional_outputs_of(masks);
        PyObject* const seen[] = {inputs.ptr()};
        const InCallersPlace place(seen);
        return building([&] { return give(o.network.run(outputs_of(inputs), arguments)); });
      },
      nb::arg("inputs"), nb::arg("training").none(), nb::arg("masks").none());
  m.def("keras_open_input", [](nb::handle layer, nb::handle tensor) {
    auto* opened = dynamic_cast<keras::InputLayer*>(layer_of(layer).get());
    if (opened == nullptr) type_error("Expected an InputLayer, got ", repr_of(layer));
    PyObject* const seen[] = {tensor.ptr()};
    const InCallersPlace place(seen);
    return building([&] { return give(opened->open(tensor_of(tensor))); });
  });
  // (layer, number of the call, number of the output) that made a tensor, or None.
  m.def("keras_history", [](nb::handle tensor) -> nb::object {
    if (!is_tensor(tensor)) return nb::none();
    const layers::MadeBy maker = layers::made_by(tensor_object(tensor).output);
    if (maker.layer == nullptr) return nb::none();
    return nb::make_tuple(object_of(maker.layer), maker.call, maker.output);
  });
  m.def("keras_set_mask", [](nb::handle tensor, nb::handle mask) {
    layers::set_mask(tensor_object(tensor).output, tensor_object(mask).output);
  });
}

nb::list predict(nb::handle session, nb::handle inputs, nb::handle outputs, nb::handle updates,
                 nb::handle arrays, std::int64_t batch_size, nb::object each) {
  const std::vector<Output> placeholders = outputs_of(inputs);
  std::vector<DType> types;
  for (const Output& placeholder : placeholders) types.push_back(base_type(placeholder.dtype()));
  std::function<void(std::int64_t, std::int64_t)> told;
  if (!each.is_none()) told = [&](std::int64_t batch, std::int64_t size) { each(batch, size); };
  return building([&] {
    return arrays_of(keras::predict(run_in(session), placeholders, outputs_of(outputs),
                                    nodes_of(updates), fed_tensors(arrays, types), batch_size,
                                    told));
  });
}

}  // namespace

void bind_keras_training(nb::module_& m) {
  // A graph for models in eager execution: its variables are those of eager execution.
  m.def("capturing_graph", [] { return new_graph_object(make_capturing_graph()); });
  bind_training(m);
  bind_network(m);
  m.def("keras_predict", predict, nb::arg("session"), nb::arg("inputs"), nb::arg("outputs"),
        nb::arg("updates"), nb::arg("arrays"), nb::arg("batch_size"), nb::arg("each").none());
}

}  // namespace rill::python
