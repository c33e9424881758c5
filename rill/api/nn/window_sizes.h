#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rill/api/variables/variable.h"

namespace rill::nn {

// Strides, dilations, window sizes: one number for all dimensions of space, one for each of them,
// or one for each dimension of the input. Nothing means ones.
//
//   Sizes(2)  Sizes{2, 2}  Sizes{1, 2, 2, 1}  // the same for pictures
class Sizes {
 public:
  Sizes() = default;
  Sizes(int size) : values_{size} {}
  Sizes(std::int64_t size) : values_{size} {}
  Sizes(std::initializer_list<std::int64_t> sizes) : values_(sizes) {}
  Sizes(std::vector<std::int64_t> sizes) : values_(std::move(sizes)) {}

  bool empty() const { return values_.empty(); }
  // For each dimension of an input with `spatial` dimensions of space. Throws InvalidArgument,
  // naming `what`, when there are too few or too many.
  std::vector<std::int64_t> of_input(int spatial, bool channels_first, std::string_view what) const;
  // For each dimension of space, where only those may be given.
  std::vector<std::int64_t> of_space(int spatial, std::string_view what) const;
  const std::vector<std::int64_t>& values() const { return values_; }

 private:
  std::vector<std::int64_t> values_;
};

// "SAME", "VALID", or what to add before and after each dimension, batch and channels included.
// Throws InvalidArgument for pairs that are none, and for "EXPLICIT" as a word.
//
//   Padding({{0, 0}, {1, 1}, {1, 1}, {0, 0}})
class Padding {
 public:
  Padding(const char* kind) : Padding(std::string(kind)) {}
  Padding(std::string kind);
  Padding(std::vector<std::vector<std::int64_t>> around);

  const std::string& kind() const { return kind_; }  // "EXPLICIT" where numbers are given
  bool is_explicit() const { return !around_.empty(); }
  // Before and after each of `rank` dimensions, in a row; none unless is_explicit(). Throws
  // InvalidArgument where these are not `rank` pairs.
  std::vector<std::int64_t> around(std::size_t rank) const;

 private:
  std::string kind_;
  std::vector<std::vector<std::int64_t>> around_;
};

// A tensor, and what is known of its shape though a variable may be read later.
class Filter : public Input {
 public:
  template <class T>
  requires(std::constructible_from<Input, T> && !std::same_as<T, Variable>) Filter(const T& value)
      : Input(value) {
    if (is_output()) shape_ = output().shape();
    if (is_value()) shape_ = this->value(DType::invalid).shape();
  }
  Filter(const Variable& variable) : Input(variable), shape_(variable.shape()) {}

  const PartialShape& shape() const { return shape_; }

 private:
  PartialShape shape_;
};

// The data format that is given, or the usual one.
inline std::string format_or(const std::string& given, const char* otherwise) {
  return given.empty() ? otherwise : given;
}
// Whether the channels come right after the batch: "NCHW", "NCW", ...
inline bool is_channels_first(std::string_view data_format) {
  return data_format.starts_with("NC");
}

}  // namespace rill::nn
