#include "rill/api/functional/vectorized_map.h"

#include "rill/graph/function_define.h"

namespace rill {
namespace {

PartialShape shape_of_rows(const PartialShape& shape) {
  return shape.has_rank() && shape.rank() > 0 ? PartialShape(shape.dims().subspan(1))
                                              : PartialShape();
}

// Builds `fn` for one element, in a graph that is thrown away.
std::vector<DType> result_types(const MapFn& fn, const std::vector<Output>& elems) {
  FunctionBuilder builder(*default_graph());
  std::vector<Output> arguments;
  for (const Output& elem : elems)
    arguments.push_back(builder.add_argument(
        base_type(elem.dtype()), str_cat("arg", arguments.size()), shape_of_rows(elem.shape())));
  const AsDefault inside(builder.body());
  std::vector<DType> types;
  for (const Input& result : fn(arguments)) types.push_back(base_type(as_tensor(result).dtype()));
  return types;
}

}  // namespace

std::vector<Output> vectorized_map(const MapFn& fn, const Inputs& elems, std::source_location at) {
  const MadeAt made(at);
  const std::vector<Output> tensors = as_tensors(elems, "elems");
  return map_fn(fn, tensors, {.dtype = result_types(fn, tensors)}, at);
}

Output vectorized_map(const std::function<Output(Output)>& fn, const Input& elems,
                      std::source_location at) {
  const MapFn of_list = [&fn](const std::vector<Output>& x) { return Inputs{fn(x.at(0))}; };
  return vectorized_map(of_list, {elems}, at).at(0);
}

}  // namespace rill
