#include "rill/api/functional/batch_function.h"

#include "rill/api/gen/batch.h"
#include "rill/base/error.h"
#include "rill/graph/function_define.h"

namespace rill {
namespace {

// Any number of rows.
PartialShape shape_of_batches(const PartialShape& shape) {
  if (!shape.has_rank()) return shape;
  require(shape.rank() > 0, "arguments of a batched function have rows; a scalar has none");
  PartialShape batches = {kUnknownDim};
  for (const std::int64_t dim : shape.dims().subspan(1)) batches.add_dim(dim);
  return batches;
}

}  // namespace

BatchedFunction nondifferentiable_batch_function(std::int64_t num_batch_threads,
                                                 std::int64_t max_batch_size,
                                                 std::int64_t batch_timeout_micros,
                                                 BatchedFunction fn,
                                                 const BatchFunctionOptions& options) {
  return [=, fn = std::move(fn)](const std::vector<Output>& args) -> std::vector<Output> {
    Graph& graph = *default_graph();
    FunctionBuilder builder(graph);
    std::vector<Output> arguments;
    for (const Output& arg : args)
      arguments.push_back(builder.add_argument(
          base_type(arg.dtype()), str_cat("arg", arguments.size()), shape_of_batches(arg.shape())));
    std::vector<Output> results;
    {
      const AsDefault inside(builder.body());
      results = fn(arguments);
    }
    std::vector<DType> types;
    for (const Output& result : results) types.push_back(base_type(result.dtype()));
    Function function =
        builder.finish(results, {.base_name = "batched_function", .order_effects = true});
    const std::string name = function.name();
    define_function(graph, std::move(function));
    const NameScope batch("batch");
    return raw::BatchFunction(args, builder.captured(), FuncName{name, {}}, num_batch_threads,
                              max_batch_size, batch_timeout_micros, types,
                              {.max_enqueued_batches = options.max_enqueued_batches,
                               .allowed_batch_sizes = options.allowed_batch_sizes,
                               .shared_name = current_scope().name() + "/"});
  };
}

}  // namespace rill
