#include "rill/api/nn/window_sizes.h"

namespace rill::nn {
namespace {

std::string list_text(const std::vector<std::int64_t>& values) {
  std::string text;
  for (const std::int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return "[" + text + "]";
}

}  // namespace

std::vector<std::int64_t> Sizes::of_input(int spatial, bool channels_first,
                                          std::string_view what) const {
  const auto n = static_cast<std::size_t>(spatial);
  if (empty()) return std::vector<std::int64_t>(n + 2, 1);
  if (values_.size() == n + 2) return values_;
  std::vector<std::int64_t> sizes = values_;
  if (sizes.size() == 1) sizes.resize(n, values_[0]);
  require(sizes.size() == n, what, " should be of length 1, ", n, " or ", n + 2,
          ". Received: ", what, "=", list_text(values_), " of length ", values_.size());
  sizes.insert(sizes.begin(), channels_first ? 2 : 1, 1);
  if (!channels_first) sizes.push_back(1);
  return sizes;
}

std::vector<std::int64_t> Sizes::of_space(int spatial, std::string_view what) const {
  const auto n = static_cast<std::size_t>(spatial);
  if (empty()) return std::vector<std::int64_t>(n, 1);
  require(values_.size() == n, "`len(", what, ")` should be ", n, ". Received: ", what, "=",
          list_text(values_), " of length ", values_.size());
  for (const std::int64_t value : values_)
    require(value >= 1, "all values of `", what, "` must be positive. Received: ", what, "=",
            list_text(values_));
  return values_;
}

Padding::Padding(std::string kind) : kind_(std::move(kind)) {
  require(kind_ != "EXPLICIT",
          "'EXPLICIT' is not a valid value for `padding`. To use explicit padding, `padding` must "
          "be a list.");
}

Padding::Padding(std::vector<std::vector<std::int64_t>> around)
    : kind_("EXPLICIT"), around_(std::move(around)) {
  for (std::size_t i = 0; i < around_.size(); ++i)
    require(around_[i].size() == 2,
            "When `padding` is a list, each element of `padding` must be a list/tuple of size 2. "
            "Received an element at index ",
            i, " of size ", around_[i].size());
}

std::vector<std::int64_t> Padding::around(std::size_t rank) const {
  if (kind_ != "EXPLICIT") return {};
  require(around_.size() == rank, "When padding is a list, it must be of size ", rank,
          ". Received a list of size ", around_.size());
  std::vector<std::int64_t> flat;
  for (const auto& pair : around_) flat.insert(flat.end(), pair.begin(), pair.end());
  return flat;
}

}  // namespace rill::nn
