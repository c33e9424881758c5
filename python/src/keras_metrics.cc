#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "in_place.h"
#include "keras.h"
#include "rill/api/keras/metrics.h"
#include "variables.h"

namespace rill::python {
namespace {

struct MetricObject {
  keras::MetricRef metric;
  nb::object graph;  // in which it has variables
};

keras::metrics::MetricOptions keras_metric_options(const Settings& s) {
  keras::metrics::MetricOptions o{.name = s.text("name"),
                                  .dtype = s.dtype("dtype"),
                                  .threshold = s.number("threshold", 0.5),
                                  .k = s.integer("k", 5),
                                  .loss = {.from_logits = s.flag("from_logits"),
                                           .label_smoothing = s.number("label_smoothing"),
                                           .axis = static_cast<int>(s.integer("axis", -1))},
                                  .thresholds = s.numbers("thresholds"),
                                  .num_thresholds = s.integer("num_thresholds", 200),
                                  .curve = s.text("curve", "ROC"),
                                  .summation_method = s.text("summation_method", "interpolation"),
                                  .top_k = s.optional_integer("top_k"),
                                  .class_id = s.optional_integer("class_id"),
                                  .num_classes = s.integer("num_classes")};
  for (const char* name : {"specificity", "sensitivity"})
    if (s.has(name)) o.value = s.number(name);
  if (s.has("normalizer"))
    o.normalizer = input_of(s["normalizer"], DType::invalid, "", "normalizer");
  return o;
}

void bind_metric_class(nb::module_& m) {
  nb::class_<MetricObject> c(m, "KerasMetric");
  c.def("__init__", [](MetricObject* self, const std::string& class_name, nb::dict settings) {
    in_place(nb::none(), [&] {
      new (self)
          MetricObject{keras::metrics::make(class_name, keras_metric_options(Settings(settings))),
                       wrap(default_graph())};
    });
  });
  c.def_prop_ro("name", [](MetricObject& o) { return o.metric->name(); });
  c.def_prop_ro("variables", [](MetricObject& o) {
    nb::list list;
    for (const Variable& variable : o.metric->variables()) list.append(give(variable));
    return list;
  });
  c.def_prop_ro("variable_names", [](MetricObject& o) { return o.metric->variable_names(); });
  c.def_prop_ro("thresholds", [](MetricObject& o) { return o.metric->thresholds(); });
  c.def(
      "update_state",
      [](MetricObject& o, nb::list values, nb::handle sample_weight) {
        return in_place(values, [&] {
          std::vector<Output> tensors;
          for (nb::handle value : values) tensors.push_back(converted_tensor(value));
          std::optional<Output> weights;
          if (!sample_weight.is_none()) weights = converted_tensor(sample_weight);
          return give(o.metric->update_state(tensors, weights));
        });
      },
      nb::arg("values"), nb::arg("sample_weight").none());
  c.def("result", [](MetricObject& o) {
    return in_place(nb::none(), [&] { return give(o.metric->result()); });
  });
}

}  // namespace

void bind_keras_metrics(nb::module_& m) {
  bind_metric_class(m);
  // Variables that sessions of models initialise beside those of the collections.
  m.def("keras_track", [](nb::handle variable) {
    in_place(variable, [&] { keras::track(variable_of(variable)); });
  });
  m.def("keras_tracked", [] {
    return in_place(nb::none(), [&] {
      nb::list list;
      for (const Variable& variable : keras::tracked_variables()) list.append(give(variable));
      return list;
    });
  });
}

}  // namespace rill::python
