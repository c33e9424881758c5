#include <algorithm>
#include <array>

#include "rill/ops/lookup/key_index.h"
#include "rill/ops/lookup/table.h"
#include "rill/ops/lookup/value_rows.h"
#include "rill/tensor/element_format.h"

namespace rill {
namespace {

std::string element_text(const Tensor& scalar) {
  return scalar.dtype() == DType::string ? *scalar.data<std::string>() : scalar_text(scalar);
}

// Keys with a row of values each.
template <class K>
class RowTable final : public Table {
 public:
  RowTable(TableKind kind, std::string name, DType value_type, const Shape& value_shape)
      : Table(std::move(name), dtype_of<K>, value_type, {}, value_shape),
        kind_(kind),
        rows_(value_type, value_shape.element_count()) {}

 private:
  bool once() const { return kind_ == TableKind::kInitialized; }
  [[noreturn]] static void unsupported(const char* what) {
    raise(Code::kUnimplemented, what, " not supported by InitializableLookupTable implementations");
  }

  void do_find(const KernelCall& call, const Tensor& keys, const Tensor& default_value,
               Tensor& values) const override {
    if (once() && !initialized_) raise(Code::kFailedPrecondition, "Table not initialized.");
    const std::span<const K> all = keys.flat<K>();
    const bool one_default = default_value.shape() == value_shape_;
    const double nanos = std::is_same_v<K, std::string> ? 60 : 15;
    call.parallel_for(all.size(), nanos, [&](std::size_t begin, std::size_t end) {
      std::array<std::int64_t, KeyIndex<K>::kBlock> rows;
      for (std::size_t block = begin; block < end; block += rows.size()) {
        const std::size_t count = std::min(rows.size(), end - block);
        index_.find_block(all.data() + block, count, rows.data());
        rows_.get_block({rows.data(), count}, default_value, one_default, values,
                        static_cast<std::int64_t>(block));
      }
    });
  }

  void do_insert(const Tensor& keys, const Tensor& values) override {
    if (once()) unsupported("Insert");
    add_all(keys, values);
  }

  void do_remove(const Tensor& keys) override {
    if (once()) unsupported("Remove");
    for (const K& key : keys.flat<K>()) {
      const std::int64_t row = index_.remove(key);
      if (row == KeyIndex<K>::kNone) continue;
      if (row != index_.size()) rows_.move(index_.size(), row);
      rows_.resize(index_.size());
    }
  }

  void do_import(const Tensor& keys, const Tensor& values) override {
    check_values(keys, values);
    if (once()) return do_initialize(keys, values);
    clear();
    add_all(keys, values);
  }

  void do_initialize(const Tensor& keys, const Tensor& values) override {
    if (!once()) return Table::do_initialize(keys, values);
    if (initialized_) {
      if (keys.element_count() != index_.size())
        raise(Code::kFailedPrecondition, "Table was already initialized with different data.");
      return;
    }
    check_values(keys, values);
    try {
      add_new(keys, values);
    } catch (...) {
      clear();
      throw;
    }
    initialized_ = true;
  }

  std::pair<Tensor, Tensor> do_export() const override {
    const std::int64_t count = index_.size();
    Tensor keys(dtype_of<K>, {count});
    std::ranges::copy(index_.keys(), keys.data<K>());
    std::vector<std::int64_t> dims{count};
    dims.insert(dims.end(), value_shape_.dims().begin(), value_shape_.dims().end());
    Tensor values(value_type_, Shape(dims));
    for (std::int64_t i = 0; i < count; ++i) rows_.get(i, values, i);
    return {std::move(keys), std::move(values)};
  }

  std::int64_t do_size() const override { return index_.size(); }

  void clear() {
    index_.clear();
    rows_.resize(0);
  }

  void add_all(const Tensor& keys, const Tensor& values) {
    std::int64_t i = 0;
    for (const K& key : keys.flat<K>()) {
      const auto [row, is_new] = index_.add(key);
      if (is_new) rows_.resize(index_.size());
      rows_.set(row, values, i++);
    }
  }

  // A key may come twice with the same value only.
  void add_new(const Tensor& keys, const Tensor& values) {
    index_.reserve(keys.element_count());
    std::int64_t i = 0;
    for (const K& key : keys.flat<K>()) {
      const auto [row, is_new] = index_.add(key);
      if (is_new) {
        rows_.resize(index_.size());
        rows_.set(row, values, i);
      } else if (!rows_.equals(row, values, i)) {
        Tensor before(value_type_, value_shape_), now(value_type_, value_shape_);
        rows_.get(row, before, 0);
        rows_.copy(values, i, now, 0);
        raise(Code::kFailedPrecondition, "HashTable has different value for same key. Key ", key,
              " has ", element_text(before), " and trying to add value ", element_text(now));
      }
      ++i;
    }
  }

  const TableKind kind_;
  bool initialized_ = false;
  KeyIndex<K> index_;
  ValueRows rows_;
};

}  // namespace

std::shared_ptr<Table> make_row_table(TableKind kind, std::string name, DType key_type,
                                      DType value_type, const Shape& value_shape) {
  switch (key_type) {
    case DType::i32:
      return std::make_shared<RowTable<std::int32_t>>(kind, std::move(name), value_type,
                                                      value_shape);
    case DType::i64:
      return std::make_shared<RowTable<std::int64_t>>(kind, std::move(name), value_type,
                                                      value_shape);
    case DType::string:
      return std::make_shared<RowTable<std::string>>(kind, std::move(name), value_type,
                                                     value_shape);
    default:
      raise(Code::kUnimplemented, "a table with keys of type ", key_type);
  }
}

}  // namespace rill
