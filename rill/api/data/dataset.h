#pragma once

#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/shape_input.h"
#include "rill/api/data/element_function.h"
#include "rill/api/data/options.h"

namespace rill::data {

class Iterator;

inline constexpr std::int64_t kAutotune = -1;  // AUTOTUNE: the runtime chooses

struct MapOptions {
  std::optional<Input> num_parallel_calls = {};  // none: one after the other
  bool legacy = false;                           // effects inside are not put in order
  bool preserve_cardinality = true;
};
struct InterleaveOptions {
  Input cycle_length = kAutotune;
  Input block_length = 1;
  std::optional<Input> num_parallel_calls = {};
};
struct BatchOptions {
  Input drop_remainder = false;
};
struct PaddedBatchOptions {
  std::vector<std::optional<Input>> padding_values = {};  // none: zeros and empty strings
  Input drop_remainder = false;
};
struct ShuffleOptions {
  std::optional<Input> seed = {};
  bool reshuffle_each_iteration = true;
};
struct WindowOptions {
  std::optional<Input> shift = {};  // as many as `size`
  Input stride = 1;
  Input drop_remainder = false;
};
struct ListFilesOptions {
  bool shuffle = true;
  std::optional<Input> seed = {};
};
struct GeneratorFunctions {
  ElementFunction init, next, finalize;
};

// A sequence of elements, each made of parts, as a value of the default graph: describes where
// elements come from; iterators walk through them.
class Dataset {
 public:
  Dataset(Output variant, ElementSpec element, Options options = {})
      : variant_(variant), element_(std::move(element)), options_(std::move(options)) {}
  static Dataset of(const Component& part);  // throws InvalidArgument where the part is no dataset
  operator Component() const { return Nested{ComponentKind::kDataset, variant_, element_}; }

  Output variant() const { return variant_; }
  const ElementSpec& element() const { return element_; }
  const Options& options() const { return options_; }

  // --- where elements come from ----------------------------------------------------------------
  static Dataset from_tensors(const Components& parts);        // one element
  static Dataset from_tensor_slices(const Components& parts);  // the rows
  static Dataset from_sparse_tensor_slices(const SparseTensor& sparse);
  static Dataset range(const Input& stop) { return range(0, stop); }
  static Dataset range(const Input& start, const Input& stop, const Input& step = 1);
  static Dataset zip(const std::vector<Dataset>& datasets);
  static Dataset list_files(const Input& file_pattern, const ListFilesOptions& options = {});
  // What `next` makes of what `init` made, until it raises OutOfRange; `init` gets `argument`.
  static Dataset from_functions(const Components& argument, const GeneratorFunctions& functions,
                                const ElementSpec& element);
  // A generator gives elements until it gives none; `start` makes one for each iteration.
  using Generator = std::function<std::optional<std::vector<Tensor>>()>;
  static Dataset from_generator(std::function<Generator()> start, const ElementSpec& element);

  // --- what is done to them --------------------------------------------------------------------
  Dataset concatenate(const Dataset& other) const;
  Dataset repeat(const Input& count = -1) const;
  Dataset take(const Input& count) const;
  Dataset skip(const Input& count) const;
  Dataset shard(const Input& num_shards, const Input& index) const;
  Dataset batch(const Input& batch_size, const BatchOptions& options = {}) const;
  // One shape for each part; -1 pads to the longest of the batch.
  Dataset padded_batch(const Input& batch_size, const std::vector<ShapeInput>& padded_shapes,
                       const PaddedBatchOptions& options = {}) const;
  Dataset unbatch() const;
  Dataset shuffle(const Input& buffer_size, const ShuffleOptions& options = {}) const;
  Dataset cache(const Input& filename = "") const;
  Dataset prefetch(const Input& buffer_size) const;
  Dataset window(const Input& size, const WindowOptions& options = {}) const;
  Dataset enumerate(const Input& start = 0) const;
  Dataset with_options(const Options& options) const;
  template <class F>
  auto apply(F transformation) const {
    return transformation(*this);
  }

  Dataset map(const ElementFunction& f, const MapOptions& options = {}) const;
  Dataset flat_map(const ElementFunction& f) const;
  Dataset interleave(const ElementFunction& f, const InterleaveOptions& options = {}) const;
  Dataset filter(const ElementFunction& predicate, bool legacy = false) const;
  // `f` gets the parts of the state so far, then those of an element.
  Components reduce(const Components& initial_state, const ElementFunction& f) const;

  // --- how to walk through them ----------------------------------------------------------------
  // Needs no initializer. Throws InvalidArgument where the dataset depends on variables, tables or
  // placeholders.
  Iterator make_one_shot_iterator() const;
  Iterator make_initializable_iterator(const std::string& shared_name = "") const;
  Output cardinality() const;  // int64: how many; -1 without end, -2 not known
  // The parts of the only element.
  Components get_single_element() const;

  // The same with what the options ask for.
  Dataset with_options_applied() const;
  // The same elements described otherwise.
  Dataset with_element(ElementSpec element) const {
    return {variant_, std::move(element), options_};
  }

 private:
  Output variant_;
  ElementSpec element_;
  Options options_;
};

}  // namespace rill::data
