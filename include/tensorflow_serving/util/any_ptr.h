#ifndef TENSORFLOW_SERVING_UTIL_ANY_PTR_H_
#define TENSORFLOW_SERVING_UTIL_ANY_PTR_H_

#include <cstddef>
#include <memory>
#include <utility>

namespace tensorflow {
namespace serving {

// A pointer to something of a type that is forgotten, and given back to who asks for exactly it.
class AnyPtr {
 public:
  AnyPtr() : pointer_(nullptr), type_(nullptr) {}
  AnyPtr(std::nullptr_t) : AnyPtr() {}
  template <typename T>
  AnyPtr(T* pointer) : pointer_(pointer), type_(TypeOf<T>()) {}

  // nullptr when it points to something else.
  template <typename T>
  T* get() const {
    return type_ == TypeOf<T>() ? static_cast<T*>(pointer_) : nullptr;
  }
  explicit operator bool() const { return pointer_ != nullptr; }

 private:
  template <typename T>
  static const void* TypeOf() {
    static char type = 0;
    return &type;
  }
  void* pointer_;
  const void* type_;
};

// The same, with what it points to.
class UniqueAnyPtr {
 public:
  UniqueAnyPtr() : delete_(nullptr) {}
  template <typename T>
  explicit UniqueAnyPtr(std::unique_ptr<T> pointer)
      : pointer_(pointer.get()), held_(pointer.release()), delete_(&Delete<T>) {}
  UniqueAnyPtr(UniqueAnyPtr&& other) noexcept : UniqueAnyPtr() { Swap(other); }
  UniqueAnyPtr& operator=(UniqueAnyPtr&& other) noexcept {
    UniqueAnyPtr taken(std::move(other));
    Swap(taken);
    return *this;
  }
  ~UniqueAnyPtr() {
    if (delete_ != nullptr) delete_(held_);
  }

  template <typename T>
  T* get() const {
    return pointer_.get<T>();
  }
  const AnyPtr& as_any_ptr() const { return pointer_; }

 private:
  template <typename T>
  static void Delete(void* pointer) {
    delete static_cast<T*>(pointer);
  }
  void Swap(UniqueAnyPtr& other) {
    std::swap(pointer_, other.pointer_);
    std::swap(held_, other.held_);
    std::swap(delete_, other.delete_);
  }
  AnyPtr pointer_;
  void* held_ = nullptr;
  void (*delete_)(void*);
};

}  // namespace serving
}  // namespace tensorflow

#endif
