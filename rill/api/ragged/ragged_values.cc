#include "rill/api/ragged/ragged_values.h"

#include <algorithm>

#include "rill/api/core/basic_ops.h"
#include "rill/api/math/casts.h"
#include "rill/base/error.h"

namespace rill::ragged {

struct NestedList::Parts {
  std::optional<Scalar> scalar;
  std::vector<NestedList> items;
};

NestedList::NestedList(Made) : parts_(std::make_shared<Parts>()) {}
NestedList::NestedList(Made, std::int64_t value) : NestedList(Made{}) { parts_->scalar = value; }
NestedList::NestedList(Made, double value) : NestedList(Made{}) { parts_->scalar = value; }
NestedList::NestedList(Made, bool value) : NestedList(Made{}) { parts_->scalar = value; }
NestedList::NestedList(const char* text) : NestedList(std::string(text)) {}
NestedList::NestedList(std::string text) : NestedList(Made{}) { parts_->scalar = std::move(text); }
NestedList::NestedList(std::initializer_list<NestedList> items) : NestedList(Made{}) {
  parts_->items = items;
}
void NestedList::add(NestedList item) { parts_->items.push_back(std::move(item)); }
const std::optional<NestedList::Scalar>& NestedList::scalar() const { return parts_->scalar; }
const std::vector<NestedList>& NestedList::items() const { return parts_->items; }

namespace {

using Lists = std::vector<const NestedList*>;

// How deep scalars lie; -1 where there is none.
int scalar_depth(const NestedList& list) {
  if (list.scalar()) return 0;
  int depth = -1;
  for (const NestedList& item : list.items()) {
    const int below = scalar_depth(item);
    if (below < 0) continue;
    require(depth < 0 || depth == below + 1, "all scalar values must have the same nesting depth");
    depth = below + 1;
  }
  return depth;
}
int list_depth(const NestedList& list) {
  if (list.scalar()) return 0;
  int depth = 0;
  for (const NestedList& item : list.items()) depth = std::max(depth, list_depth(item));
  return depth + 1;
}

// Goes one list deeper and returns where the rows begin and end.
std::vector<std::int64_t> open_lists(Lists& lists, int depth, int ragged_rank) {
  std::vector<std::int64_t> splits = {0};
  Lists inner;
  for (const NestedList* list : lists) {
    require(!list->scalar(), "pylist has scalar values at depth ", depth,
            ", but ragged_rank=", ragged_rank, " requires scalar value depth greater than ",
            ragged_rank);
    for (const NestedList& item : list->items()) inner.push_back(&item);
    splits.push_back(std::ssize(inner));
  }
  lists = std::move(inner);
  return splits;
}

DType type_of(const Lists& scalars) {
  bool is_double = false, is_text = false, is_truth = false;
  for (const NestedList* item : scalars) {
    is_double = is_double || std::holds_alternative<double>(*item->scalar());
    is_text = is_text || std::holds_alternative<std::string>(*item->scalar());
    is_truth = is_truth || std::holds_alternative<bool>(*item->scalar());
  }
  if (is_text) return DType::string;
  if (is_truth) return DType::boolean;
  return is_double || scalars.empty() ? DType::f32 : DType::i32;
}

template <class T>
T number_of(const NestedList::Scalar& scalar) {
  return std::visit(
      [](const auto& value) -> T {
        using Kind = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_convertible_v<Kind, T>) return static_cast<T>(value);
        raise(Code::kInvalidArgument, "texts and numbers in one list");
      },
      scalar);
}
template <class T>
std::vector<T> all_of(const Lists& scalars) {
  std::vector<T> values;
  for (const NestedList* item : scalars) values.push_back(number_of<T>(*item->scalar()));
  return values;
}

Tensor values_of(const Lists& scalars, DType dtype) {
  if (dtype == DType::string) {
    const std::vector<std::string> texts = all_of<std::string>(scalars);
    return Tensor::of<std::string>({std::ssize(texts)}, std::span<const std::string>(texts));
  }
  if (dtype == DType::boolean) return Input(all_of<bool>(scalars)).value(dtype);
  const bool is_whole = std::ranges::none_of(scalars, [](const NestedList* item) {
    return std::holds_alternative<double>(*item->scalar());
  });
  if (is_whole) return Input(all_of<std::int64_t>(scalars)).value(dtype);
  return Input(all_of<double>(scalars)).value(dtype);
}

// What is below the ragged dimensions is a tensor: its dimensions behind the first.
std::vector<std::int64_t> inner_sizes(Lists& lists, int levels) {
  std::vector<std::int64_t> sizes;
  for (int level = 0; level < levels; ++level) {
    const std::int64_t size = lists.empty() ? 0 : std::ssize(lists[0]->items());
    for (const NestedList* list : lists)
      require(!list->scalar() && std::ssize(list->items()) == size,
              "inner values have inconsistent shape");
    sizes.push_back(size);
    open_lists(lists, 0, 0);
  }
  return sizes;
}

}  // namespace

