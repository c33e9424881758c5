#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/runtime/session/session.h"

// tf.test: what tests of programs ask for. rill/testing.h has the macros for GoogleTest.
namespace rill::test {

// The derivatives of each element of y by each of x, [elements of x, elements of y].
struct Jacobians {
  Tensor theoretical;  // as gradients() has them
  Tensor numeric;      // as small steps of x show them
};
struct GradientOptions {
  std::optional<Tensor> x_init_value{};  // where; a random place in [0, 1) when absent
  double delta = 0.001;
  std::vector<Feed> extra_feeds{};
};
// Of float and double tensors whose shapes are fully known. x is fed; variables must have their
// values. Throws InvalidArgument for other types and shapes.
Jacobians compute_gradient(Session& session, Output x, Output y,
                           const GradientOptions& options = {});
// The largest difference between the two.
double compute_gradient_error(Session& session, Output x, Output y,
                              const GradientOptions& options = {});

// Throws InvalidArgument that names what differs, unless both graphs have the same nodes, in
// whatever order.
void assert_equal_graph_def(const Graph& actual, const Graph& expected);

// A directory for this process's test files, made on the first call.
std::string get_temp_dir();

// "" where there is no GPU; Rill has kernels for CPUs only.
std::string gpu_device_name();
bool is_gpu_available();
bool is_built_with_cuda();
inline bool is_built_with_gpu_support() { return is_built_with_cuda(); }
inline bool is_built_with_rocm() { return false; }

// How two tensors differ: "" where they have the same type and shape and elements within atol +
// rtol * |expected|; NaN equals NaN.
std::string difference(const Tensor& actual, const Tensor& expected, double atol = 1e-6,
                       double rtol = 1e-6);

}  // namespace rill::test
