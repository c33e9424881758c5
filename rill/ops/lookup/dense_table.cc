#include "rill/base/hash64.h"
#include "rill/ops/lookup/table.h"
#include "rill/ops/lookup/value_rows.h"

namespace rill {
namespace {

constexpr std::int64_t kMinBuckets = 4;

std::uint64_t bucket_hash(const std::string& key) { return hash64(key); }
std::uint64_t bucket_hash(std::int64_t key) { return static_cast<std::uint64_t>(key); }

bool is_power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

// Buckets of keys, all of them in one tensor, as exporting shows them. Empty and deleted buckets
// hold a key that programs promise not to use.
template <class K>
class DenseTable final : public Table {
 public:
  DenseTable(std::string name, const DenseTableOptions& options)
      : Table(std::move(name), dtype_of<K>, options.value_type, options.empty_key.shape(),
              options.value_shape),
        key_size_(options.empty_key.element_count()),
        empty_key_(options.empty_key.clone()),
        deleted_key_(options.deleted_key.has_value() ? options.deleted_key.clone() : Tensor()),
        max_load_factor_(options.max_load_factor),
        values_(options.value_type, options.value_shape.element_count()) {
    allocate(options.initial_buckets);
  }

 private:
  // What a search comes to: the bucket of the key, and the first one where it could go.
  struct Place {
    std::int64_t found = -1, free = -1;
  };

  const K* empty_key() const { return empty_key_.template data<K>(); }
  bool is_deleted(const K* key) const {
    return deleted_key_.has_value() && same(key, deleted_key_.template data<K>());
  }
  bool same(const K* a, const K* b) const { return std::equal(a, a + key_size_, b); }
  const K* key_at(const Tensor& keys, std::int64_t i) const {
    return keys.data<K>() + i * key_size_;
  }

  std::uint64_t hash(const K* key) const {
    if (key_size_ == 1) return bucket_hash(*key);
    std::uint64_t h = 0;
    for (std::int64_t i = 0; i < key_size_; ++i) h = hash64_combine(h, bucket_hash(key[i]));
    return h;
  }

  void check_key(const K* key) const {
    require(!same(key, empty_key()), "Using the empty_key as a table key is not allowed");
    require(!is_deleted(key), "Using the deleted_key as a table key is not allowed");
  }

  Place search(const K* key) const {
    const std::int64_t mask = buckets_ - 1;
    auto bucket = static_cast<std::int64_t>(hash(key)) & mask;
    Place place;
    for (std::int64_t probes = 1; probes <= buckets_; ++probes) {
      const K* const there = key_at(keys_, bucket);
      if (same(there, key)) {
        place.found = bucket;
        return place;
      }
      const bool empty = same(there, empty_key());
      if (place.free < 0 && (empty || is_deleted(there))) place.free = bucket;
      if (empty) return place;
      bucket = (bucket + probes) & mask;
    }
    return place;
  }

  Shape batch_shape(const Tensor& keys) const override {
    const Shape batch = Table::batch_shape(keys);
    require(batch.rank() == 1, "Expected key shape ", Shape({batch.element_count()}), " got ",
            keys.shape());
    return batch;
  }

  void do_find(const KernelCall&, const Tensor& keys, const Tensor& default_value,
               Tensor& values) const override {
    const bool one_default = default_value.shape() == value_shape_;
    const std::int64_t count = keys.element_count() / std::max<std::int64_t>(1, key_size_);
    for (std::int64_t i = 0; i < count; ++i) {
      check_key(key_at(keys, i));
      const Place place = search(key_at(keys, i));
      if (place.found >= 0)
        values_.get(place.found, values, i);
      else
        values_.copy(default_value, one_default ? 0 : i, values, i);
    }
  }

  void do_insert(const Tensor& keys, const Tensor& values) override {
    const std::int64_t count = keys.element_count() / std::max<std::int64_t>(1, key_size_);
    make_room(count);
    for (std::int64_t i = 0; i < count; ++i) check_key(key_at(keys, i));
    for (std::int64_t i = 0; i < count; ++i) put(key_at(keys, i), values, i);
  }

  void do_remove(const Tensor& keys) override {
    if (!deleted_key_.has_value())
      raise(Code::kUnimplemented, "removing from a dense table without a deleted_key");
    const std::int64_t count = keys.element_count() / std::max<std::int64_t>(1, key_size_);
    for (std::int64_t i = 0; i < count; ++i) check_key(key_at(keys, i));
    const Tensor nothing = Tensor::zeros(value_type_, value_shape_);
    for (std::int64_t i = 0; i < count; ++i) {
      const Place place = search(key_at(keys, i));
      if (place.found < 0) continue;
      std::copy_n(deleted_key_.template data<K>(), key_size_,
                  keys_.data<K>() + place.found * key_size_);
      values_.set(place.found, nothing, 0);
      --entries_;
    }
  }