RaggedTensorValue constant_value(const NestedList& pylist, const RaggedConstantOptions& options) {
  const int scalars = scalar_depth(pylist), depth = list_depth(pylist);
  require(scalars < 0 || depth <= scalars,
          "empty list nesting is greater than scalar value nesting");
  const int rank = options.ragged_rank.value_or(std::max(1, depth - 1));
  require(depth >= 2 && rank >= 1 && rank < depth, "a ragged tensor of ", depth,
          " lists within each other cannot have ragged_rank=", rank);
  Lists lists = {&pylist};
  open_lists(lists, 0, rank);
  RaggedTensorValue value;
  for (int level = 1; level <= rank; ++level) {
    const std::vector<std::int64_t> splits = open_lists(lists, level, rank);
    value.nested_row_splits.push_back(Input(splits).value(options.row_splits_dtype));
  }
  std::vector<std::int64_t> sizes = {std::ssize(lists)};
  const std::vector<std::int64_t> inner = inner_sizes(lists, depth - 1 - rank);
  sizes.insert(sizes.end(), inner.begin(), inner.end());
  for (const NestedList* item : lists)
    require(item->scalar().has_value(), "inner values have inconsistent shape");
  const DType dtype = options.dtype == DType::invalid ? type_of(lists) : options.dtype;
  value.flat_values = values_of(lists, dtype).reshaped(Shape(std::span<const std::int64_t>(sizes)));
  return value;
}

RaggedTensor constant(const NestedList& pylist, const RaggedConstantOptions& options,
                      std::source_location at) {
  const RaggedTensorValue value = constant_value(pylist, options);
  const Block in(options.name, "RaggedConstant", at);
  RaggedTensor made{rill::constant(value.flat_values, {.name = "values"}), {}};
  for (const Tensor& splits : value.nested_row_splits)
    made.nested_row_splits.push_back(rill::constant(splits));
  return made;
}

RaggedTensor placeholder(DType dtype, int ragged_rank, const RaggedPlaceholderOptions& options,
                         std::source_location at) {
  require(ragged_rank >= 1, "ragged_rank must be positive, not ", ragged_rank);
  const Block in(options.name, "RaggedPlaceholder", at);
  PartialShape values;
  if (options.value_shape) {
    values = PartialShape({kUnknownDim});
    for (const std::int64_t dim : options.value_shape->dims()) values.add_dim(dim);
  }
  RaggedTensor made{rill::placeholder(dtype, values, {.name = "flat_values"}), {}};
  for (int i = 0; i < ragged_rank; ++i)
    made.nested_row_splits.push_back(rill::placeholder(DType::i64, PartialShape({kUnknownDim}),
                                                       {.name = str_cat("row_splits_", i)}));
  return made;
}

Feeds feeds_of(const RaggedTensor& target, const RaggedTensorValue& value) {
  require(target.ragged_rank() == value.ragged_rank(),
          "a value with ragged_rank=", value.ragged_rank(),
          " for a tensor with ragged_rank=", target.ragged_rank());
  Feeds feeds = {{target.flat_values, value.flat_values}};
  for (std::size_t i = 0; i < value.nested_row_splits.size(); ++i)
    feeds.emplace_back(target.nested_row_splits[i], value.nested_row_splits[i]);
  return feeds;
}

Output row_splits_to_segment_ids(const Input& splits, const SegmentOptions& options,
                                 std::source_location at) {
  const Block in(options.name, "RaggedSplitsToSegmentIds", at);
  const Output rows = rowids_of_splits(splits);
  return options.out_type == DType::invalid ? rows : rill::cast(rows, options.out_type);
}

Output segment_ids_to_row_splits(const Input& segment_ids, const OptionalInput& num_segments,
                                 const SegmentOptions& options, std::source_location at) {
  const Block in(options.name, "SegmentIdsToRaggedSplits", at);
  const Output splits = splits_of_rowids(segment_ids, num_segments);
  return options.out_type == DType::invalid ? splits : rill::cast(splits, options.out_type);
}

}  // namespace rill::ragged
