#include "rill/graph/known_value.h"

#include <algorithm>
#include <array>

#include "rill/base/error.h"
#include "rill/graph/evaluated_value.h"
#include "rill/graph/graph.h"
#include "rill/graph/node.h"

namespace rill {
namespace {

using Item = std::optional<std::int64_t>;
constexpr std::int64_t kMaxItems = 1024;  // shapes and the like, not data

// A scalar or vector of integers, some of them unknown.
struct Items {
  std::vector<Item> values;
  bool is_scalar = false;
};

template <class T>
Items read_items(const Tensor& tensor) {
  Items items{.is_scalar = tensor.rank() == 0};
  for (const T value : tensor.flat<T>()) items.values.emplace_back(value);
  return items;
}

std::optional<Items> items_of(const KnownValue& known) {
  if (!known.value.has_value()) return Items{known.items, known.is_scalar};
  const Tensor& tensor = known.value;
  if (tensor.rank() > 1 || tensor.element_count() > kMaxItems) return {};
  if (tensor.dtype() == DType::i32) return read_items<std::int32_t>(tensor);
  if (tensor.dtype() == DType::i64) return read_items<std::int64_t>(tensor);
  return {};
}

bool is_full(const Items& items) {
  return std::ranges::all_of(items.values, [](const Item& item) { return item.has_value(); });
}

std::optional<Items> input_items(const Node& node, int i) {
  if (i >= node.input_count() || !node.input(i).node) return {};
  const KnownValue* known = node.input(i).node->known_value(node.input(i).index);
  return known == nullptr ? std::nullopt : items_of(*known);
}

// What the input depends on is evaluated too: the parts of shapes are computed in many ways.
std::optional<Items> evaluated_items(const Node& node, int i) {
  if (auto items = input_items(node, i)) return items;
  const Tensor* value = evaluated_value(node.input(i));
  return value == nullptr ? std::nullopt : items_of({.value = *value});
}

template <class T>
void write_items(const std::vector<Item>& items, const Tensor& tensor) {
  std::ranges::transform(items, tensor.data<T>(),
                         [](const Item& item) { return static_cast<T>(*item); });
}

// The value in the output's type if every item is known, else the items.
KnownValueRef make_known(const Items& items, DType dtype) {
  if (dtype != DType::i32 && dtype != DType::i64) return nullptr;
  if (!is_full(items))
    return std::make_shared<KnownValue>(
        KnownValue{.items = items.values, .is_scalar = items.is_scalar});
  Shape shape;
  if (!items.is_scalar) shape.add_dim(static_cast<std::int64_t>(items.values.size()));
  const Tensor tensor(dtype, shape);
  dtype == DType::i32 ? write_items<std::int32_t>(items.values, tensor)
                      : write_items<std::int64_t>(items.values, tensor);
  return std::make_shared<KnownValue>(KnownValue{.value = tensor});
}

Item known_dim(std::int64_t dim) { return dim < 0 ? Item() : Item(dim); }

std::optional<Items> shape_items(const Node& node, int i) {
  const PartialShape& shape = node.input(i).shape();
  if (!shape.has_rank()) return {};
  Items items;
  for (const std::int64_t dim : shape.dims()) items.values.push_back(known_dim(dim));
  return items;
}

std::optional<Items> size_items(const Node& node) {
  const PartialShape& shape = node.input(0).shape();
  if (!shape.is_full()) return {};
  return Items{{shape.element_count()}, true};
}

std::optional<Items> rank_items(const Node& node) {
  const PartialShape& shape = node.input(0).shape();
  if (!shape.has_rank()) return {};
  return Items{{std::int64_t{shape.rank()}}, true};
}

std::optional<Items> pack_items(const Node& node) {
  Items items;
  bool any = false;
  for (int i = 0; i < node.input_count(); ++i) {
    const PartialShape& shape = node.input(i).shape();
    if (!shape.has_rank() || shape.rank() != 0 || i >= kMaxItems) return {};
    const auto part = evaluated_items(node, i);
    items.values.push_back(part ? part->values.at(0) : Item());
    any |= items.values.back().has_value();
  }
  return any ? std::optional(items) : std::nullopt;
}

// The vectors [first, last) one after another; those of known length may have unknown items.
std::optional<Items> concat_items(const Node& node, int first, int last) {
  Items items;
  for (int i = first; i < last; ++i) {
    const PartialShape& shape = node.input(i).shape();
    if (!shape.has_rank() || shape.rank() != 1 || shape[0] < 0) return {};
    if (shape[0] + static_cast<std::int64_t>(items.values.size()) > kMaxItems) return {};
    const auto part = evaluated_items(node, i);
    if (part) {
      items.values.insert(items.values.end(), part->values.begin(), part->values.end());
    } else {
      items.values.resize(items.values.size() + static_cast<std::size_t>(shape[0]));
    }
  }
  return items;
}

// The single known number of input i.
Item single_item(const Node& node, int i) {
  const auto items = input_items(node, i);
  return items && items->values.size() == 1 ? items->values[0] : Item();
}

bool bit0(const Node& node, std::string_view attr) {
  return (node.attr<std::int64_t>(attr) & 1) != 0;
}

// Where a slice of `size` elements begins (or ends, for the past-the-end position).
std::int64_t slice_edge(std::int64_t at, std::int64_t size, std::int64_t stride) {
  if (at < 0) at += size;
  return stride > 0 ? std::clamp<std::int64_t>(at, 0, size)
                    : std::clamp<std::int64_t>(at, -1, size - 1);
}

std::optional<Items> strided_slice_items(const Node& node) {
  const auto input = input_items(node, 0);
  const Item begin = single_item(node, 1), end = single_item(node, 2),
             stride = single_item(node, 3);
  if (!input || input->is_scalar || !begin || !end || !stride || *stride == 0) return {};
  if (bit0(node, "ellipsis_mask") || bit0(node, "new_axis_mask")) return {};
  const auto size = static_cast<std::int64_t>(input->values.size());
  if (*stride < -kMaxItems || *stride > kMaxItems) return {};
  if (bit0(node, "shrink_axis_mask")) {
    // One size of a partly known shape is unknown, as TensorFlow has it: loops are built on it.
    if (!is_full(*input)) return {};
    const std::int64_t at = *begin < 0 ? *begin + size : *begin;
    if (at < 0 || at >= size) return {};
    return Items{{input->values[static_cast<std::size_t>(at)]}, true};
  }
  const bool forward = *stride > 0;
  const std::int64_t first =
      bit0(node, "begin_mask") ? (forward ? 0 : size - 1) : slice_edge(*begin, size, *stride);
  const std::int64_t last =
      bit0(node, "end_mask") ? (forward ? size : -1) : slice_edge(*end, size, *stride);
  Items items;
  for (std::int64_t i = first; forward ? i < last : i > last; i += *stride)
    items.values.push_back(input->values[static_cast<std::size_t>(i)]);
  return items;
}

std::optional<Items> slice_items(const Node& node) {
  const auto input = input_items(node, 0);
  const Item begin = single_item(node, 1), size = single_item(node, 2);
  if (!input || input->is_scalar || !begin || !size) return {};
  const auto total = static_cast<std::int64_t>(input->values.size());
  if (*begin < 0 || *begin > total) return {};
  const std::int64_t count = *size < 0 ? total - *begin : *size;
  if (count > total - *begin) return {};
  const auto first = input->values.begin() + *begin;
  return Items{{first, first + count}, false};
}

using Fold = bool (*)(std::int64_t, std::int64_t, std::int64_t*);

bool floor_div(std::int64_t a, std::int64_t b, std::int64_t* out) {
  if (b == 0 || b == -1) return false;
  *out = a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0);
  return true;
}

Fold fold_named(std::string_view op) {
  struct Entry {
    std::string_view op;
    Fold fold;
  };
  using I = std::int64_t;
  static constexpr std::array<Entry, 7> kFolds = {{
      {"Add", [](I a, I b, I* c) { return !__builtin_add_overflow(a, b, c); }},
      {"AddV2", [](I a, I b, I* c) { return !__builtin_add_overflow(a, b, c); }},
      {"Sub", [](I a, I b, I* c) { return !__builtin_sub_overflow(a, b, c); }},
      {"Mul", [](I a, I b, I* c) { return !__builtin_mul_overflow(a, b, c); }},
      {"FloorDiv", floor_div},
      {"Maximum", [](I a, I b, I* c) { return *c = std::max(a, b), true; }},
      {"Minimum", [](I a, I b, I* c) { return *c = std::min(a, b), true; }},
  }};
  const auto it = std::ranges::find(kFolds, op, &Entry::op);
  return it == kFolds.end() ? nullptr : it->fold;
}

bool fits(std::int64_t value, DType dtype) {
  return dtype == DType::i64 || value == static_cast<std::int32_t>(value);
}

std::optional<Items> fold_items(const Node& node, Fold fold) {
  const auto a = input_items(node, 0), b = input_items(node, 1);
  if (!a || !b || !is_full(*a) || !is_full(*b)) return {};
  const std::size_t na = a->values.size(), nb = b->values.size();
  if (na == 0 || nb == 0 || (na != nb && na != 1 && nb != 1)) return {};
  Items items{.is_scalar = a->is_scalar && b->is_scalar};
  for (std::size_t i = 0; i < std::max(na, nb); ++i) {
    const Item x = a->values[na == 1 ? 0 : i], y = b->values[nb == 1 ? 0 : i];
    std::int64_t out = 0;
    if (!fold(*x, *y, &out) || !fits(out, node.output_type(0))) return {};
    items.values.emplace_back(out);
  }
  return items;
}

std::optional<Items> cast_items(const Node& node) {
  auto items = input_items(node, 0);
  if (!items) return {};
  for (const Item& item : items->values)
    if (item && !fits(*item, node.output_type(0))) return {};
  return items;
}

std::optional<Items> range_items(const Node& node) {
  const Item start = single_item(node, 0), limit = single_item(node, 1),
             delta = single_item(node, 2);
  if (!start || !limit || !delta || *delta == 0) return {};
  const auto is_small = [](std::int64_t i) { return fits(i, DType::i32); };
  if (!is_small(*start) || !is_small(*limit) || !is_small(*delta)) return {};
  Items items;
  for (std::int64_t i = *start; *delta > 0 ? i < *limit : i > *limit; i += *delta) {
    if (static_cast<std::int64_t>(items.values.size()) == kMaxItems) return {};
    items.values.emplace_back(i);
  }
  return items;
}

// One number in a known number of places.
std::optional<Items> fill_items(const Node& node) {
  const auto dims = input_items(node, 0);
  const Item value = single_item(node, 1);
  if (!dims || dims->is_scalar || !value || dims->values.size() > 1) return {};
  if (dims->values.empty()) return Items{{value}, true};
  const Item count = dims->values[0];
  if (!count || *count < 0 || *count > kMaxItems) return {};
  return Items{std::vector<Item>(static_cast<std::size_t>(*count), value), false};
}

std::optional<Items> expand_items(const Node& node) {
  auto items = input_items(node, 0);
  if (!items || !items->is_scalar) return {};
  items->is_scalar = false;
  return items;
}

// Two shapes as one that both broadcast to.
std::optional<Items> broadcast_items(const Node& node) {
  auto longer = input_items(node, 0), shorter = input_items(node, 1);
  if (!longer || !shorter || longer->is_scalar || shorter->is_scalar) return {};
  if (!is_full(*longer) || !is_full(*shorter)) return {};
  if (longer->values.size() < shorter->values.size()) std::swap(longer, shorter);
  const std::size_t missing = longer->values.size() - shorter->values.size();
  for (std::size_t i = 0; i < shorter->values.size(); ++i) {
    Item& size = longer->values[missing + i];
    if (size == 1) size = shorter->values[i];
  }
  return longer;
}

std::optional<Items> items_by_op(const Node& node) {
  const std::string& op = node.op().name;
  if (op == "Shape") return shape_items(node, 0);
  if (op == "Size") return size_items(node);
  if (op == "Rank") return rank_items(node);
  if (op == "Pack") return pack_items(node);
  if (op == "ConcatV2") return concat_items(node, 0, node.input_count() - 1);
  if (op == "Concat") return concat_items(node, 1, node.input_count());
  if (op == "StridedSlice") return strided_slice_items(node);
  if (op == "Slice") return slice_items(node);
  if (op == "Cast") return cast_items(node);
  if (op == "Range") return range_items(node);
  if (op == "Fill") return fill_items(node);
  if (op == "ExpandDims") return expand_items(node);
  if (op == "BroadcastArgs") return broadcast_items(node);
  if (const Fold fold = fold_named(op)) return fold_items(node, fold);
  return {};
}

std::vector<KnownValueRef> shape_n_values(const Node& node) {
  std::vector<KnownValueRef> values(static_cast<std::size_t>(node.output_count()));
  for (int i = 0; i < std::min(node.input_count(), node.output_count()); ++i)
    if (const auto items = shape_items(node, i))
      values[static_cast<std::size_t>(i)] = make_known(*items, node.output_type(i));
  return values;
}

bool is_small_integer(const Node& node) {
  if (node.output_count() == 0) return false;
  const DType type = node.output_type(0);
  const PartialShape& shape = node.output_shape(0);
  return (type == DType::i32 || type == DType::i64) && shape.rank() <= 1;
}

bool has_all_inputs(const Node& node) {
  return std::ranges::all_of(node.inputs(), [](const Output& input) { return bool(input.node); });
}

PartialShape shape_of_known(const KnownValue& known) {
  const auto items = items_of(known);
  require(items.has_value(), "a shape must be a vector of int32 or int64, not ",
          known.value.dtype(), known.value.shape());
  if (items->is_scalar) {
    const Item& item = items->values.at(0);
    require(!item || *item == -1,
            "Input tensor must be rank 1, or if its rank 0 it must have value -1 (representing an "
            "unknown shape).  Saw value: ",
            item.value_or(0));
    return {};
  }
  Dims dims;
  for (const Item& item : items->values) {
    constexpr std::string_view kWrong = "Invalid value in tensor used for shape: ";
    require(!item || *item >= -1, when_run(kWrong, item.value_or(0)),
            when_built_alone(kWrong, item.value_or(0)));
    dims.push_back(item.value_or(kUnknownDim));
  }
  return PartialShape(dims.span());
}

}  // namespace

