#include "rill/api/test/gradient_check.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>

#include "rill/api/core/gradients.h"
#include "rill/api/gen/array.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"

namespace rill::test {
namespace {

double number_at(const Tensor& t, std::int64_t i) {
  return t.dtype() == DType::f64 ? t.data<double>()[i] : static_cast<double>(t.data<float>()[i]);
}
void set_number(Tensor& t, std::int64_t i, double value) {
  if (t.dtype() == DType::f64)
    t.data<double>()[i] = value;
  else
    t.data<float>()[i] = static_cast<float>(value);
}

Tensor copy_of(const Tensor& t) {
  Tensor copy(t.dtype(), t.shape());
  for (std::int64_t i = 0; i < t.element_count(); ++i) set_number(copy, i, number_at(t, i));
  return copy;
}

Shape known_shape(Output x) {
  require(x.dtype() == DType::f32 || x.dtype() == DType::f64,
          "gradients are checked of float and double tensors, not of ", x.name(), " of type ",
          dtype_name(x.dtype()));
  const PartialShape shape = x.shape();
  require(shape.is_full(), "the shape of ", x.name(), " is ", shape,
          "; checking its gradient needs to know it");
  return shape.full();
}

Tensor random_place(DType dtype, const Shape& shape) {
  Tensor place(dtype, shape);
  std::mt19937 chance(1);
  std::uniform_real_distribution<double> number(0, 1);
  for (std::int64_t i = 0; i < place.element_count(); ++i) set_number(place, i, number(chance));
  return place;
}

// One step of the session with x at a place, and other feeds.
class Steps {
 public:
  Steps(Session& session, Output x, std::vector<Feed> feeds)
      : session_(session), x_(x), feeds_(std::move(feeds)) {}
  Tensor run(const Tensor& at, Output fetch, std::vector<Feed> more = {}) const {
    std::vector<Feed> feeds = feeds_;
    feeds.push_back({x_, at});
    feeds.insert(feeds.end(), more.begin(), more.end());
    return session_.run(feeds, std::array{fetch}, {}).at(0);
  }

