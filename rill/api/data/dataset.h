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

// Numbers may be tensors. With parallel calls elements keep their order, unless
// Options::deterministic is false.
struct MapOptions {
  OptionalInput num_parallel_calls = {};  // none: one after the other
  bool legacy = false;                    // effects inside are not put in order
  bool preserve_cardinality = true;
};
// `cycle_length` inputs are open at a time, and `block_length` elements in a row come from each.
struct InterleaveOptions {
  Input cycle_length = kAutotune;
  Input block_length = 1;
  OptionalInput num_parallel_calls = {};
};
struct BatchOptions {
  Input drop_remainder = false;
};
struct PaddedBatchOptions {
  std::vector<OptionalInput> padding_values = {};  // none: zeros and empty strings
  Input drop_remainder = false;
};
struct ShuffleOptions {
  OptionalInput seed = {};
  bool reshuffle_each_iteration = true;
};
struct WindowOptions {
  OptionalInput shift = {};  // as many as `size`
  Input stride = 1;
  Input drop_remainder = false;
};
struct ListFilesOptions {
  bool shuffle = true;
  OptionalInput seed = {};
};
struct GeneratorFunctions {
  ElementFunction init, next, finalize;
};

// A sequence of elements, each made of parts, as a value of the default graph: describes where
// elements come from; iterators walk through them.
//
//   auto data = data::Dataset::from_tensor_slices({x, y})
//                   .shuffle(1000)
//                   .map([](Output x, Output y) { return std::vector<Output>{x / 255.0F, y}; })
//                   .batch(32)
//                   .prefetch(1);
//   std::vector<Output> next = data.make_one_shot_iterator().next_tensors();
//
// Cheap to copy. Each function adds a node and returns a new dataset; this one stays as it is. They
// throw InvalidArgument when arguments do not fit the elements; what fails while elements are made
// fails the step that asks for them. A number below 1 for a size, such as of batches, fails the
// step that makes the iterator.
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
  // Tensors become constants of the graph where they are no tensors yet: large arrays are better
  // fed, or read from files.
  static Dataset from_tensors(
      const Components& parts,
      std::source_location at = std::source_location::current());  // one element
  static Dataset from_tensor_slices(
      const Components& parts,
      std::source_location at = std::source_location::current());  // the rows
  static Dataset from_sparse_tensor_slices(
      const SparseTensor& sparse, std::source_location at = std::source_location::current());
  static Dataset range(const Input& stop,
                       std::source_location at = std::source_location::current()) {
    return range(0, stop, 1, at);
  }
  // int64 numbers from start to below stop; none where the step leads away.
  static Dataset range(const Input& start, const Input& stop, const Input& step = 1,
                       std::source_location at = std::source_location::current());
  // Elements side by side; ends with the shortest. Parts are those of all datasets in a row.
  static Dataset zip(const std::vector<Dataset>& datasets,
                     std::source_location at = std::source_location::current());
  // Names of files; the step that makes the iterator fails where none matches. In random order by
  // default: set shuffle to false, or a seed, for the same order each time.
  static Dataset list_files(const Input& file_pattern, const ListFilesOptions& options = {},
                            std::source_location at = std::source_location::current());
  // What `next` makes of what `init` made, until it raises OutOfRange; `init` gets `argument`,
  // `finalize` is called when an iteration ends.
  static Dataset from_functions(const Components& argument, const GeneratorFunctions& functions,
                                const ElementSpec& element,
                                std::source_location at = std::source_location::current());
  // A generator gives elements until it gives none; `start` makes one for each iteration. Runs on
  // threads of the session, one call at a time for each iteration; works in this process only.
  using Generator = std::function<std::optional<std::vector<Tensor>>()>;
  static Dataset from_generator(std::function<Generator()> start, const ElementSpec& element,
                                std::source_location at = std::source_location::current());

  // --- what is done to them --------------------------------------------------------------------
  Dataset concatenate(const Dataset& other,
                      std::source_location at = std::source_location::current()) const;
  // -1: without end. take(-1) takes all, skip(-1) leaves none.
  Dataset repeat(const Input& count = -1,
                 std::source_location at = std::source_location::current()) const;
  Dataset take(const Input& count, std::source_location at = std::source_location::current()) const;
  Dataset skip(const Input& count, std::source_location at = std::source_location::current()) const;
  // Every num_shards-th element, from the index-th on. Before a shuffle, so that shards do not
  // share elements.
  Dataset shard(const Input& num_shards, const Input& index,
                std::source_location at = std::source_location::current()) const;
  // `batch_size` elements as rows of one; all must have one shape, else the step fails. The last
  // batch is smaller, unless drop_remainder; only then the number of rows is known statically.
  Dataset batch(const Input& batch_size, const BatchOptions& options = {},
                std::source_location at = std::source_location::current()) const;
  // One shape for each part; -1 pads to the longest of the batch. The step fails where an element
  // is larger. Only for tensors.
  Dataset padded_batch(const Input& batch_size, const std::vector<ShapeInput>& padded_shapes,
                       const PaddedBatchOptions& options = {},
                       std::source_location at = std::source_location::current()) const;
  // The rows of each element as elements.
  Dataset unbatch(std::source_location at = std::source_location::current()) const;
  // Draws each element from a buffer of the next `buffer_size`: the whole is in random order only
  // if all fit. Without a seed, and without one of the graph, orders differ each time.
  Dataset shuffle(const Input& buffer_size, const ShuffleOptions& options = {},
                  std::source_location at = std::source_location::current()) const;
  // Keeps elements, in memory or in the file, as the first iteration makes them; it must come to
  // its end once before others read from it.
  Dataset cache(const Input& filename = "",
                std::source_location at = std::source_location::current()) const;
  // Makes elements ahead on another thread while steps run.
  Dataset prefetch(const Input& buffer_size,
                   std::source_location at = std::source_location::current()) const;
  // Datasets of `size` elements in a row, one for each part.
  Dataset window(const Input& size, const WindowOptions& options = {},
                 std::source_location at = std::source_location::current()) const;
  Dataset enumerate(const Input& start = 0,
                    std::source_location at = std::source_location::current()) const;
  // Takes effect where an iterator is made, for the whole pipeline.
  Dataset with_options(const Options& options) const;
  template <class F>
  auto apply(F transformation) const {
    return transformation(*this);
  }

  // `f` is called once, to build a function of the graph; it runs for each element.
  Dataset map(const ElementFunction& f, const MapOptions& options = {},
              std::source_location at = std::source_location::current()) const;
  // `f` makes a dataset of each element; their elements in a row.
  Dataset flat_map(const ElementFunction& f,
                   std::source_location at = std::source_location::current()) const;
  Dataset interleave(const ElementFunction& f, const InterleaveOptions& options = {},
                     std::source_location at = std::source_location::current()) const;
  // `predicate` returns one bool scalar.
  Dataset filter(const ElementFunction& predicate, bool legacy = false,
                 std::source_location at = std::source_location::current()) const;
  // `f` gets the parts of the state so far, then those of an element.
  Components reduce(const Components& initial_state, const ElementFunction& f,
                    std::source_location at = std::source_location::current()) const;

  // Begins by itself in each session. Throws InvalidArgument where the dataset depends on
  // variables, tables or placeholders.
  Iterator make_one_shot_iterator(std::source_location at = std::source_location::current()) const;
  // Begins when a step runs its initializer(), and begins again with each further one. Iterators of
  // one shared_name are one in all sessions of a server.
  Iterator make_initializable_iterator(
      const std::string& shared_name = "",
      std::source_location at = std::source_location::current()) const;
  // Of what the graph says; files are not looked into.
  Output cardinality(std::source_location at = std::source_location::current())
      const;  // int64: how many; -1 without end, -2 not known
  // The parts of the only element; the step fails where there are none or several.
  Components get_single_element(std::source_location at = std::source_location::current()) const;

  // The same with nodes for what the options ask for; iterators do so themselves.
  Dataset with_options_applied(std::source_location at = std::source_location::current()) const;
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
