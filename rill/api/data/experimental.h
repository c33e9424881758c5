#pragma once

#include "rill/api/data/dataset.h"
#include "rill/api/parsing/features.h"

// tf.data.experimental: transformations as functions of a dataset, and datasets made in other ways.
// In Python these are given to apply(); in C++ they are called.
//
//   auto logged = data::experimental::ignore_errors(data.map(parse));
namespace rill::data::experimental {

inline constexpr std::int64_t kInfiniteCardinality = -1, kUnknownCardinality = -2;

// --- plain transformations ---------------------------------------------------------------------
Dataset ignore_errors(const Dataset& dataset);  // leaves out elements whose making failed
// Of one part, of int32, int64 or string; InvalidArgument otherwise. Remembers all that it has
// seen.
Dataset unique(const Dataset& dataset);  // leaves out what was there before
// shuffle(buffer_size).repeat(count) in one stage.
Dataset shuffle_and_repeat(const Dataset& dataset, const Input& buffer_size,
                           const Input& count = -1, const OptionalInput& seed = {});
// Batches of elements of different shapes up to `row_shape` (-1: any) as sparse tensors.
Dataset dense_to_sparse_batch(const Dataset& dataset, const Input& batch_size,
                              const PartialShape& row_shape);
// Batches of `window_size` elements, each `window_stride` after the one before; the next batch
// begins `window_shift` elements later.
Dataset sliding_window_batch(const Dataset& dataset, const Input& window_size,
                             const Input& window_shift = 1, const Input& window_stride = 1);
// How long elements take, and how large they are, told to the aggregator of Options::stats under
// `tag`.
Dataset latency_stats(const Dataset& dataset, const Input& tag);
Dataset bytes_produced_stats(const Dataset& dataset, const Input& tag);
// Steps fail where an element does not have these shapes, which are known from then on.
Dataset assert_element_shape(const Dataset& dataset, const std::vector<PartialShape>& shapes);
// Throws InvalidArgument for a device that there is not.
Dataset prefetch_to_device(const Dataset& dataset, const std::string& device,
                           const OptionalInput& buffer_size = {});
Dataset copy_to_device(const Dataset& dataset, const std::string& target_device,
                       const std::string& source_device = "/cpu:0");

// --- functions on elements ---------------------------------------------------------------------
Dataset take_while(const Dataset& dataset, const ElementFunction& predicate);
// `f` gets the state and an element; returns the new state and what becomes an element. Shapes of
// the state are relaxed until they fit; types must stay. Throws InvalidArgument otherwise.
Dataset scan(const Dataset& dataset, const Components& initial_state, const ElementFunction& f);
// Only one of the two numbers may be given, else InvalidArgument.
struct MapAndBatchOptions {
  OptionalInput num_parallel_batches = {}, num_parallel_calls = {};
  Input drop_remainder = false;
  bool legacy = false;
};
Dataset map_and_batch(const Dataset& dataset, const ElementFunction& f, const Input& batch_size,
                      const MapAndBatchOptions& options = {});
// Buffers, where they are not given, are twice the block length and twice the cycle length.
struct ParallelInterleaveOptions {
  Input block_length = 1;
  Input sloppy = false;  // the order need not be the same every time
  OptionalInput buffer_output_elements = {}, prefetch_input_elements = {};
};
Dataset parallel_interleave(const Dataset& dataset, const ElementFunction& f,
                            const Input& cycle_length,
                            const ParallelInterleaveOptions& options = {});

// --- groups ------------------------------------------------------------------------------------
struct Reducer {
  ElementFunction init_func;      // the first state of a key
  ElementFunction reduce_func;    // the state and an element: the next state
  ElementFunction finalize_func;  // the last state: what becomes an element
};
Dataset group_by_reducer(const Dataset& dataset, const ElementFunction& key_func,
                         const Reducer& reducer);
// `reduce_func` gets a key and a dataset of a window of elements with that key.
Dataset group_by_window(const Dataset& dataset, const ElementFunction& key_func,
                        const ElementFunction& reduce_func,
                        const ElementFunction& window_size_func);
Dataset group_by_window(const Dataset& dataset, const ElementFunction& key_func,
                        const ElementFunction& reduce_func, std::int64_t window_size);
// no_padding: elements of a bucket must have one shape. pad_to_bucket_boundary pads to one less
// than the bucket's upper boundary; longer elements than the last boundary then fail the step.
// drop_remainder applies to each bucket.
struct BucketOptions {
  std::vector<PartialShape> padded_shapes = {};  // empty: those of the elements
  std::vector<OptionalInput> padding_values = {};
  bool pad_to_bucket_boundary = false;
  bool no_padding = false;
  bool drop_remainder = false;
};
// Batches of elements of like length, to save padding: elements shorter than bucket_boundaries[0]
// are in bucket 0, and so on. There is one batch size more than boundaries, else InvalidArgument.
Dataset bucket_by_sequence_length(const Dataset& dataset, const ElementFunction& element_length,
                                  const std::vector<std::int64_t>& bucket_boundaries,
                                  const std::vector<std::int64_t>& bucket_batch_sizes,
                                  const BucketOptions& options = {});

// Elements of `datasets`, each from the one that the next number of `choice_dataset`, int64
// scalars, says. Ends with the choices. Throws InvalidArgument where types differ or there are no
// datasets.
Dataset choose_from_datasets(const std::vector<Dataset>& datasets, const Dataset& choice_dataset);
// Elements of `datasets` at random; weights are a vector of floats, or none for all alike. A
// dataset that has come to its end is left out from then on.
Dataset sample_from_datasets(const std::vector<Dataset>& datasets,
                             const OptionalInput& weights = {}, const OptionalInput& seed = {});
Dataset sample_from_datasets(const std::vector<Dataset>& datasets, const Dataset& weights,
                             const OptionalInput& seed = {});
// Pairs of class and element, such that classes come as often as `target_dist` says.
Dataset rejection_resample(const Dataset& dataset, const ElementFunction& class_func,
                           const Input& target_dist, const OptionalInput& initial_dist = {},
                           std::optional<std::int64_t> seed = {});

// --- sources -----------------------------------------------------------------------------------
Dataset counter(const Input& start = 0, const Input& step = 1, DType dtype = DType::i64);
Dataset random(const OptionalInput& seed = {});  // int64 numbers, without end

// What batches of serialised examples hold, by the order of the names of the features.
Dataset parse_example_dataset(const Dataset& dataset, const Features& features,
                              const Input& num_parallel_calls = 1);
// Writes the strings of a dataset to a file of records.
Node& write_tf_record(const Dataset& dataset, const Input& filename,
                      const std::string& compression_type = "");

}  // namespace rill::data::experimental
