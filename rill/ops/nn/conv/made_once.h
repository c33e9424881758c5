#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "rill/tensor/tensor.h"

namespace rill {

// Something costly made of tensors that are mostly the same in every call: constants, variables.
// What is kept shares their storage, so that nobody can write to it: variables that change get
// other storage. Safe to use from several threads at once.
template <class Made>
class MadeOnce {
 public:
  // What make() gives; what was given before when it was made of these very tensors and `keeps`.
  template <class Make>
  std::shared_ptr<Made> find(std::vector<Tensor> from, bool keeps, Make make) {
    if (!keeps) return make();
    std::lock_guard lock(mutex_);
    if (made_ != nullptr && same(from, from_)) return made_;
    made_ = nullptr;  // gone before there are two
    made_ = make();
    from_ = std::move(from);
    return made_;
  }

 private:
  static bool same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!a[i].shares_storage(b[i]) || a[i].raw_data() != b[i].raw_data() ||
          !(a[i].shape() == b[i].shape()))
        return false;
    return true;
  }

  std::mutex mutex_;
  std::vector<Tensor> from_;
  std::shared_ptr<Made> made_;
};

}  // namespace rill