std::vector<KnownValueRef> known_values(const Node& node) {
  const Op& op = node.op();
  if (op.name == "Const") {
    const auto* value = find_attr(node.attrs(), "value").get_if<Tensor>();
    if (value == nullptr) return {};
    return {std::make_shared<KnownValue>(KnownValue{.value = *value})};
  }
  if (!has_all_inputs(node)) return {};
  if (op.has(kIdentity) && node.input_count() > 0 && node.output_count() > 0) {
    const Output input = node.input(0);
    if (KnownValueRef known = input.node->known_value_ref(input.index)) return {std::move(known)};
    return {};
  }
  if (!is_small_integer(node)) return {};
  if (op.name == "ShapeN") return shape_n_values(node);
  const auto items = items_by_op(node);
  if (!items) return {};
  return {make_known(*items, node.output_type(0))};
}

const Tensor* constant_value(Output output) {
  const KnownValue* known = output.node ? output.node->known_value(output.index) : nullptr;
  return known != nullptr && known->value.has_value() ? &known->value : nullptr;
}

PartialShape constant_shape_value(Output output) {
  if (!output.node) return {};
  if (const KnownValue* known = output.node->known_value(output.index))
    return shape_of_known(*known);
  const PartialShape& shape = output.shape();
  const bool sized = shape.has_rank() && shape.rank() == 1 && shape[0] >= 0;
  return sized && shape[0] <= kMaxRank ? PartialShape::of_rank(static_cast<int>(shape[0]))
                                       : PartialShape();
}

PartialShape evaluated_shape_value(Output output) {
  const Tensor* value = evaluated_value(output);
  return value == nullptr ? constant_shape_value(output) : shape_of_known({.value = *value});
}

}  // namespace rill
