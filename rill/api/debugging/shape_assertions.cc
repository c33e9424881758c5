#include "rill/api/debugging/shape_assertions.h"

#include <map>

#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/made_here.h"
#include "rill/api/core/texts.h"
#include "rill/api/debugging/rank_assertions.h"
#include "rill/graph/builders.h"
#include "rill/graph/whole_number.h"

namespace rill::debugging {
namespace {

// The size of a dimension: known, or a tensor.
struct Size {
  std::int64_t known = kUnknownDim;
  Output tensor;

  Input input() const { return known < 0 ? Input(tensor) : whole_number(known); }
};

Output one_row() { return current_scope().constant(Tensor::vector<std::int32_t>({1})); }

Output slice_at(Output shape, int index) {
  const std::optional<int> stop =
      index == -1 ? std::optional<int>() : std::optional<int>(index + 1);
  return strided_slice(current_scope(), shape, index, stop, true);
}

// The sizes of one tensor's dimensions. Where the rank is not known they are read once it has been
// checked.
class Sizes {
 public:
  explicit Sizes(Output x) {
    Scope& scope = current_scope();
    const PartialShape& known = x.shape();
    const Output shape = shape_of(scope, x);
    if (!known.has_rank()) {
      const Output is_scalar = scope.add("Equal", {rill::rank(x), 0}).output();
      shape_ = cond_one(is_scalar, one_row, [&] { return shape; });
      return;
    }
    if (known.rank() == 0) sizes_.push_back({1, {}});
    for (int i = 0; i < known.rank(); ++i)
      sizes_.push_back({known[i], known[i] < 0 ? slice_at(shape, i) : Output()});
  }

  // Counted from the front, or from the end if negative.
  Size at(int index, const std::vector<Node*>& after) const {
    if (shape_.node) {
      const Inside checked(current_scope().with_control(after));
      return {kUnknownDim, slice_at(shape_, index)};
    }
    const int position = index < 0 ? index + static_cast<int>(sizes_.size()) : index;
    return sizes_.at(static_cast<std::size_t>(position));
  }

 private:
  Output shape_;  // unless the rank is known
  std::vector<Size> sizes_;
};

struct Checked {
  const ShapeSpec* spec;
  Output x;
  std::vector<DimSpec> dims;
  Sizes sizes;
};

Node& check_spec_rank(const Checked& tensor, const AssertionOptions& options) {
  const int rank = static_cast<int>(tensor.dims.size());
  if (tensor.spec->any_prefix) return assert_rank_at_least(tensor.x, rank, options);
  if (rank <= 1) return assert_rank_in(tensor.x, {0, 1}, options);
  return assert_rank(tensor.x, rank, options);
}

struct Demand {
  Size size;
  std::string told_by;
};

// The assertion that a dimension has a size; nothing where that is known.
Node* check_size(const Checked& tensor, int index, const Size& actual, const Demand& wanted,
                 const AssertionOptions& options) {
  const std::string prefix = message_prefix(options.message);
  if (actual.known >= 0 && wanted.size.known >= 0) {
    require(actual.known == wanted.size.known, prefix, wanted.told_by, ".  Tensor ", tensor.x,
            " dimension ", index, " must have size ", wanted.size.known, ".  Received size ",
            actual.known, ", shape ", shape_text(tensor.x.shape()));
    return nullptr;
  }
  Scope& scope = current_scope();
  const auto as_output = [&](const Size& size) {
    return size.known < 0 ? size.tensor
                          : scope.constant(Tensor::scalar<std::int32_t>(
                                static_cast<std::int32_t>(size.known)));
  };
  const Output own = as_output(actual), demanded = as_output(wanted.size);
  const Output equal = scope.add("Equal", {own, demanded}).output();
  const std::vector<Input> data = options.data.value_or(std::vector<Input>{
      prefix, wanted.told_by, str_cat("Tensor ", tensor.x, " dimension"), index, "must have size",
      wanted.size.input(), "Received shape: ", shape_of(scope, tensor.x)});
  return &add_assert(scope, equal, data, options.summarize.value_or(3));
}

}  // namespace

Node& assert_shapes(const std::vector<ShapeSpec>& shapes, const AssertionOptions& options,
                    std::source_location at) {
  std::vector<Node*> assertions;
  {
    const Block in(options.name, "assert_shapes", at);
    std::vector<Checked> tensors;
    for (const ShapeSpec& spec : shapes) {
      const Output x = as_tensor(spec.x);
      std::vector<DimSpec> dims = spec.dims;
      if (dims.empty() && !spec.any_prefix) dims.emplace_back(std::int64_t{1});
      tensors.push_back({&spec, x, std::move(dims), Sizes(x)});
    }
    std::vector<Node*> ranks;
    for (const Checked& tensor : tensors) ranks.push_back(&check_spec_rank(tensor, options));
    std::map<std::string, Demand> symbols;
    for (const Checked& tensor : tensors) {
      const int count = static_cast<int>(tensor.dims.size());
      for (int i = 0; i < count; ++i) {
        const DimSpec& dim = tensor.dims[static_cast<std::size_t>(i)];
        if (std::holds_alternative<std::monostate>(dim)) continue;
        const int index = tensor.spec->any_prefix ? i - count : i;
        const Size actual = tensor.sizes.at(index, ranks);
        Demand wanted;
        if (const auto* number = std::get_if<std::int64_t>(&dim)) {
          wanted = {{*number, {}}, "Specified explicitly"};
        } else {
          const auto [known, is_new] = symbols.try_emplace(
              std::get<std::string>(dim),
              Demand{actual, str_cat("Specified by tensor ", tensor.x, " dimension ", index)});
          if (is_new) continue;
          wanted = known->second;
        }
        if (Node* check = check_size(tensor, index, actual, wanted, options))
          assertions.push_back(check);
      }
    }
    assertions.insert(assertions.end(), ranks.begin(), ranks.end());
  }
  Scope scope = here(at);
  return group(scope, std::span<Node* const>(assertions));
}

}  // namespace rill::debugging
