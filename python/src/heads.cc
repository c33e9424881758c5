#include "heads.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "data.h"
#include "estimator.h"
#include "feature_columns.h"
#include "in_place.h"
#include "inputs.h"
#include "keras.h"
#include "rill/api/estimator/heads/keys.h"
#include "train_inputs.h"

namespace rill::python {

feature_column::Features named_parts_of(nb::handle value) {
  estimator::Features features;
  if (value.is_none()) return features;
  if (!nb::isinstance<nb::dict>(value)) return {{"", part_of(value)}};
  for (auto [key, feature] : nb::borrow<nb::dict>(value))
    features.insert_or_assign(str_of(key), part_of(feature));
  return features;
}

namespace {

// The program's features while one of its heads is at work, for functions of the program.
thread_local nb::handle program_features;

class WithFeatures {
 public:
  explicit WithFeatures(nb::handle features) : outer_(program_features) {
    program_features = features;
  }
  ~WithFeatures() { program_features = outer_; }
  WithFeatures(const WithFeatures&) = delete;
  WithFeatures& operator=(const WithFeatures&) = delete;

 private:
  nb::handle outer_;
};

// --- how heads are set up -----------------------------------------------------------------------

estimator::LossFn loss_fn_of(const Settings& s) {
  if (!s.has("loss_fn")) return {};
  return [call = s["loss_fn"]](Output labels, Output logits, const estimator::Features&) {
    return converted_tensor(call(give(labels), give(logits), program_features), "loss");
  };
}

estimator::WeightColumn weight_column_of(const Settings& s) {
  if (!s.has("weight_column")) return {};
  const nb::object column = s["weight_column"];
  if (nb::isinstance<nb::str>(column)) return str_of(column);
  return column_of(column);
}

std::vector<std::string> texts_in_setting(const Settings& s, const char* name) {
  return s.has(name) ? text_list(s[name]) : std::vector<std::string>();
}

estimator::HeadOptions class_head_options(const Settings& s) {
  return {.weight_column = weight_column_of(s),
          .thresholds = s.numbers("thresholds"),
          .label_vocabulary = texts_in_setting(s, "label_vocabulary"),
          .loss_reduction = losses::reduction_of(s.text("loss_reduction")),
          .loss_fn = loss_fn_of(s),
          .classes_for_class_based_metrics = s.integers("classes_for_class_based_metrics"),
          .name = s.text("name")};
}

estimator::RegressionHeadOptions regression_options(const Settings& s) {
  estimator::RegressionHeadOptions options{
      .weight_column = weight_column_of(s),
      .label_dimension = s.integer("label_dimension", 1),
      .loss_reduction = losses::reduction_of(s.text("loss_reduction")),
      .loss_fn = loss_fn_of(s),
      .compute_full_loss = s.flag("compute_full_loss", true),
      .name = s.text("name")};
  if (s.has("inverse_link_fn"))
    options.inverse_link_fn = [call = s["inverse_link_fn"]](Output logits) {
      return converted_tensor(call(give(logits)), "predictions");
    };
  return options;
}

template <auto Make>
estimator::HeadRef of_n_classes(const Settings& s) {
  return Make(s.integer("n_classes"), class_head_options(s));
}
template <auto Make>
estimator::HeadRef of_numbers(const Settings& s) {
  return Make(regression_options(s));
}
template <auto Make>
estimator::HeadRef of_two_classes(const Settings& s) {
  return Make(class_head_options(s));
}

struct HeadKind {
  const char* name;
  estimator::HeadRef (*make)(const Settings&);
};
constexpr HeadKind kHeadKinds[] = {
    {"binary_classification_head", of_two_classes<estimator::binary_classification_head>},
    {"multi_class_head", of_n_classes<estimator::multi_class_head>},
    {"multi_label_head", of_n_classes<estimator::multi_label_head>},
    {"regression_head", of_numbers<estimator::regression_head>},
    {"poisson_regression_head", of_numbers<estimator::poisson_regression_head>},
    {"logistic_regression_head", of_numbers<estimator::logistic_regression_head>},
    {"BinaryClassHead", of_two_classes<estimator::BinaryClassHead>},
    {"MultiClassHead", of_n_classes<estimator::MultiClassHead>},
    {"MultiLabelHead", of_n_classes<estimator::MultiLabelHead>},
    {"RegressionHead", of_numbers<estimator::RegressionHead>},
    {"PoissonRegressionHead", of_numbers<estimator::PoissonRegressionHead>},
    {"LogisticRegressionHead", of_numbers<estimator::LogisticRegressionHead>},
};

HeadObject make_head(const std::string& kind, const nb::dict& settings) {
  for (const HeadKind& known : kHeadKinds)
    if (kind == known.name) return {known.make(Settings(settings))};
  value_error("There is no head of the kind ", kind, ".");
}

HeadObject make_several(const std::vector<HeadObject*>& heads, const std::vector<double>& weights,
                        bool gathers) {
  std::vector<estimator::HeadRef> all;
  HeadObject made;
  for (const HeadObject* head : heads) {
    all.push_back(head->head);
    made.names.push_back(head->head->name());
  }
  made.head = gathers ? estimator::MultiHead(all, weights) : estimator::multi_head(all, weights);
  return made;
}

// --- what they are given and give ---------------------------------------------------------------

estimator::Logits logits_of(nb::handle value) {
  if (!nb::isinstance<nb::dict>(value)) return converted_tensor(value, "logits");
  std::map<std::string, Output> parts;
  for (auto [key, part] : nb::borrow<nb::dict>(value))
    parts[str_of(key)] = converted_tensor(part, "logits");
  return parts;
}

std::vector<Output> head_tensors(nb::handle list) {
  std::vector<Output> tensors;
  if (!list.is_none())
    for (nb::handle item : nb::list(list)) tensors.push_back(converted_tensor(item));
  return tensors;
}

// In the order in which TensorFlow's heads put them down.
constexpr const char* kPredictionOrder[] = {
    estimator::prediction_keys::PREDICTIONS,   estimator::prediction_keys::LOGITS,
    estimator::prediction_keys::LOGISTIC,      estimator::prediction_keys::PROBABILITIES,
    estimator::prediction_keys::CLASS_IDS,     estimator::prediction_keys::CLASSES,
    estimator::prediction_keys::ALL_CLASS_IDS, estimator::prediction_keys::ALL_CLASSES};

nb::dict give_predictions(const std::map<std::string, Output>& predictions,
                          const std::vector<std::string>& heads) {
  nb::dict all;
  for (const char* key : kPredictionOrder)
    if (const auto found = predictions.find(key); found != predictions.end())
      all[key] = give(found->second);
  for (const std::string& head : heads)
    for (const char* key : kPredictionOrder)
      if (const auto found = predictions.find(head + "/" + key); found != predictions.end())
        all[nb::make_tuple(head, key)] = give(found->second);
  return all;
}

// Outputs of served models pass as (kind, ...): Python has classes for them.
nb::object give_export(const estimator::ExportOutput& output) {
  if (const auto* classes = std::get_if<estimator::ClassificationOutput>(&output))
    return nb::make_tuple("classification", give(classes->scores), give(classes->classes));
  if (const auto* number = std::get_if<estimator::RegressionOutput>(&output))
    return nb::make_tuple("regression", give(number->value));
  nb::dict outputs;
  for (const auto& [key, tensor] : std::get<estimator::PredictOutput>(output).outputs)
    outputs[key.c_str()] = give(tensor);
  return nb::make_tuple("predict", outputs);
}

nb::dict give_estimator_spec(const estimator::EstimatorSpec& spec,
                             const std::vector<std::string>& heads) {
  nb::dict parts, metrics, exports;
  parts["mode"] = estimator::mode_key(spec.mode);
  parts["predictions"] = give_predictions(spec.predictions, heads);
  if (spec.loss.node != nullptr) parts["loss"] = give(spec.loss);
  if (spec.train_op) parts["train_op"] = give(spec.train_op);
  for (const auto& [key, metric] : spec.eval_metric_ops)
    metrics[key.c_str()] = nb::make_tuple(give(metric.value), give(metric.update_op));
  if (spec.mode == estimator::Mode::kEval) parts["eval_metric_ops"] = metrics;
  for (const auto& [key, output] : spec.export_outputs) exports[key.c_str()] = give_export(output);
  if (!spec.export_outputs.empty()) parts["export_outputs"] = exports;
  return parts;
}

nb::object create_loss(HeadObject& self, nb::handle features, nb::handle mode, nb::handle logits,
                       nb::handle labels) {
  return in_place(logits, [&] {
    const WithFeatures with(features);
    const estimator::LossSpec loss = self.head->create_loss(
        named_parts_of(features), mode_of(mode), logits_of(logits), named_parts_of(labels));
    const nb::object none = nb::none();
    if (loss.unreduced_loss.node == nullptr)
      return nb::object(nb::make_tuple(give(loss.training_loss), none, none, none));
    const nb::object weights =
        loss.weights.is_output() ? give(loss.weights.output()) : nb::object(nb::float_(1.0));
    return nb::object(nb::make_tuple(give(loss.training_loss), give(loss.unreduced_loss), weights,
                                     give(loss.processed_labels)));
  });
}

nb::object create_estimator_spec(HeadObject& self, nb::handle features, nb::handle mode,
                                 nb::handle logits, nb::handle labels, nb::handle train_op_fn,
                                 nb::handle update_ops, nb::handle regularization_losses) {
  return in_place(logits, [&] {
    const WithFeatures with(features);
    estimator::HeadCall call{.features = named_parts_of(features),
                             .mode = mode_of(mode),
                             .logits = logits_of(logits),
                             .labels = named_parts_of(labels),
                             .regularization_losses = head_tensors(regularization_losses)};
    if (!train_op_fn.is_none())
      call.train_op_fn = [train_op_fn](Output loss) {
        return runnable_of(train_op_fn(give(loss)));
      };
    if (!update_ops.is_none()) {
      call.update_ops.emplace();
      for (nb::handle op : nb::list(update_ops)) call.update_ops->push_back(runnable_of(op));
    }
    const estimator::EstimatorSpec spec = self.head->create_estimator_spec(call, {});
    return nb::object(give_estimator_spec(spec, self.names));
  });
}

const estimator::HeadParts& parts_of_head(const HeadObject& self) {
  const auto* parts = dynamic_cast<const estimator::HeadParts*>(self.head.get());
  if (parts == nullptr) type_error("This head does not give its parts.");
  return *parts;
}

void bind_head_parts(nb::class_<HeadObject>& c) {
  c.def(
      "loss",
      [](HeadObject& self, nb::handle labels, nb::handle logits, nb::handle features,
         nb::handle regularization_losses) {
        return in_place(logits, [&] {
          const WithFeatures with(features);
          return give(parts_of_head(self).loss(named_parts_of(labels), logits_of(logits),
                                               named_parts_of(features),
                                               head_tensors(regularization_losses)));
        });
      },
      nb::arg("labels").none(), nb::arg("logits"), nb::arg("features").none(),
      nb::arg("regularization_losses").none());
  c.def("predictions", [](HeadObject& self, nb::handle logits, std::vector<std::string> keys) {
    return in_place(logits, [&] {
      return give_predictions(parts_of_head(self).predictions(logits_of(logits), keys), self.names);
    });
  });
  // Descriptions of metrics: (key, class, settings).
  c.def("metrics", [](HeadObject& self, bool regularized) {
    nb::list all;
    for (const estimator::GatheredMetric& metric : parts_of_head(self).metrics(regularized)) {
      nb::dict settings;
      settings["name"] = metric.options.name;
      if (metric.class_name == "AUC") settings["curve"] = metric.options.curve;
      if (metric.class_name == "BinaryAccuracy") settings["threshold"] = metric.options.threshold;
      if (!metric.options.thresholds.empty() && metric.class_name != "BinaryAccuracy")
        settings["thresholds"] = metric.options.thresholds;
      all.append(nb::make_tuple(metric.key, metric.class_name, settings));
    }
    return all;
  });
  // What each metric is updated with: (key, values, weights).
  c.def(
      "metric_updates",
      [](HeadObject& self, nb::handle features, nb::handle logits, nb::handle labels,
         nb::handle regularization_losses) {
        return in_place(logits, [&] {
          const WithFeatures with(features);
          nb::list all;
          for (const estimator::MetricUpdate& update : parts_of_head(self).metric_updates(
                   named_parts_of(features), logits_of(logits), named_parts_of(labels),
                   head_tensors(regularization_losses)))
            all.append(nb::make_tuple(update.key, give(update.values),
                                      update.weights ? give(*update.weights) : nb::none()));
          return all;
        });
      },
      nb::arg("features").none(), nb::arg("logits"), nb::arg("labels").none(),
      nb::arg("regularization_losses").none());
}

}  // namespace

void bind_heads(nb::module_& m) {
  nb::class_<HeadObject> c(m, "HeadCore");
  c.def("__init__", [](HeadObject* self, const std::string& kind, nb::dict settings) {
    constructed([&] { new (self) HeadObject(make_head(kind, settings)); });
  });
  c.def_static("several", [](const std::vector<HeadObject*>& heads,
                             const std::vector<double>& weights, bool gathers) {
    return building([&] { return make_several(heads, weights, gathers); });
  });
  c.def_prop_ro("name", [](HeadObject& self) -> nb::object {
    const std::string name = self.head->name();
    return name.empty() ? nb::none() : nb::object(nb::str(name.c_str()));
  });
  c.def_prop_ro("logits_dimension", [](HeadObject& self) { return self.head->logits_dimension(); });
  c.def("create_loss", create_loss, nb::arg("features").none(), nb::arg("mode"), nb::arg("logits"),
        nb::arg("labels").none());
  c.def("create_estimator_spec", create_estimator_spec, nb::arg("features").none(), nb::arg("mode"),
        nb::arg("logits"), nb::arg("labels").none(), nb::arg("train_op_fn").none(),
        nb::arg("update_ops").none(), nb::arg("regularization_losses").none());
  bind_head_parts(c);
}

}  // namespace rill::python
