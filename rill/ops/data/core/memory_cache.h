#pragma once

#include <memory>
#include <mutex>

#include "rill/ops/data/core/dataset.h"
#include "rill/tensor/resource_handle.h"

namespace rill {

// All elements of a dataset, once somebody has seen them all. Safe from several threads.
class MemoryCache final : public Resource {
 public:
  using Contents = std::shared_ptr<const std::vector<Element>>;
  static constexpr const char* kTypeName = "tensorflow::data::MemoryCacheManager";
  std::string describe() const override { return "cache of elements"; }

  Contents contents() const {  // nullptr while it is not complete
    const std::lock_guard lock(mutex_);
    return contents_;
  }
  // The first one to complete it wins.
  Contents complete(std::vector<Element> elements) {
    const std::lock_guard lock(mutex_);
    if (contents_ == nullptr)
      contents_ = std::make_shared<const std::vector<Element>>(std::move(elements));
    return contents_;
  }

 private:
  mutable std::mutex mutex_;
  Contents contents_;
};

}  // namespace rill
