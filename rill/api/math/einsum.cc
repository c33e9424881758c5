// Two tensors at a time become batches of matrices, which are multiplied. Gradients are those of
// the ops it is made of.
#include "rill/api/math/einsum.h"

#include <algorithm>
#include <map>

#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/einsum_equation.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/products.h"
#include "rill/api/math/reduce.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

using namespace math_parts;

bool has(std::string_view labels, char c) { return labels.find(c) != labels.npos; }

// A tensor whose dimensions have letters.
struct Factor {
  Output tensor;
  std::string labels;
};

// The letters of `of` that `keep` accepts.
template <class Keep>
std::string those(const std::string& of, Keep keep) {
  std::string result;
  for (const char c : of)
    if (keep(c)) result += c;
  return result;
}

Factor turned(const Factor& f, const std::string& labels) {
  if (labels == f.labels) return f;
  std::vector<std::int64_t> perm;
  for (const char c : labels) perm.push_back(static_cast<std::int64_t>(f.labels.find(c)));
  return {raw::Transpose(f.tensor, Input(int_vector(perm)), {.name = "transpose"}), labels};
}

// Sums over what no other factor and not the result has.
Factor without(const Factor& f, const std::string& needed) {
  std::vector<std::int64_t> axes;
  for (std::size_t i = 0; i < f.labels.size(); ++i)
    if (!has(needed, f.labels[i])) axes.push_back(static_cast<std::int64_t>(i));
  if (axes.empty()) return f;
  return {reduce_sum(f.tensor, {.axis = Input(int_vector(axes))}),
          those(f.labels, [&](char c) { return has(needed, c); })};
}

// The sizes of lettered dimensions: numbers where they are known, else read when the graph runs.
class Sizes {
 public:
  explicit Sizes(std::initializer_list<Factor> factors) : factors_(factors) {}

  // The product of the sizes of `labels`.
  Input of(const std::string& labels) {
    std::int64_t known = 1;
    std::optional<Output> unknown;
    for (const char c : labels) {
      const std::int64_t size = known_size(c);
      if (size >= 0) {
        require(size <= INT32_MAX && known * size <= INT32_MAX, "einsum: more than ", INT32_MAX,
                " elements in one dimension");
        known *= size;
      } else {
        const Output read = read_size(c);
        unknown = unknown ? raw::Mul(*unknown, read, {.name = "mul"}) : read;
      }
    }
    if (!unknown) return Input(static_cast<int>(known));
    return known == 1 ? *unknown
                      : raw::Mul(*unknown, Input(static_cast<int>(known)), {.name = "mul"});
  }

 private:
  std::int64_t known_size(char c) const {
    std::int64_t size = -1;
    for (const Factor& f : factors_)
      if (has(f.labels, c))
        size = std::max(size, f.tensor.shape()[static_cast<int>(f.labels.find(c))]);
    return size;
  }
  Output read_size(char c) {
    if (const auto found = read_.find(c); found != read_.end()) return found->second;
    for (const Factor& f : factors_) {
      if (!has(f.labels, c)) continue;
      const Output size = slice(shape(f.tensor), {Input(static_cast<int>(f.labels.find(c)))});
      return read_.emplace(c, size).first->second;
    }
    raise(Code::kInternal, "einsum: no input has the dimension ", std::string(1, c));
  }

  std::vector<Factor> factors_;
  std::map<char, Output> read_;
};

Output reshaped(Output x, const Inputs& sizes) {
  if (std::ranges::all_of(sizes, &Input::is_value)) {
    std::vector<std::int64_t> numbers;
    for (const Input& size : sizes) numbers.push_back(size.value(DType::i32).scalar_value<int>());
    if (x.shape().is_full() && std::ranges::equal(x.shape().dims(), numbers)) return x;
    return raw::Reshape(x, Input(int_vector(numbers)));
  }
  return raw::Reshape(x, raw::Pack(sizes, {.name = "stack"}));
}

// Broadcasting "..." may give one factor a dimension of size 1; such products are not made by
// matrices but element by element.
bool has_equal_sizes(const Factor& a, const Factor& b, const std::string& labels) {
  return std::ranges::all_of(labels, [&](char c) {
    const std::int64_t left = a.tensor.shape()[static_cast<int>(a.labels.find(c))];
    const std::int64_t right = b.tensor.shape()[static_cast<int>(b.labels.find(c))];
    return left == right || (left != 1 && right != 1);
  });
}

// Both with all letters in one order, those that one lacks with size 1.
Output spread(const Factor& f, const std::string& all) {
  const Factor ordered = turned(f, those(all, [&](char c) { return has(f.labels, c); }));
  Output x = ordered.tensor;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!has(f.labels, all[i])) x = raw::ExpandDims(x, static_cast<int>(i));
  return x;
}

