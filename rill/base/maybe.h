#pragma once

#include <optional>
#include <utility>

#include "rill/base/error.h"

namespace rill {

// What may not be there: a std::optional whose * and -> say what is missing, by throwing NotFound.
template <class T>
class Maybe : public std::optional<T> {
 public:
  using std::optional<T>::optional;
  Maybe(std::optional<T> value, const char* missing)
      : std::optional<T>(std::move(value)), missing_(missing) {}

  T& operator*() & { return checked(); }
  const T& operator*() const& { return const_cast<Maybe*>(this)->checked(); }
  T&& operator*() && { return std::move(checked()); }
  T* operator->() { return &checked(); }
  const T* operator->() const { return &const_cast<Maybe*>(this)->checked(); }

 private:
  T& checked() {
    if (!this->has_value()) raise(Code::kNotFound, missing_);
    return std::optional<T>::operator*();
  }
  const char* missing_ = "there is no value";
};

}  // namespace rill
