#pragma once

#include <source_location>

namespace rill {

// While it lives, errors that this thread raises name `line`, the place in the program that asked
// for what is being done: it is their at(), and what() ends with it. nullptr changes nothing.
class ErrorPlace {
 public:
  explicit ErrorPlace(const std::source_location* line);
  ~ErrorPlace();
  ErrorPlace(const ErrorPlace&) = delete;
  ErrorPlace& operator=(const ErrorPlace&) = delete;

 private:
  const std::source_location* outer_;
};

}  // namespace rill
