#ifndef TENSORFLOW_CORE_LIB_CORE_REFCOUNT_H_
#define TENSORFLOW_CORE_LIB_CORE_REFCOUNT_H_

#include <atomic>
#include <memory>

#include "tensorflow/core/platform/logging.h"

namespace tensorflow {
namespace core {

// Lives until the last of its references is given up; made with one.
class RefCounted {
 public:
  RefCounted() : ref_(1) {}
  void Ref() const { ref_.fetch_add(1, std::memory_order_relaxed); }
  bool Unref() const {  // true when that was the last
    if (ref_.fetch_sub(1, std::memory_order_acq_rel) != 1) return false;
    delete this;
    return true;
  }
  bool RefCountIsOne() const { return ref_.load(std::memory_order_acquire) == 1; }

 protected:
  virtual ~RefCounted() {}

 private:
  mutable std::atomic<int> ref_;
  RefCounted(const RefCounted&) = delete;
  void operator=(const RefCounted&) = delete;
};

struct RefCountDeleter {
  void operator()(const RefCounted* o) const { o->Unref(); }
};
template <typename T>
using RefCountPtr = std::unique_ptr<T, RefCountDeleter>;

class ScopedUnref {
 public:
  explicit ScopedUnref(const RefCounted* o) : obj_(o) {}
  ~ScopedUnref() {
    if (obj_ != nullptr) obj_->Unref();
  }

 private:
  const RefCounted* obj_;
  ScopedUnref(const ScopedUnref&) = delete;
  void operator=(const ScopedUnref&) = delete;
};

}  // namespace core
}  // namespace tensorflow

#endif
