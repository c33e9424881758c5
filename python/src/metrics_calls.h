#pragma once

#include <algorithm>

#include "call.h"
#include "errors.h"
#include "rill/api/metrics/metrics.h"
#include "sparse_tensors.h"

// How the arguments of Python's metrics become those of C++'s, whatever their order.
namespace rill::python::metric_calls {

using metrics::Metric;

inline nb::object give_metric(const Metric& metric) {
  return nb::make_tuple(give(metric.value), give(metric.update_op));
}

// One name or several.
inline std::vector<std::string> names_in(const Call& c, const char* argument) {
  const nb::handle given = c[argument];
  if (given.is_none()) return {};
  if (PyUnicode_Check(given.ptr())) return {str_of(given)};
  std::vector<std::string> names;
  for (nb::handle name : given) {
    std::string text = PyUnicode_Check(name.ptr()) ? str_of(name) : repr_of(name);
    if (std::ranges::find(names, text) == names.end()) names.push_back(std::move(text));
  }
  return names;
}

inline void require_graph() {
  if (executing_eagerly())
    throw_python(PyExc_RuntimeError,
                 "tf.metrics functions are not supported when eager execution is enabled.");
}

inline metrics::MetricOptions options_of(const Call& c) {
  require_graph();
  return {c.optional_input("weights"), names_in(c, "metrics_collections"),
          names_in(c, "updates_collections"), c.name()};
}

inline metrics::Thresholds thresholds_of(const Call& c) {
  metrics::Thresholds thresholds;
  for (nb::handle item : c["thresholds"]) {
    const double value = PyFloat_AsDouble(item.ptr());
    if (value == -1.0 && PyErr_Occurred() != nullptr) throw nb::python_error();
    thresholds.push_back(value);
  }
  return thresholds;
}

inline metrics::Labels labels_of(const Call& c) {
  if (is_sparse(c["labels"])) return sparse_of(c["labels"]);
  return c.input("labels");
}

template <auto F>
nb::object of_values(const Call& c) {
  return give_metric(F(c.input("values"), options_of(c), {}));
}

template <auto F>
nb::object of_pair(const Call& c) {
  return give_metric(F(c.input("labels"), c.input("predictions"), options_of(c), {}));
}

template <auto F>
nb::object of_classes(const Call& c) {
  return give_metric(
      F(c.input("labels"), c.input("predictions"), c.integer("num_classes"), options_of(c), {}));
}

template <auto F>
nb::object at_thresholds(const Call& c) {
  return give_metric(
      F(c.input("labels"), c.input("predictions"), thresholds_of(c), options_of(c), {}));
}

inline metrics::AtRateOptions spread_options(const Call& c) {
  const metrics::MetricOptions o = options_of(c);
  return {.weights = o.weights,
          .num_thresholds = c.integer("num_thresholds"),
          .metrics_collections = o.metrics_collections,
          .updates_collections = o.updates_collections,
          .name = o.name};
}

template <auto F>
nb::object at_rate(const Call& c) {
  return give_metric(F(c.input("labels"), c.input("predictions"), c.number(c.parameter(2)),
                       spread_options(c), {}));
}

template <auto F>
nb::object at_k(const Call& c) {
  const metrics::MetricOptions o = options_of(c);
  return give_metric(F(labels_of(c), c.input("predictions"), c.integer("k"),
                       {.class_id = c.optional_integer("class_id"),
                        .weights = o.weights,
                        .metrics_collections = o.metrics_collections,
                        .updates_collections = o.updates_collections,
                        .name = o.name},
                       {}));
}

template <auto F>
nb::object at_top_k(const Call& c) {
  const metrics::MetricOptions o = options_of(c);
  return give_metric(F(labels_of(c), c.input("predictions_idx"),
                       {.k = c.optional_integer("k"),
                        .class_id = c.optional_integer("class_id"),
                        .weights = o.weights,
                        .metrics_collections = o.metrics_collections,
                        .updates_collections = o.updates_collections,
                        .name = o.name},
                       {}));
}

inline nb::object mean_relative_error(const Call& c) {
  return give_metric(metrics::mean_relative_error(c.input("labels"), c.input("predictions"),
                                                  c.input("normalizer"), options_of(c)));
}

inline nb::object mean_cosine_distance(const Call& c) {
  return give_metric(metrics::mean_cosine_distance(c.input("labels"), c.input("predictions"),
                                                   c.integer("dim"), options_of(c)));
}

inline nb::object percentage_below(const Call& c) {
  return give_metric(
      metrics::percentage_below(c.input("values"), c.input("threshold"), options_of(c)));
}

inline nb::object average_precision(const Call& c) {
  return give_metric(metrics::average_precision_at_k(labels_of(c), c.input("predictions"),
                                                     c.integer("k"), options_of(c)));
}

inline nb::object auc(const Call& c) {
  const metrics::MetricOptions o = options_of(c);
  metrics::AucOptions options{.weights = o.weights,
                              .num_thresholds = c.integer("num_thresholds"),
                              .metrics_collections = o.metrics_collections,
                              .updates_collections = o.updates_collections,
                              .curve = c.text("curve"),
                              .name = o.name};
  if (c.knows("summation_method")) options.summation_method = c.text("summation_method");
  if (c.knows("thresholds") && c.has("thresholds")) options.thresholds = thresholds_of(c);
  return give_metric(metrics::auc(c.input("labels"), c.input("predictions"), options));
}

}  // namespace rill::python::metric_calls
