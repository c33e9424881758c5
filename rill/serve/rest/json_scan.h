#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace rill::serve {

// Numbers of which nobody knows how many will come.
template <class T>
class NumberStore {
 public:
  NumberStore() = default;
  ~NumberStore() { std::free(values_); }
  NumberStore(NumberStore&& other) noexcept { swap(other); }
  NumberStore& operator=(NumberStore&& other) noexcept {
    swap(other);
    return *this;
  }

  std::size_t size() const { return size_; }
  const T* data() const { return values_; }
  // A place for so many more, of which add() takes in as many as were written.
  T* place(std::size_t more) {
    if (size_ + more > room_) [[unlikely]]
      grow(size_ + size_ / 2 + more);
    return values_ + size_;
  }
  void add(std::size_t count) { size_ += count; }
  void reserve(std::size_t room) {
    if (room > room_) grow(room);
  }
  // Gives the memory away, cut to its size; std::free releases it.
  T* release() {
    if (T* const cut = static_cast<T*>(std::realloc(values_, size_ * sizeof(T)))) values_ = cut;
    size_ = room_ = 0;
    return std::exchange(values_, nullptr);
  }

 private:
  void grow(std::size_t room) {
    T* const larger = static_cast<T*>(std::realloc(values_, room * sizeof(T)));
    if (larger == nullptr) throw std::bad_alloc();
    values_ = larger;
    room_ = room;
  }
  void swap(NumberStore& other) {
    std::swap(values_, other.values_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
  }

  T* values_ = nullptr;
  std::size_t size_ = 0, room_ = 0;
};

inline constexpr int kDeepestLists = 16;
struct ListShape {
  int rank = 0;  // 0: not known yet
  std::int64_t dims[kDeepestLists] = {};
  std::span<const std::int64_t> span() const { return {dims, static_cast<std::size_t>(rank)}; }
};

// Reads nested lists of numbers, "[[1, 2], [3, 4]]", which begin at `begin`; eight bytes before it
// must be there as well. Puts the numbers behind those of `values` and gives the shape, which must
// be that of `shape` if it has one. Returns what follows the lists, or nullptr when they are not of
// one shape, hold none or anything but numbers of the type, or are written so oddly that it is
// not worth while; `values` and `shape` are then of no use. Decimals are those nearest to the text,
// as doubles, then rounded to T. T is float, double, or std::int32_t, int64_t, uint8_t.
template <class T>
const char* scan_number_lists(const char* begin, const char* end, NumberStore<T>* values,
                              ListShape* shape);

}  // namespace rill::serve
