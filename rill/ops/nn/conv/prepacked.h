#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "rill/tensor/tensor.h"

namespace rill {

// The pre-packed form of weights (a kernel's own layout of them), cached between calls. The cache
// holds the tensors it was made of, so their storage is never written in place: a variable that is
// updated gets other storage, which the next call notices. Safe to use from several threads at
// once.
template <class Made>
class Prepacked {
 public:
  // Returns what make() returns; the cached result where `prepack` is set and `from` are the
  // tensors that it was made of.
  template <class Make>
  std::shared_ptr<Made> find(std::vector<Tensor> from, bool prepack, Make make) {
    if (!prepack) return make();
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
