#pragma once

#include <cstring>
#include <span>
#include <variant>
#include <vector>

#include "rill/tensor/tensor.h"
#include "rill/tensor/variant.h"

namespace rill {

// Rows of values of one type: bytes, strings or variants.
class ValueRows {
 public:
  ValueRows(DType dtype, std::int64_t row_size)
      : dtype_(dtype), size_(static_cast<std::size_t>(row_size)) {
    if (dtype == DType::string) {
      rows_ = Strings();
    } else if (dtype == DType::variant) {
      rows_ = Variants();
    } else {
      rows_ = Bytes();
      size_ *= element_size(dtype);
    }
  }

  void resize(std::int64_t rows) {
    std::visit([&](auto& all) { all.resize(static_cast<std::size_t>(rows) * size_); }, rows_);
  }
  void set(std::int64_t row, const Tensor& from, std::int64_t from_row) {
    std::visit(
        [&](auto& all) {
          std::copy_n(start(all, from) + offset(from_row), size_, all.begin() + offset(row));
        },
        rows_);
  }
  void get(std::int64_t row, Tensor& to, std::int64_t to_row) const {
    std::visit(
        [&](const auto& all) {
          std::copy_n(all.begin() + offset(row), size_, start(all, to) + offset(to_row));
        },
        rows_);
  }
  // Row rows[i] for each i as row first + i of `to`; where that is negative, a row of `otherwise`,
  // the first when there is but one.
  void get_block(std::span<const std::int64_t> rows, const Tensor& otherwise, bool one_otherwise,
                 Tensor& to, std::int64_t first) const {
    std::visit(
        [&](const auto& all) {
          for (const std::int64_t row : rows)
            if (row >= 0) __builtin_prefetch(all.data() + offset(row));
          for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::int64_t at = first + static_cast<std::int64_t>(i);
            const auto* from = rows[i] >= 0
                                   ? all.data() + offset(rows[i])
                                   : start(all, otherwise) + offset(one_otherwise ? 0 : at);
            copy_row(from, start(all, to) + offset(at));
          }
        },
        rows_);
  }
  void move(std::int64_t from, std::int64_t to) {
    std::visit(
        [&](auto& all) {
          std::move(all.begin() + offset(from), all.begin() + offset(from + 1),
                    all.begin() + offset(to));
        },
        rows_);
  }
  // False for variants, which have no equality.
  bool equals(std::int64_t row, const Tensor& other, std::int64_t other_row) const {
    return std::visit(
        [&](const auto& all) {
          if constexpr (std::is_same_v<std::decay_t<decltype(all)>, Variants>)
            return false;
          else
            return std::equal(all.begin() + offset(row), all.begin() + offset(row + 1),
                              start(all, other) + offset(other_row));
        },
        rows_);
  }
  // Copies row `from_row` of one tensor to another.
  void copy(const Tensor& from, std::int64_t from_row, Tensor& to, std::int64_t to_row) const {
    std::visit(
        [&](const auto& all) {
          std::copy_n(start(all, from) + offset(from_row), size_, start(all, to) + offset(to_row));
        },
        rows_);
  }

 private:
  using Bytes = std::vector<char>;
  using Strings = std::vector<std::string>;
  using Variants = std::vector<Variant>;

  // Most values are single numbers.
  void copy_row(const char* from, char* to) const {
    if (size_ == 8)
      std::memcpy(to, from, 8);
    else if (size_ == 4)
      std::memcpy(to, from, 4);
    else
      std::memcpy(to, from, size_);
  }
  template <class T>
  void copy_row(const T* from, T* to) const {
    std::copy_n(from, size_, to);
  }

  template <class All>
  static const typename All::value_type* start(const All&, const Tensor& t) {
    return static_cast<const typename All::value_type*>(t.raw_data());
  }
  template <class All>
  static typename All::value_type* start(const All&, Tensor& t) {
    return static_cast<typename All::value_type*>(t.raw_data());
  }
  std::ptrdiff_t offset(std::int64_t row) const {
    return static_cast<std::ptrdiff_t>(row) * static_cast<std::ptrdiff_t>(size_);
  }

  const DType dtype_;
  std::size_t size_;  // of a row: bytes, or elements where these are no bytes
  std::variant<Bytes, Strings, Variants> rows_;
};

}  // namespace rill
