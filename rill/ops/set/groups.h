#pragma once

#include <algorithm>
#include <span>

#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/sparse/sparse_parts.h"

namespace rill {

// Without being asked to validate indices, only what must not be wrong is checked.
inline void check_set(const SparseInput& sparse, bool validate) {
  require(sparse.rank() >= 2, "Invalid rank ", sparse.rank(), ".");
  (void)sparse.dense_shape();  // refuses what overflows
  if (validate) check_ordered(sparse);
}

// Throws InvalidArgument when the index of a group lies outside of the groups' shape.
inline void check_group(const Index* index, const Dims& shape) {
  for (int d = 0; d < shape.size(); ++d)
    if (index[d] < 0 || index[d] >= shape[d])
      raise(Code::kInvalidArgument, "indices[", 0, ", ", d, "] expected < ", shape[d], ", got ",
            index[d], ".");
}

// The elements of a few numbers in order, each once: the place of each is how many are smaller.
// That takes more comparisons than sorting, but no branch that nobody could foretell.
inline constexpr std::int64_t kFewInSet = 32;

template <class T>
void few_as_set(std::span<const T> numbers, std::vector<T>& set) {
  T placed[kFewInSet] = {};
  bool used[kFewInSet] = {};
  for (const T number : numbers) {
    std::int32_t smaller = 0;
    for (const T other : numbers) smaller += other < number;
    placed[smaller] = number;
    used[smaller] = true;
  }
  set.resize(numbers.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    set[count] = placed[i];
    count += used[i];
  }
  set.resize(count);
}

// The rows of a dense or sparse tensor, one after the other. Of a sparse one those that are empty
// are left out.
template <class T>
class Groups {
 public:
  static Groups dense(const Tensor& tensor) {
    require(tensor.rank() >= 2, "Shape ", tensor.shape(), " has rank ", tensor.rank(), " < 2");
    Groups groups;
    const int last = tensor.rank() - 1;
    groups.shape_ = Dims(tensor.shape().dims().first(static_cast<std::size_t>(last)));
    groups.index_ = groups.shape_;
    std::fill_n(groups.index_.data(), last, 0);
    groups.width_ = tensor.dim(last);
    groups.values_ = tensor.data<T>();
    groups.count_ = tensor.element_count();
    groups.end_ = groups.width_;
    return groups;
  }
  static Groups sparse(SparseInput sparse, bool validate) {
    check_set(sparse, validate);
    Groups groups;
    groups.shape_ = Dims(sparse.shape.span().first(static_cast<std::size_t>(sparse.rank()) - 1));
    groups.values_ = sparse.values.template data<T>();
    groups.count_ = sparse.count();
    groups.sparse_ = std::move(sparse);
    groups.find_end();
    return groups;
  }

  // Groups [first, last) of a dense tensor.
  Groups part(std::int64_t first, std::int64_t last) const {
    Groups groups = *this;
    groups.begin_ = first * width_;
    groups.end_ = groups.begin_ + width_;
    groups.count_ = last * width_;
    for (int d = shape_.size() - 1; d >= 0; first /= shape_[d--])
      groups.index_[d] = first % shape_[d];
    return groups;
  }

  const Dims& shape() const { return shape_; }
  bool done() const { return begin_ >= count_; }
  const Index* index() const { return is_sparse() ? sparse_.index(begin_) : index_.data(); }
  // The elements of the group in order, each once.
  void read_set(std::vector<T>& set) const {
    if constexpr (std::is_integral_v<T>)
      if (end_ - begin_ <= kFewInSet) return few_as_set<T>({values_ + begin_, values_ + end_}, set);
    set.assign(values_ + begin_, values_ + end_);
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }
  void next() {
    begin_ = end_;
    if (is_sparse()) return find_end();
    end_ += width_;
    for (int d = shape_.size() - 1; d >= 0 && ++index_[d] == shape_[d]; --d) index_[d] = 0;
  }

 private:
  bool is_sparse() const { return sparse_.values.has_value(); }
  void find_end() {
    while (end_ < count_ && compare_indices(index(), sparse_.index(end_), shape_.size()) == 0)
      ++end_;
  }

  Dims shape_, index_;
  SparseInput sparse_;  // empty for a dense tensor
  const T* values_ = nullptr;
  std::int64_t width_ = 0, count_ = 0, begin_ = 0, end_ = 0;
};

}  // namespace rill
