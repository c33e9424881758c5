#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rill/base/error.h"

namespace rill::cluster {

// When another task last answered this process, and what a call of it last failed with.
class Contact {
 public:
  explicit Contact(std::string address) : address(std::move(address)) {}
  // How a call of it ended. That it answered with an error is an answer, too.
  void note(Code code, const std::string& message);

  struct Seen {
    std::int64_t answered = 0, failed = 0;  // of monotonic_nanos(); 0: never
    std::string failure;
  };
  Seen seen() const;

  const std::string address;

 private:
  mutable std::mutex mutex_;
  Seen seen_;
};

std::shared_ptr<Contact> contact_with(const std::string& address);
std::vector<std::shared_ptr<Contact>> contacts();  // of this process

}  // namespace rill::cluster
