#pragma once

#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill {

// As of while_loop. Iterations of map_fn overlap, up to parallel_iterations; those of folds and
// scans wait for what they carry.
struct ElementLoopOptions {
  int parallel_iterations = 10;
  bool back_prop = true;
  bool swap_memory = false;
};

// Gets the i-th elements of all inputs.
using MapFn = std::function<Inputs(const std::vector<Output>& elems)>;
// Gets what was computed so far as well.
using FoldFn =
    std::function<Inputs(const std::vector<Output>& so_far, const std::vector<Output>& elems)>;

struct MapFnOptions {
  int parallel_iterations = 10;
  bool back_prop = true;
  bool swap_memory = false;
  std::vector<DType> dtype = {};  // of the results; empty: those of `elems`
  bool infer_shape = true;        // all results have the shape of the first
  std::string name = {};

  operator ElementLoopOptions() const {
    return {.parallel_iterations = parallel_iterations,
            .back_prop = back_prop,
            .swap_memory = swap_memory};
  }
};
// fn applied to the elements of `elems` along the first dimension, the results stacked. `fn` is
// called once, to build the body of a loop.
//
//   Output squares = map_fn([](Output x) { return x * x; }, Input(v));
//
// Throws InvalidArgument for scalars or no inputs, where sizes are known to differ, and when `fn`
// returns other numbers or types of tensors than promised: results of other types than `elems` need
// `dtype`. A function of whole tensors is faster than a loop where there is one.
std::vector<Output> map_fn(const MapFn& fn, const Inputs& elems, const MapFnOptions& options = {},
                           std::source_location at = std::source_location::current());
Output map_fn(const std::function<Output(Output)>& fn, const Input& elems,
              const MapFnOptions& options = {},
              std::source_location at = std::source_location::current());

struct FoldOptions {
  int parallel_iterations = 10;
  bool back_prop = true;
  bool swap_memory = false;
  std::optional<std::vector<Input>> initializer = {};  // else the first elements
  std::string name = {};

  operator ElementLoopOptions() const {
    return {.parallel_iterations = parallel_iterations,
            .back_prop = back_prop,
            .swap_memory = swap_memory};
  }
};
// The last value of so_far = fn(so_far, elems), from the first element to the last (foldl) or from
// the last to the first (foldr). Without an initializer the first element begins, and there must be
// one.
std::vector<Output> foldl(const FoldFn& fn, const Inputs& elems, const FoldOptions& options = {},
                          std::source_location at = std::source_location::current());
std::vector<Output> foldr(const FoldFn& fn, const Inputs& elems, const FoldOptions& options = {},
                          std::source_location at = std::source_location::current());
Output foldl(const std::function<Output(Output, Output)>& fn, const Input& elems,
             const FoldOptions& options = {},
             std::source_location at = std::source_location::current());
Output foldr(const std::function<Output(Output, Output)>& fn, const Input& elems,
             const FoldOptions& options = {},
             std::source_location at = std::source_location::current());

struct ScanOptions {
  int parallel_iterations = 10;
  bool back_prop = true;
  bool swap_memory = false;
  std::optional<std::vector<Input>> initializer = {};
  bool infer_shape = true;
  bool reverse = false;
  std::string name = {};

  operator ElementLoopOptions() const {
    return {.parallel_iterations = parallel_iterations,
            .back_prop = back_prop,
            .swap_memory = swap_memory};
  }
};
// All values of so_far = fn(so_far, elems), stacked: as many as there are elements, the initializer
// not among them. With `reverse` from the last element, whose result stays in its place.
std::vector<Output> scan(const FoldFn& fn, const Inputs& elems, const ScanOptions& options = {},
                         std::source_location at = std::source_location::current());
Output scan(const std::function<Output(Output, Output)>& fn, const Input& elems,
            const ScanOptions& options = {},
            std::source_location at = std::source_location::current());

}  // namespace rill