  // Takes what export_all gives: buckets, empty ones among them.
  void do_import(const Tensor& keys, const Tensor& values) override {
    const std::int64_t count = keys.element_count() / std::max<std::int64_t>(1, key_size_);
    require(count * key_size_ == keys.element_count(), "Expected keys of ", key_size_,
            " elements, got shape ", keys.shape());
    require(values.element_count() == count * value_shape_.element_count(), "Expected ", count,
            " values of shape ", value_shape_, ", got ", values.shape());
    std::int64_t buckets = kMinBuckets;
    while (buckets < count) buckets *= 2;
    allocate(buckets);
    for (std::int64_t i = 0; i < count; ++i) {
      const K* const key = key_at(keys, i);
      if (same(key, empty_key()) || is_deleted(key)) continue;
      make_room(1);
      put(key, values, i);
    }
  }

  std::pair<Tensor, Tensor> do_export() const override {
    Tensor values(value_type_, {buckets_, value_shape_.element_count()});
    for (std::int64_t i = 0; i < buckets_; ++i) values_.get(i, values, i);
    return {keys_.clone(), std::move(values)};
  }

  std::int64_t do_size() const override { return entries_; }

  void allocate(std::int64_t buckets) {
    keys_ = Tensor(dtype_of<K>, {buckets, key_size_});
    for (std::int64_t i = 0; i < buckets; ++i)
      std::copy_n(empty_key(), key_size_, keys_.data<K>() + i * key_size_);
    values_.resize(0);
    values_.resize(buckets);
    buckets_ = buckets;
    entries_ = 0;
  }

  void make_room(std::int64_t more) {
    std::int64_t wanted = buckets_;
    while (static_cast<double>(entries_ + more) >
           static_cast<double>(wanted) * static_cast<double>(max_load_factor_))
      wanted *= 2;
    if (wanted == buckets_) return;
    auto [keys, values] = do_export();
    allocate(wanted);
    for (std::int64_t i = 0; i < keys.dim(0); ++i)
      if (!same(key_at(keys, i), empty_key()) && !is_deleted(key_at(keys, i)))
        put(key_at(keys, i), values, i);
  }

  void put(const K* key, const Tensor& values, std::int64_t i) {
    const Place place = search(key);
    const std::int64_t bucket = place.found >= 0 ? place.found : place.free;
    if (bucket < 0) raise(Code::kInternal, "the table ", name_, " has no bucket left");
    if (place.found < 0) {
      std::copy_n(key, key_size_, keys_.data<K>() + bucket * key_size_);
      ++entries_;
    }
    values_.set(bucket, values, i);
  }

  const std::int64_t key_size_;
  const Tensor empty_key_, deleted_key_;
  const float max_load_factor_;
  std::int64_t buckets_ = 0, entries_ = 0;
  Tensor keys_;
  ValueRows values_;
};

void check(const DenseTableOptions& o) {
  require(o.empty_key.rank() <= 1, "Empty key must be a scalar or a vector, got shape ",
          o.empty_key.shape());
  require(o.empty_key.element_count() > 0, "Empty key has no elements");
  if (o.deleted_key.has_value())
    require(o.empty_key.shape() == o.deleted_key.shape(),
            "Empty and deleted keys must have same shape, got shapes: ", o.empty_key.shape(),
            " and ", o.deleted_key.shape());
  require(o.max_load_factor > 0 && o.max_load_factor < 1,
          "max_load_factor must be between 0 and 1, got: ", o.max_load_factor);
  require(o.initial_buckets >= kMinBuckets && is_power_of_two(o.initial_buckets),
          "Number of buckets must be at least 4 and a power of 2, got: ", o.initial_buckets);
}

template <class K>
std::shared_ptr<Table> make(std::string name, const DenseTableOptions& o) {
  if (o.deleted_key.has_value())
    require(!std::ranges::equal(o.empty_key.flat<K>(), o.deleted_key.flat<K>()),
            "Empty and deleted keys cannot be equal");
  return std::make_shared<DenseTable<K>>(std::move(name), o);
}

}  // namespace

std::shared_ptr<Table> make_dense_table(std::string name, const DenseTableOptions& options) {
  check(options);
  switch (options.empty_key.dtype()) {
    case DType::i32:
      return make<std::int32_t>(std::move(name), options);
    case DType::i64:
      return make<std::int64_t>(std::move(name), options);
    case DType::string:
      return make<std::string>(std::move(name), options);
    default:
      raise(Code::kUnimplemented, "a table with keys of type ", options.empty_key.dtype());
  }
}

}  // namespace rill
