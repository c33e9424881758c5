#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// Weights change by as much as there are of them.
Shapes step_shapes(const ShapeCtx& c) {
  const auto sparse = static_cast<int>(c.attr<std::int64_t>("num_sparse_features"));
  const auto valued = static_cast<int>(c.attr<std::int64_t>("num_sparse_features_with_values"));
  const auto dense = static_cast<int>(c.attr<std::int64_t>("num_dense_features"));
  const int weights_begin = 2 * sparse + valued + dense;  // of examples
  c.vector(weights_begin);
  c.vector(weights_begin + 1);
  const int sparse_begin = weights_begin + 2 + sparse;
  Shapes shapes{PartialShape{kUnknownDim, 4}};
  for (int i = 0; i < sparse + dense; ++i) shapes.push_back(c.input(sparse_begin + i));
  c.with_rank(sparse_begin + sparse + dense, 2);
  return shapes;
}

Shapes fingerprint_shape(const ShapeCtx& c) {
  const PartialShape& input = c.input(0);
  if (!input.has_rank()) return {PartialShape()};
  PartialShape shape = input;
  shape.add_dim(2);
  return {shape};
}

}  // namespace

extern constexpr OpDecl kSdcaOptimizer{
    .name = "SdcaOptimizer",
    .doc =
        "Passes over a batch of examples and improves their dual variables (example_state_data "
        "holds dual, primal loss, dual loss and weight of each); gives these and by how much "
        "the weights of the features change.",
    .inputs = {"sparse_example_indices: num_sparse_features * int64",
               "sparse_feature_indices: num_sparse_features * int64",
               "sparse_feature_values: num_sparse_features_with_values * float",
               "dense_features: num_dense_features * float", "example_weights: float",
               "example_labels: float", "sparse_indices: num_sparse_features * int64",
               "sparse_weights: num_sparse_features * float",
               "dense_weights: num_dense_features * float", "example_state_data: float"},
    .outputs = {"out_example_state_data: float",
                "out_delta_sparse_weights: num_sparse_features * float",
                "out_delta_dense_weights: num_dense_features * float"},
    .attrs = {"loss_type: {'logistic_loss', 'squared_loss', 'hinge_loss', 'smooth_hinge_loss', "
              "'poisson_loss'}",
              "adaptative: bool = false", "num_sparse_features: int >= 0",
              "num_sparse_features_with_values: int >= 0", "num_dense_features: int >= 0",
              "l1: float", "l2: float", "num_loss_partitions: int >= 1",
              "num_inner_iterations: int >= 1"},
    .traits = kLongRunning,
    .shape = step_shapes,
    .grad = not_differentiable,
};
static_assert(well_formed(kSdcaOptimizer));

extern constexpr OpDecl kSdcaOptimizerV2{
    .name = "SdcaOptimizerV2",
    .doc = "SdcaOptimizer, with the attribute `adaptive` spelt so.",
    .inputs = {"sparse_example_indices: num_sparse_features * int64",
               "sparse_feature_indices: num_sparse_features * int64",
               "sparse_feature_values: num_sparse_features_with_values * float",
               "dense_features: num_dense_features * float", "example_weights: float",
               "example_labels: float", "sparse_indices: num_sparse_features * int64",
               "sparse_weights: num_sparse_features * float",
               "dense_weights: num_dense_features * float", "example_state_data: float"},
    .outputs = {"out_example_state_data: float",
                "out_delta_sparse_weights: num_sparse_features * float",
                "out_delta_dense_weights: num_dense_features * float"},
    .attrs = {"loss_type: {'logistic_loss', 'squared_loss', 'hinge_loss', 'smooth_hinge_loss', "
              "'poisson_loss'}",
              "adaptive: bool = false", "num_sparse_features: int >= 0",
              "num_sparse_features_with_values: int >= 0", "num_dense_features: int >= 0",
              "l1: float", "l2: float", "num_loss_partitions: int >= 1",
              "num_inner_iterations: int >= 1"},
    .traits = kLongRunning,
    .shape = step_shapes,
    .grad = not_differentiable,
};
static_assert(well_formed(kSdcaOptimizerV2));

extern constexpr OpDecl kSdcaShrinkL1{
    .name = "SdcaShrinkL1",
    .doc = "Moves weights towards 0 by l1 / l2, in place.",
    .inputs = {"weights: Ref(num_features * float)"},
    .attrs = {"num_features: int >= 0", "l1: float", "l2: float"},
    .shape = no_outputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kSdcaShrinkL1));

extern constexpr OpDecl kSdcaFprint{
    .name = "SdcaFprint",
    .doc = "128-bit fingerprints of strings, as two numbers each.",
    .inputs = {"input: string"},
    .outputs = {"output: int64"},
    .traits = kPure,
    .shape = fingerprint_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kSdcaFprint));

}  // namespace rill