 private:
  Session& session_;
  Output x_;
  std::vector<Feed> feeds_;
};

Tensor numeric_jacobian(const Steps& steps, const Tensor& at, Output y, std::int64_t columns,
                        double delta) {
  Tensor jacobian(DType::f64, Shape{at.element_count(), columns});
  for (std::int64_t row = 0; row < at.element_count(); ++row) {
    Tensor moved = copy_of(at);
    set_number(moved, row, number_at(at, row) + delta);
    const Tensor above = steps.run(moved, y);
    Tensor back = copy_of(at);
    set_number(back, row, number_at(at, row) - delta);
    const Tensor below = steps.run(back, y);
    for (std::int64_t i = 0; i < columns; ++i)
      jacobian.data<double>()[row * columns + i] =
          (number_at(above, i) - number_at(below, i)) / (2 * delta);
  }
  return jacobian;
}

void add_column(Tensor& jacobian, std::int64_t column, const Tensor& gradient) {
  const std::int64_t columns = jacobian.dim(1);
  for (std::int64_t row = 0; row < jacobian.dim(0); ++row)
    jacobian.data<double>()[row * columns + column] = number_at(gradient, row);
}

Tensor theoretical_jacobian(const Steps& steps, const Tensor& at, Output x, Output y,
                            const Shape& y_shape) {
  Tensor jacobian = Tensor::zeros(DType::f64, Shape{at.element_count(), y_shape.element_count()});
  const Tensor ones = copy_of(Tensor::zeros(y.dtype(), y_shape));
  const Output dy = raw::Identity(Input(ones));
  const Gradient gradient = rill::gradients({y}, {x}, {.grad_ys = {dy}}).at(0);
  if (gradient.empty()) return jacobian;
  require(!gradient.is_slices(), "the gradient of ", y.name(), " by ", x.name(), " is sparse");
  for (std::int64_t i = 0; i < y_shape.element_count(); ++i) {
    Tensor one_each = Tensor::zeros(y.dtype(), y_shape);
    set_number(one_each, i, 1);
    add_column(jacobian, i, steps.run(at, gradient.dense(), {{dy, one_each}}));
  }
  return jacobian;
}

}  // namespace

Jacobians compute_gradient(Session& session, Output x, Output y, const GradientOptions& options) {
  const Shape x_shape = known_shape(x), y_shape = known_shape(y);
  const Tensor at = options.x_init_value.value_or(random_place(x.dtype(), x_shape));
  require(at.dtype() == x.dtype() && at.shape() == x_shape, "x_init_value has type ",
          dtype_name(at.dtype()), " and shape ", at.shape(), ", but x has ", dtype_name(x.dtype()),
          " and ", x_shape);
  const Steps steps(session, x, options.extra_feeds);
  Tensor numeric = numeric_jacobian(steps, at, y, y_shape.element_count(), options.delta);
  return {theoretical_jacobian(steps, at, x, y, y_shape), std::move(numeric)};
}

double compute_gradient_error(Session& session, Output x, Output y,
                              const GradientOptions& options) {
  const Jacobians both = compute_gradient(session, x, y, options);
  double error = 0;
  for (std::int64_t i = 0; i < both.numeric.element_count(); ++i) {
    const double apart =
        std::abs(both.numeric.data<double>()[i] - both.theoretical.data<double>()[i]);
    error = std::isnan(apart) ? apart : std::max(error, apart);
  }
  return error;
}

// --- graphs, files, devices ----------------------------------------------------------------------

namespace {

std::map<std::string, std::string> nodes_of(const Graph& graph) {
  std::map<std::string, std::string> nodes;
  for (const auto& node : graph.nodes()) {
    std::string text = str_cat(node->op().name, " on '", node->device(), "' of");
    for (const Output& input : node->inputs()) text += " " + input.name();
    nodes[node->name()] = text;
  }
  return nodes;
}

}  // namespace

void assert_equal_graph_def(const Graph& actual, const Graph& expected) {
  const auto have = nodes_of(actual), want = nodes_of(expected);
  for (const auto& [name, text] : want) {
    const auto found = have.find(name);
    require(found != have.end(), "the node ", name, " is missing");
    require(found->second == text, "the node ", name, " is ", found->second, " and not ", text);
  }
  for (const auto& [name, text] : have) require(want.contains(name), "there is a node ", name);
}

std::string get_temp_dir() {
  static const std::string directory = [] {
    const char* root = std::getenv("TEST_TMPDIR");
    std::string made =
        str_cat(root != nullptr ? root : "/tmp", "/rill_test_", static_cast<long>(getpid()));
    make_directories(made);
    return made;
  }();
  return directory;
}

std::string gpu_device_name() { return {}; }
bool is_gpu_available() { return false; }
bool is_built_with_cuda() { return false; }

// --- tensors -------------------------------------------------------------------------------------

namespace {

bool near(double a, double b, double atol, double rtol) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= atol + rtol * std::abs(b);
}

template <class T>
std::string first_difference(const Tensor& actual, const Tensor& expected, double atol,
                             double rtol) {
  for (std::int64_t i = 0; i < actual.element_count(); ++i) {
    const T a = actual.data<T>()[i], b = expected.data<T>()[i];
    if constexpr (std::is_arithmetic_v<T>) {
      if (near(static_cast<double>(a), static_cast<double>(b), atol, rtol)) continue;
    } else if (a == b) {
      continue;
    }
    return str_cat("element ", i, " is ", a, " and not ", b);
  }
  return {};
}

}  // namespace

std::string difference(const Tensor& actual, const Tensor& expected, double atol, double rtol) {
  if (actual.dtype() != expected.dtype())
    return str_cat("type ", dtype_name(actual.dtype()), " and not ", dtype_name(expected.dtype()));
  if (actual.shape() != expected.shape())
    return str_cat("shape ", actual.shape(), " and not ", expected.shape());
  switch (actual.dtype()) {
    case DType::f32:
      return first_difference<float>(actual, expected, atol, rtol);
    case DType::f64:
      return first_difference<double>(actual, expected, atol, rtol);
    case DType::i32:
      return first_difference<std::int32_t>(actual, expected, atol, rtol);
    case DType::i64:
      return first_difference<std::int64_t>(actual, expected, atol, rtol);
    case DType::u8:
      return first_difference<std::uint8_t>(actual, expected, atol, rtol);
    case DType::boolean:
      return first_difference<bool>(actual, expected, atol, rtol);
    case DType::string:
      return first_difference<std::string>(actual, expected, atol, rtol);
    default:
      raise(Code::kUnimplemented, "difference() of tensors of type ", dtype_name(actual.dtype()));
  }
}

}  // namespace rill::test
