#ifndef TENSORFLOW_SERVING_UTIL_OPTIONAL_H_
#define TENSORFLOW_SERVING_UTIL_OPTIONAL_H_

#include <cassert>
#include <new>
#include <type_traits>
#include <utility>

namespace tensorflow {
namespace serving {

struct nullopt_t {
  explicit constexpr nullopt_t(int) {}
};
static constexpr nullopt_t nullopt{0};
struct in_place_t {};
static constexpr in_place_t in_place{};

// A value that may be missing.
template <typename T>
class optional {
 public:
  optional() {}
  optional(nullopt_t) {}
  optional(const T& value) { Set(value); }
  optional(T&& value) { Set(std::move(value)); }
  template <typename... Args>
  explicit optional(in_place_t, Args&&... args) {
    Set(std::forward<Args>(args)...);
  }
  optional(const optional& other) {
    if (other.has_) Set(*other);
  }
  optional(optional&& other) {
    if (other.has_) Set(std::move(*other));
  }
  optional& operator=(const optional& other) {
    if (this == &other) return *this;
    Clear();
    if (other.has_) Set(*other);
    return *this;
  }
  optional& operator=(optional&& other) {
    if (this == &other) return *this;
    Clear();
    if (other.has_) Set(std::move(*other));
    return *this;
  }
  ~optional() { Clear(); }

  explicit operator bool() const { return has_; }
  bool has_value() const { return has_; }
  T& operator*() { return *Get(); }
  const T& operator*() const { return *Get(); }
  T* operator->() { return Get(); }
  const T* operator->() const { return Get(); }
  T& value() { return *Get(); }
  const T& value() const { return *Get(); }
  template <typename U>
  T value_or(U&& other) const {
    return has_ ? *Get() : static_cast<T>(std::forward<U>(other));
  }
  void reset() { Clear(); }
  template <typename... Args>
  void emplace(Args&&... args) {
    Clear();
    Set(std::forward<Args>(args)...);
  }

 private:
  T* Get() {
    assert(has_);
    return reinterpret_cast<T*>(&space_);
  }
  const T* Get() const {
    assert(has_);
    return reinterpret_cast<const T*>(&space_);
  }
  template <typename... Args>
  void Set(Args&&... args) {
    new (&space_) T(std::forward<Args>(args)...);
    has_ = true;
  }
  void Clear() {
    if (has_) Get()->~T();
    has_ = false;
  }
  typename std::aligned_storage<sizeof(T), alignof(T)>::type space_;
  bool has_ = false;
};

template <typename T>
bool operator==(const optional<T>& a, const optional<T>& b) {
  return static_cast<bool>(a) == static_cast<bool>(b) && (!a || *a == *b);
}
template <typename T>
bool operator!=(const optional<T>& a, const optional<T>& b) {
  return !(a == b);
}
template <typename T>
bool operator==(const optional<T>& a, nullopt_t) {
  return !a;
}
template <typename T>
bool operator!=(const optional<T>& a, nullopt_t) {
  return static_cast<bool>(a);
}

}  // namespace serving
}  // namespace tensorflow

#endif
