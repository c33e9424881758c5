#pragma once

#include <memory>
#include <mutex>

namespace rill::serve {

// Something that belongs to another, made when it is first asked for. Safe from several threads at
// once.
class Kept {
 public:
  // `make` gives a std::shared_ptr<T>; everybody must ask for the same T.
  template <class T, class Make>
  T& get(const Make& make) {
    std::call_once(once_, [&] { held_ = make(); });
    return *static_cast<T*>(held_.get());
  }

 private:
  std::once_flag once_;
  std::shared_ptr<void> held_;
};

}  // namespace rill::serve
