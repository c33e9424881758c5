#include "rill/api/functional/functional_ops.h"

#include "rill/api/functional/element_loop.h"
#include "rill/base/error.h"

namespace rill {
namespace {

Output plus_one(Output index) {
  return current_scope().add("AddV2", {index, 1}, {}, "add").output();
}
Output minus_one(Output index) {
  return current_scope().add("Sub", {index, 1}, {}, "sub").output();
}
Output is_less(Output index, const Count& limit) {
  return current_scope().add("Less", {index, limit.input()}).output();
}

// What `fn` returned, which must be as many tensors as `wanted` and of their types.
void check_results(const Inputs& results, const std::vector<DType>& wanted) {
  require(results.size() == wanted.size(), "The function returned ", results.size(),
          " tensors where ", wanted.size(), " are expected");
}

std::vector<DType> types_of(const std::vector<Output>& tensors) {
  std::vector<DType> types;
  for (const Output& tensor : tensors) types.push_back(base_type(tensor.dtype()));
  return types;
}

std::vector<Output> stacked(const std::vector<TensorArray>& arrays) {
  std::vector<Output> results;
  for (const TensorArray& array : arrays) results.push_back(array.stack());
  return results;
}

// The next values of what a loop carries.
std::vector<Output> carried(const Inputs& results) {
  std::vector<Output> tensors;
  for (const Input& result : results) tensors.push_back(as_tensor(result));
  return tensors;
}

// Functions of single tensors as functions of lists.
FoldFn as_fold(const std::function<Output(Output, Output)>& fn) {
  return [&fn](const std::vector<Output>& so_far, const std::vector<Output>& elems) {
    return std::vector<Input>{fn(so_far.at(0), elems.at(0))};
  };
}

}  // namespace

std::vector<Output> map_fn(const MapFn& fn, const Inputs& elems, const MapFnOptions& options,
                           std::source_location at) {
  const Block in(options.name, "map", at);
  const ElementArrays inputs = ElementArrays::of(elems, ElementOrder::kArraysFirst);
  const std::vector<DType> types = options.dtype.empty() ? types_of(inputs.tensors) : options.dtype;
  const Output first = current_scope().constant(Tensor::scalar<std::int32_t>(0));
  std::vector<TensorArray> arrays;
  for (const DType type : types)
    arrays.emplace_back(type, inputs.count.input(),
                        TensorArrayOptions{.infer_shape = options.infer_shape});
  const ElementLoopResults last = loop_over_elements(
      inputs.count, first, [&](Output index) { return is_less(index, inputs.count); },
      [&](Output index, std::vector<Output>&, std::vector<TensorArray>& written) {
        const std::vector<Input> results = fn(inputs.read(index));
        check_results(results, types);
        for (std::size_t i = 0; i < results.size(); ++i)
          written[i] = written[i].write(index, results[i]);
        return plus_one(index);
      },
      {}, arrays, options);
  std::vector<Output> results = stacked(last.arrays);
  inputs.set_rows(results);
  return results;
}

std::vector<Output> foldl(const FoldFn& fn, const Inputs& elems, const FoldOptions& options,
                          std::source_location at) {
  const Block in(options.name, "foldl", at);
  const ElementArrays inputs = ElementArrays::of(elems, ElementOrder::kOneByOne);
  std::vector<Input> initial;
  if (options.initializer) {
    initial = *options.initializer;
  } else {
    const std::vector<Output> read = inputs.read(0);
    initial.assign(read.begin(), read.end());
  }
  const Output first =
      current_scope().constant(Tensor::scalar<std::int32_t>(options.initializer ? 0 : 1));
  return loop_over_elements(
             inputs.count, first, [&](Output index) { return is_less(index, inputs.count); },
             [&](Output index, std::vector<Output>& so_far, std::vector<TensorArray>&) {
               const std::vector<DType> types = types_of(so_far);
               const std::vector<Input> results = fn(so_far, inputs.read(index));
               check_results(results, types);
               const Output next = plus_one(index);
               so_far = carried(results);
               return next;
             },
             initial, {}, options)
      .carried;
}

std::vector<Output> foldr(const FoldFn& fn, const Inputs& elems, const FoldOptions& options,
                          std::source_location at) {
  const Block in(options.name, "foldr", at);
  const ElementArrays inputs = ElementArrays::of(elems, ElementOrder::kOneByOne);
  Count first = inputs.count;
  std::vector<Input> initial;
  if (options.initializer) {
    initial = *options.initializer;
  } else {
    first = inputs.count.minus(1);
    const std::vector<Output> read = inputs.read(first.input());
    initial.assign(read.begin(), read.end());
  }
  return loop_over_elements(
             inputs.count, first.input(),
             [](Output index) {
               return current_scope().add("Greater", {index, 0}).output();
             },
             [&](Output index, std::vector<Output>& so_far, std::vector<TensorArray>&) {
               const Output next = minus_one(index);
               const std::vector<DType> types = types_of(so_far);
               const std::vector<Input> results = fn(so_far, inputs.read(next));
               check_results(results, types);
               so_far = carried(results);
               return next;
             },
             initial, {}, options)
      .carried;
}

std::vector<Output> scan(const FoldFn& fn, const Inputs& elems, const ScanOptions& options,
                         std::source_location at) {
  const Block in(options.name, "scan", at);
  const ElementArrays inputs = ElementArrays::of(elems, ElementOrder::kArraysFirst, true);
  const auto end = [&] { return options.reverse ? inputs.count.minus(1) : Count(0); };
  std::vector<Output> initial;
  if (options.initializer) {
    for (const Input& value : *options.initializer) initial.push_back(as_tensor(value));
  } else {
    initial = inputs.read(end().input());
  }
  std::vector<TensorArray> arrays;
  for (const Output& value : initial)
    arrays.emplace_back(
        base_type(value.dtype()), inputs.count.input(),
        TensorArrayOptions{.infer_shape = options.infer_shape,
                           .element_shape = options.infer_shape ? value.shape() : PartialShape()});
  if (!options.initializer)
    for (std::size_t i = 0; i < arrays.size(); ++i)
      arrays[i] = arrays[i].write(end().input(), initial[i]);
  const std::int64_t done = options.initializer ? 0 : 1;
  const Count first = options.reverse ? inputs.count.minus(1).minus(done) : Count(done);
  const ElementLoopResults last = loop_over_elements(
      inputs.count, first.input(),
      [&](Output index) {
        if (!options.reverse) return is_less(index, inputs.count);
        return current_scope().add("GreaterEqual", {index, 0}).output();
      },
      [&](Output index, std::vector<Output>& so_far, std::vector<TensorArray>& written) {
        const std::vector<DType> types = types_of(so_far);
        const std::vector<Input> results = fn(so_far, inputs.read(index));
        check_results(results, types);
        for (std::size_t i = 0; i < written.size(); ++i)
          written[i] = written[i].write(index, results[i]);
        const Output next = options.reverse ? minus_one(index) : plus_one(index);
        so_far = carried(results);
        return next;
      },
      {initial.begin(), initial.end()}, arrays, options);
  std::vector<Output> results = stacked(last.arrays);
  inputs.set_rows(results);
  return results;
}

Output map_fn(const std::function<Output(Output)>& fn, const Input& elems,
              const MapFnOptions& options, std::source_location at) {
  const MapFn of_list = [&](const std::vector<Output>& all) {
    return std::vector<Input>{fn(all.at(0))};
  };
  return map_fn(of_list, std::vector<Input>{elems}, options, at).at(0);
}

Output foldl(const std::function<Output(Output, Output)>& fn, const Input& elems,
             const FoldOptions& options, std::source_location at) {
  return foldl(as_fold(fn), std::vector<Input>{elems}, options, at).at(0);
}

Output foldr(const std::function<Output(Output, Output)>& fn, const Input& elems,
             const FoldOptions& options, std::source_location at) {
  return foldr(as_fold(fn), std::vector<Input>{elems}, options, at).at(0);
}

Output scan(const std::function<Output(Output, Output)>& fn, const Input& elems,
            const ScanOptions& options, std::source_location at) {
  return scan(as_fold(fn), std::vector<Input>{elems}, options, at).at(0);
}

}  // namespace rill
