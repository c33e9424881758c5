// tf.estimator.export: what models offer, and where they are fed.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "data.h"
#include "estimator.h"
#include "estimator_outer.h"
#include "kept.h"
#include "package.h"
#include "plain_values.h"
#include "program_error.h"
#include "protos.h"
#include "rill/api/estimator/export/export_directory.h"
#include "rill/api/estimator/export/export_output.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

// The C++ side of a Python ExportOutput.
struct OutputCore {
  estimator::ExportOutput output;
};

// A tensor or nothing; ValueError for anything else.
Output checked_tensor(nb::handle value, const char* what) {
  if (value.is_none()) return {};
  if (!is_tensor(value)) value_error(what, "; got ", repr_of(value));
  return tensor_object(value).output;
}

OutputCore classification(nb::handle scores, nb::handle classes) {
  return {building([&] {
    return estimator::classification_output(
        checked_tensor(scores, "Classification scores must be a float32 Tensor"),
        checked_tensor(classes, "Classification classes must be a string Tensor"));
  })};
}

OutputCore regression(nb::handle value) {
  return {building([&] {
    return estimator::regression_output(
        checked_tensor(value, "Regression output value must be a float32 Tensor"));
  })};
}

// Keys may be tuples of texts, which a slash joins.
std::string output_key(nb::handle key, const char* label) {
  if (PyTuple_Check(key.ptr())) return text_of(nb::str("/").attr("join")(key));
  if (!PyUnicode_Check(key.ptr()))
    value_error(label, " output key must be a string; got ", repr_of(key), ".");
  return str_of(key);
}

std::map<std::string, Output> export_outputs_of(nb::handle given, const char* label) {
  const auto tensor = [&](nb::handle value) {
    if (!is_tensor(value))
      value_error(label, " output value must be a Tensor; got ", repr_of(value), ".");
    return tensor_object(value).output;
  };
  std::map<std::string, Output> outputs;
  if (given.is_none()) return outputs;
  if (!PyDict_Check(given.ptr())) return {{"", tensor(given)}};
  for (const auto& [key, value] : nb::cast<nb::dict>(given))
    outputs[output_key(key, label)] = tensor(value);
  return outputs;
}

OutputCore prediction(nb::handle outputs) {
  if (outputs.is_none()) value_error("Prediction output value must be a Tensor; got None.");
  return {estimator::predict_output(export_outputs_of(outputs, "Prediction"))};
}

std::map<std::string, estimator::EvalMetric> checked_metrics_of(nb::handle given) {
  std::map<std::string, estimator::EvalMetric> metrics;
  if (given.is_none()) return metrics;
  const auto metric = [](const std::string& key, nb::handle pair) -> estimator::EvalMetric {
    if (!is_tensor(pair[0]))
      value_error(key, " output value must be a Tensor; got ", repr_of(pair[0]), ".");
    if (!is_tensor(pair[1]) && !is_operation(pair[1]))
      value_error(key, " update_op must be a Tensor or Operation; got ", repr_of(pair[1]), ".");
    return {tensor_object(pair[0]).output, runnable_of(pair[1])};
  };
  if (!PyDict_Check(given.ptr())) return {{"", metric("metrics", given)}};
  for (const auto& [key, value] : nb::cast<nb::dict>(given)) {
    const std::string name = output_key(key, "metrics");
    metrics.emplace(name, metric(name, value));
  }
  return metrics;
}

OutputCore supervised(nb::handle loss, nb::handle predictions, nb::handle metrics, bool trains) {
  const InCallersPlace place({});
  const estimator::SupervisedOutput parts{
      .loss = export_outputs_of(loss, "loss"),
      .predictions = export_outputs_of(predictions, "predictions"),
      .metrics = checked_metrics_of(metrics)};
  return {building([&] {
    return estimator::supervised_output(parts,
                                        trains ? estimator::Mode::kTrain : estimator::Mode::kEval);
  })};
}

nb::object export_signature_message(const OutputCore& core, nb::handle receivers) {
  const auto signature =
      building([&] { return estimator::signature_of(core.output, features_of_dict(receivers)); });
  return message_from_bytes(kMetaGraphPath, "SignatureDef", signature.SerializeAsString());
}

nb::dict features_dict(const estimator::Features& features) {
  nb::dict dict;
  for (const auto& [name, part] : features)
    dict[nb::str(name.c_str())] = give(data::Components{part})[0];
  return dict;
}

nb::object property(const OutputCore& core, const char* name) {
  using namespace estimator;
  const auto optional = [](Output tensor) {
    return tensor.node ? give(tensor) : nb::object(nb::none());
  };
  if (const auto* c = std::get_if<ClassificationOutput>(&core.output))
    return optional(std::string_view(name) == "scores" ? c->scores : c->classes);
  if (const auto* r = std::get_if<RegressionOutput>(&core.output)) return optional(r->value);
  nb::dict outputs;
  if (const auto* p = std::get_if<PredictOutput>(&core.output))
    for (const auto& [key, tensor] : p->outputs) outputs[nb::str(key.c_str())] = give(tensor);
  return outputs;
}

}  // namespace

estimator::ExportOutput export_output_of(nb::handle output) {
  if (nb::hasattr(output, "_core")) return nb::cast<OutputCore&>(output.attr("_core")).output;
  const auto object = keep(output);
  return estimator::CustomOutput{[object](const estimator::Features& receivers) {
    const WithLock gil;
    try {
      return read_message<tensorflow::SignatureDef>(
          kept(object).attr("as_signature_def")(features_dict(receivers)));
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_ValueError)) throw ProgramError(exception_object(error));
      raise(Code::kInvalidArgument, str_of(exception_object(error)));  // not offered
    }
  }};
}

nb::object give(const estimator::ExportOutput& output) {
  return package::export_output(nb::cast(OutputCore{output}));
}

void bind_estimator_export(nb::module_& m) {
  nb::class_<OutputCore> c(m, "ExportOutputCore");
  c.def_static("classification", classification, nb::arg().none(), nb::arg().none());
  c.def_static("regression", regression, nb::arg().none());
  c.def_static("prediction", prediction, nb::arg().none());
  c.def_static("supervised", supervised, nb::arg().none(), nb::arg().none(), nb::arg().none(),
               nb::arg());
  c.def("signature", export_signature_message);
  c.def("get", property);
  c.def_prop_ro("kind", [](const OutputCore& self) { return self.output.index(); });
  m.def("delete_old_exports", [](const std::string& base, std::size_t keep) {
    building([&] { estimator::delete_old_exports(base, keep); });
  });
  m.def("get_timestamped_export_dir", [](const std::string& base) {
    return building([&] {
      const WithoutLock release;
      return estimator::get_timestamped_export_dir(base);
    });
  });
}

}  // namespace rill::python
