#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/keras/custom_objects.h"
#include "rill/api/keras/layer_config.h"
#include "rill/api/keras/model.h"
#include "rill/io/json_values.h"

namespace rill::keras::utils {

// x divided by its norm of that order along an axis; rows of zeros stay. Throws InvalidArgument for
// an axis that x does not have, and for what are no floating-point numbers.
Tensor normalize(const Tensor& x, int axis = -1, double order = 2);

struct ProgbarOptions {
  int width = 30;
  int verbose = 1;                              // 1: a bar; 2: one line at the end; 0: nothing
  double interval = 0.05;                       // seconds between two looks of the bar
  std::set<std::string> stateful_metrics = {};  // shown as they are, others as means
  std::string unit_name = "step";
  std::ostream* out = nullptr;  // std::cout
};
// Shows how far something has come, and means of numbers.
//
//   tf::keras::utils::Progbar bar(100);
//   for (int i = 1; i <= 100; ++i) bar.update(i, {{"loss", train()}});
class Progbar {
 public:
  using Values = std::vector<std::pair<std::string, double>>;

  explicit Progbar(std::optional<std::int64_t> target, const ProgbarOptions& options = {});
  void update(std::int64_t current, const Values& values = {});
  void add(std::int64_t n, const Values& values = {}) { update(seen_ + n, values); }

 private:
  void take(std::int64_t current, const Values& values);
  std::string numbers() const;
  std::string line(std::int64_t current, double elapsed, bool done) const;

  std::optional<std::int64_t> target_;
  ProgbarOptions options_;
  std::ostream* out_;
  bool dynamic_;
  std::vector<std::string> order_;
  std::map<std::string, std::pair<double, double>> totals_;  // sum, count
  std::int64_t seen_ = 0;
  std::size_t shown_ = 0;
  std::chrono::steady_clock::time_point start_, last_;
};

// The inputs of a model that a tensor comes from; itself where no layer made it.
std::vector<Output> get_source_inputs(const Output& tensor);

// layers::serialize() and deserialize() under their other names.
inline Json serialize_keras_object(const LayerRef& layer) { return layers::serialize(layer); }
inline LayerRef deserialize_keras_object(const Json& config) { return layers::deserialize(config); }

struct HDF5MatrixOptions {
  std::int64_t start = 0;
  std::optional<std::int64_t> end = {};
  std::function<Tensor(const Tensor&)> normalizer = {};
};
// An array in an HDF5 file, or rows of it, each part through the normalizer when it is asked for.
class HDF5Matrix {
 public:
  // Throws NotFound where there is no such file or array.
  HDF5Matrix(const std::string& datapath, const std::string& dataset,
             const HDF5MatrixOptions& options = {});

  std::int64_t size() const { return whole_.dim(0); }
  const Shape& shape() const { return whole_.shape(); }
  DType dtype() const { return whole_.dtype(); }
  Tensor rows(std::int64_t begin, std::int64_t end) const;
  operator Tensor() const { return rows(0, size()); }

 private:
  Tensor whole_;
  std::function<Tensor(const Tensor&)> normalizer_;
};

// A model as a graph in the language of Graphviz.
struct DotOptions {
  bool show_shapes = false, show_layer_names = true;
  std::string rankdir = "TB";  // "LR": from left to right
};
std::string model_to_dot(const Model& model, const DotOptions& options = {});

}  // namespace rill::keras::utils
