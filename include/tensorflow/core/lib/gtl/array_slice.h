#ifndef TENSORFLOW_CORE_LIB_GTL_ARRAY_SLICE_H_
#define TENSORFLOW_CORE_LIB_GTL_ARRAY_SLICE_H_

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "tensorflow/core/platform/types.h"

namespace tensorflow {
namespace gtl {

// A range of elements that somebody else owns.
template <typename T>
class Span {
 public:
  typedef typename std::remove_cv<T>::type value_type;
  typedef T* pointer;
  typedef T* iterator;
  typedef const T* const_iterator;
  typedef size_t size_type;
  static const size_t npos = static_cast<size_t>(-1);

  Span() : data_(nullptr), size_(0) {}
  Span(T* data, size_t size) : data_(data), size_(size) {}
  template <size_t N>
  Span(T (&array)[N]) : data_(array), size_(N) {}
  // Anything with data() and size(); read-only elements may come from a constant container.
  template <typename C, typename D = decltype(std::declval<C&>().data()),
            typename = typename std::enable_if<std::is_convertible<D, T*>::value>::type>
  Span(C& container) : data_(container.data()), size_(container.size()) {}
  template <typename C, typename D = decltype(std::declval<const C&>().data()),
            typename = typename std::enable_if<std::is_const<T>::value &&
                                               std::is_convertible<D, T*>::value>::type,
            typename = void>
  Span(const C& container) : data_(container.data()), size_(container.size()) {}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
  // Lives as long as the call that it is an argument of.
  template <typename U = T, typename = typename std::enable_if<std::is_const<U>::value>::type>
  Span(std::initializer_list<value_type> values) : data_(values.begin()), size_(values.size()) {}
#pragma GCC diagnostic pop

  T* data() const { return data_; }
  size_t size() const { return size_; }
  size_t length() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) const { return data_[i]; }
  T& at(size_t i) const { return data_[i]; }
  T& front() const { return data_[0]; }
  T& back() const { return data_[size_ - 1]; }
  iterator begin() const { return data_; }
  iterator end() const { return data_ + size_; }
  Span subspan(size_t pos, size_t n = npos) const {
    pos = pos < size_ ? pos : size_;
    return Span(data_ + pos, n < size_ - pos ? n : size_ - pos);
  }
  void remove_prefix(size_t n) { *this = subspan(n); }
  void remove_suffix(size_t n) { size_ -= n < size_ ? n : size_; }
  bool operator==(const Span& other) const {
    if (size_ != other.size_) return false;
    for (size_t i = 0; i < size_; ++i)
      if (!(data_[i] == other.data_[i])) return false;
    return true;
  }
  bool operator!=(const Span& other) const { return !(*this == other); }

 private:
  T* data_;
  size_t size_;
};

template <typename T>
using ArraySlice = Span<const T>;
template <typename T>
using MutableArraySlice = Span<T>;

}  // namespace gtl
}  // namespace tensorflow

#endif
