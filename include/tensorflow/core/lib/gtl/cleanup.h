#ifndef TENSORFLOW_CORE_LIB_GTL_CLEANUP_H_
#define TENSORFLOW_CORE_LIB_GTL_CLEANUP_H_

#include <utility>

namespace tensorflow {
namespace gtl {

// Calls a function at the end of its scope unless it was released.
template <typename F>
class Cleanup {
 public:
  explicit Cleanup(F f) : f_(std::move(f)), armed_(true) {}
  Cleanup(Cleanup&& other) : f_(std::move(other.f_)), armed_(other.armed_) { other.armed_ = false; }
  ~Cleanup() {
    if (armed_) f_();
  }
  F release() {
    armed_ = false;
    return std::move(f_);
  }
  bool is_released() const { return !armed_; }

 private:
  F f_;
  bool armed_;
};

template <typename F>
Cleanup<F> MakeCleanup(F f) {
  return Cleanup<F>(std::move(f));
}

}  // namespace gtl
}  // namespace tensorflow

#endif
