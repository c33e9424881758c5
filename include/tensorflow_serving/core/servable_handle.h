#ifndef TENSORFLOW_SERVING_CORE_SERVABLE_HANDLE_H_
#define TENSORFLOW_SERVING_CORE_SERVABLE_HANDLE_H_

#include <cstddef>
#include <memory>
#include <utility>

#include "tensorflow/core/platform/macros.h"
#include "tensorflow_serving/core/servable_id.h"
#include "tensorflow_serving/util/any_ptr.h"

namespace tensorflow {
namespace serving {

// Keeps a servable from being unloaded.
class UntypedServableHandle {
 public:
  virtual ~UntypedServableHandle() = default;
  virtual const ServableId& id() const = 0;
  virtual AnyPtr servable() = 0;
};

// The same, for one of a type that is known. Hold it for as long as a request takes, no longer.
template <typename T>
class ServableHandle {
 public:
  ServableHandle() = default;
  explicit ServableHandle(std::unique_ptr<UntypedServableHandle> untyped)
      : untyped_(std::move(untyped)),
        servable_(untyped_ == nullptr ? nullptr : untyped_->servable().get<T>()) {}
  ServableHandle(ServableHandle&& other) noexcept
      : untyped_(std::move(other.untyped_)), servable_(other.servable_) {
    other.servable_ = nullptr;
  }
  ServableHandle& operator=(ServableHandle&& other) noexcept {
    untyped_ = std::move(other.untyped_);
    servable_ = other.servable_;
    other.servable_ = nullptr;
    return *this;
  }

  const ServableId& id() const { return untyped_->id(); }
  T* get() const { return servable_; }
  T& operator*() const { return *servable_; }
  T* operator->() const { return servable_; }
  explicit operator bool() const { return servable_ != nullptr; }

 private:
  std::unique_ptr<UntypedServableHandle> untyped_;
  T* servable_ = nullptr;
  TF_DISALLOW_COPY_AND_ASSIGN(ServableHandle);
};

template <typename T>
bool operator==(const ServableHandle<T>& handle, std::nullptr_t) {
  return handle.get() == nullptr;
}
template <typename T>
bool operator!=(const ServableHandle<T>& handle, std::nullptr_t) {
  return handle.get() != nullptr;
}

}  // namespace serving
}  // namespace tensorflow

#endif