Factor elementwise(const Factor& a, const Factor& b, const std::string& needed) {
  const std::string all = a.labels + those(b.labels, [&](char c) { return !has(a.labels, c); });
  const Output left = spread(a, all);
  return without({raw::Mul(left, spread(b, all), {.name = "mul"}), all}, needed);
}

Factor multiplied(const Factor& a, const Factor& b, const std::string& needed) {
  const std::string common = those(a.labels, [&](char c) { return has(b.labels, c); });
  if (!has_equal_sizes(a, b, common)) return elementwise(a, b, needed);
  const std::string batch = those(common, [&](char c) { return has(needed, c); });
  const std::string summed = those(common, [&](char c) { return !has(needed, c); });
  if (summed.empty()) return elementwise(a, b, needed);
  const std::string rows = those(a.labels, [&](char c) { return !has(common, c); });
  const std::string columns = those(b.labels, [&](char c) { return !has(common, c); });
  Sizes sizes{a, b};
  const Input inner = sizes.of(summed), height = sizes.of(rows), width = sizes.of(columns);
  std::vector<Input> outer;
  for (const char c : batch) outer.push_back(sizes.of(std::string(1, c)));
  const auto shape = [&](std::vector<Input> last) {
    std::vector<Input> dims = outer;
    dims.insert(dims.end(), last.begin(), last.end());
    return dims;
  };
  const Output left = reshaped(turned(a, batch + rows + summed).tensor, shape({height, inner}));
  const Output right = reshaped(turned(b, batch + summed + columns).tensor, shape({inner, width}));
  const Output product = matmul(left, right);
  std::vector<Input> last;
  for (const char c : rows + columns) last.push_back(sizes.of(std::string(1, c)));
  return {reshaped(product, shape(last)), batch + rows + columns};
}

// `x` whose last two dimensions have equal sizes; where they are known in the step only, that fails
// unless they have.
Output as_square(Output x) {
  const PartialShape& known = x.shape();
  const int last = known.rank() - 1;
  require(compatible(known[last - 1], known[last]), "Dimensions must be equal, but are ",
          known[last - 1], " and ", known[last], " for einsum with a label that is repeated");
  if (known[last] != kUnknownDim && known[last - 1] != kUnknownDim) return x;
  std::vector<Input> sizes;
  for (int i = 0; i < last; ++i)
    sizes.push_back(known[i] == kUnknownDim ? Input(slice(shape(x), {Input(i)}))
                                            : Input(static_cast<int>(known[i])));
  sizes.push_back(sizes.back());
  return reshaped(x, sizes);
}

// Of letters that a factor has several times only the elements with equal places count.
Factor diagonal_of(Factor f) {
  for (std::size_t i = 0; i < f.labels.size();) {
    const char c = f.labels[i];
    const std::size_t again = f.labels.find(c, i + 1);
    if (again == f.labels.npos) {
      ++i;
      continue;
    }
    std::vector<std::int64_t> perm;
    std::string rest;
    for (std::size_t k = 0; k < f.labels.size(); ++k) {
      if (k == i || k == again) continue;
      perm.push_back(static_cast<std::int64_t>(k));
      rest += f.labels[k];
    }
    perm.push_back(static_cast<std::int64_t>(i));
    perm.push_back(static_cast<std::int64_t>(again));
    const Output turned = raw::Transpose(f.tensor, Input(int_vector(perm)), {.name = "transpose"});
    f = {raw::MatrixDiagPart(as_square(turned)), rest + c};
    i = 0;
  }
  return f;
}

std::string needed_after(const std::vector<Factor>& factors, std::size_t first,
                         const std::string& output) {
  std::string needed = output;
  for (std::size_t i = first; i < factors.size(); ++i) needed += factors[i].labels;
  return needed;
}

}  // namespace

Output einsum(std::string_view equation, const Inputs& inputs, const MathOptions& options,
              std::source_location at) {
  const Block in(options.name, "einsum", at);
  std::vector<Factor> factors;
  std::vector<int> ranks;
  for (const Input& input : inputs) {
    factors.push_back({as_tensor(input), ""});
    ranks.push_back(factors.back().tensor.shape().rank());
  }
  const EinsumEquation parsed = parse_einsum(equation, ranks);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    factors[i].labels = parsed.inputs[i];
    const PartialShape shape = PartialShape::of_rank(static_cast<int>(parsed.inputs[i].size()));
    if (!factors[i].tensor.shape().has_rank())
      default_graph()->refine_shape(factors[i].tensor, shape);
    factors[i] = diagonal_of(factors[i]);
  }
  Factor result = without(factors[0], needed_after(factors, 1, parsed.output));
  for (std::size_t i = 1; i < factors.size(); ++i) {
    const std::string needed = needed_after(factors, i + 1, parsed.output);
    const Factor next = without(factors[i], needed + result.labels);
    result = multiplied(without(result, needed + next.labels), next, needed);
  }
  return turned(result, parsed.output).tensor;
}

}  // namespace rill
