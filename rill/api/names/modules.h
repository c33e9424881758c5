#pragma once

#include <string>
#include <utility>

#include "rill/api/data/experimental.h"
#include "rill/api/data/iterator.h"
#include "rill/api/distributions/kullback_leibler.h"
#include "rill/api/estimator/input/model.h"
#include "rill/api/io/tf_record.h"
#include "rill/api/layers/keras_style.h"
#include "rill/api/names/more.h"
#include "rill/api/saver/checkpoints_iterator.h"
#include "rill/api/saver/saveable.h"
#include "rill/api/strings/ragged_strings.h"
#include "rill/api/train/cluster.h"
#include "rill/api/train/server.h"
#include "rill/api/variables/variable_scope.h"
#include "rill/io/saved_model.h"

// Small modules and what belongs to no other header: classes of constants, functions under a second
// name.
namespace rill {

// variable_scope under its older name and order of arguments.
class variable_op_scope : public VariableScopeBlock {
 public:
  [[nodiscard]] variable_op_scope(const Inputs& /*values*/, std::string_view name_or_scope,
                                  std::string_view default_name = {},
                                  const VariableScopeOptions& options = {},
                                  std::source_location at = std::source_location::current())
      : VariableScopeBlock(name_or_scope.empty() ? default_name : name_or_scope, options, at) {}
};

namespace estimator::ModeKeys {
inline constexpr Mode TRAIN = Mode::kTrain, EVAL = Mode::kEval, PREDICT = Mode::kPredict;
}  // namespace estimator::ModeKeys

namespace io {
namespace TFRecordCompressionType {
inline constexpr Compression NONE = Compression::none, ZLIB = Compression::zlib,
                             GZIP = Compression::gzip;
}  // namespace TFRecordCompressionType
}  // namespace io
namespace debugging {
// Whether operations that run at once are to tell their devices. Kept for the process.
bool get_log_device_placement();
void set_log_device_placement(bool enabled);
}  // namespace debugging

namespace experimental {
// Functions are run by one executor, which is as good as any; throws InvalidArgument for a name
// that TensorFlow does not have.
class function_executor_type {
 public:
  [[nodiscard]] explicit function_executor_type(const std::string& executor_type);
};
// The functions of branches and loops always give out all that their gradients need.
inline void output_all_intermediates(bool /*state*/) {}
}  // namespace experimental

namespace distributions {
// RegisterKL<Normal, Laplace>([](Normal& a, Laplace& b, const std::string& name) {...});
template <class A, class B>
struct RegisterKL {
  explicit RegisterKL(std::function<Output(A&, B&, const std::string&)> kl) {
    register_kl<A, B>(std::move(kl));
  }
};
}  // namespace distributions

namespace distribute {
using train::Server;
}  // namespace distribute

namespace graph_util {
// The shape of a tensor of a graph by its name; "x" is "x:0". Throws NotFound.
PartialShape tensor_shape_from_node_def_name(const Graph& graph, const std::string& input_name);
}  // namespace graph_util

namespace strings {
// The characters of each string, and the bytes at which they begin.
inline std::pair<RaggedOrDense, RaggedOrDense> unicode_split_with_offsets(
    const RaggedOrDense& input, const std::string& encoding, const UnicodeOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return {unicode_split(input, encoding, options, at),
          unicode_decode_with_offsets(input, encoding, options, at).second};
}
}  // namespace strings

namespace saved_model {
inline bool maybe_saved_model_directory(const std::string& export_dir) {
  return contains_saved_model(export_dir);
}
namespace loader {
using saved_model::maybe_saved_model_directory;
}  // namespace loader
}  // namespace saved_model

namespace data::experimental {

// Gathers measurements of the datasets whose options name it.
//
//   tf::data::experimental::StatsAggregator aggregator;
//   dataset = dataset.with_options({.stats = {.aggregator = aggregator.resource()}});
class StatsAggregator {
 public:
  StatsAggregator();
  Output resource() const { return resource_; }
  Output get_summary() const;  // what was gathered so far, a serialised Summary

 private:
  Output resource_;
};
// What a Saver saves of an iterator: tf::train::Saver({{"input",
// make_saveable_from_iterator(it)}}).
train::SaveableRef make_saveable_from_iterator(const Iterator& iterator);

// As map_and_batch(): effects inside of `f` have no order here either.
inline Dataset map_and_batch_with_legacy_function(const Dataset& dataset, const ElementFunction& f,
                                                  const Input& batch_size,
                                                  const MapAndBatchOptions& options = {}) {
  return map_and_batch(dataset, f, batch_size, options);
}
// How a distribution strategy shares the elements of a dataset.
struct DistributeOptions {
  bool auto_shard = true;
};

}  // namespace data::experimental
}  // namespace rill
