#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>

#include "rill/kernel/kernel_call.h"

namespace rill {

// What an op on a table needs to know of keys, checked: `count` keys of key_size elements each.
class Table : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::lookup::LookupInterface";

  Table(std::string name, DType key_type, DType value_type, Shape key_shape, Shape value_shape)
      : name_(std::move(name)),
        key_type_(key_type),
        value_type_(value_type),
        key_shape_(std::move(key_shape)),
        value_shape_(std::move(value_shape)) {}

  DType key_type() const { return key_type_; }
  DType value_type() const { return value_type_; }
  const Shape& value_shape() const { return value_shape_; }
  std::string describe() const override;

  // Values of `keys`, the default where there is none: one for all, or one for each key.
  Tensor find(const KernelCall& call, const Tensor& keys, const Tensor& default_value) const;
  void insert(const Tensor& keys, const Tensor& values);
  void remove(const Tensor& keys);
  // Replaces all that is in the table.
  void import(const Tensor& keys, const Tensor& values);
  // Fills a table that is filled once; of one that is filled already only the size is compared.
  void initialize(const Tensor& keys, const Tensor& values);
  std::pair<Tensor, Tensor> export_all() const;
  std::int64_t size() const;

 protected:
  // These find types and shapes checked and the lock held.
  virtual void do_find(const KernelCall& call, const Tensor& keys, const Tensor& default_value,
                       Tensor& values) const = 0;
  virtual void do_insert(const Tensor& keys, const Tensor& values) = 0;
  virtual void do_remove(const Tensor& keys) = 0;
  virtual void do_import(const Tensor& keys, const Tensor& values) = 0;
  virtual void do_initialize(const Tensor& keys, const Tensor& values);
  virtual std::pair<Tensor, Tensor> do_export() const = 0;
  virtual std::int64_t do_size() const = 0;
  // The shape of the batch of keys; throws InvalidArgument when it does not end in the key's shape.
  virtual Shape batch_shape(const Tensor& keys) const;

  void check_values(const Tensor& keys, const Tensor& values) const;
  const std::string name_;
  const DType key_type_, value_type_;
  const Shape key_shape_, value_shape_;

 private:
  mutable std::shared_mutex mutex_;
};

// The kinds of tables that rows are kept in: one filled once, one that changes, one whose values
// are vectors.
enum class TableKind { kInitialized, kMutable, kOfTensors };
std::shared_ptr<Table> make_row_table(TableKind kind, std::string name, DType key_type,
                                      DType value_type, const Shape& value_shape);

struct DenseTableOptions {
  Tensor empty_key, deleted_key;  // the second is absent in the older op
  DType value_type;
  Shape value_shape;
  std::int64_t initial_buckets;
  float max_load_factor;
};
// Throws InvalidArgument when the options make no sense.
std::shared_ptr<Table> make_dense_table(std::string name, const DenseTableOptions& options);

}  // namespace rill
