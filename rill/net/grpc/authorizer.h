#pragma once

#include <optional>
#include <string_view>

#include "rill/base/error.h"

namespace rill::net {

// Decides which calls a server takes. What it says may change while calls come. Safe from several
// threads at once.
class Authorizer {
 public:
  virtual ~Authorizer() = default;
  // False: every call is taken. Then nobody looks at the headers of a call, which costs time.
  virtual bool is_needed() const = 0;
  // Why a call with this Authorization header, "" if it has none, is refused; empty if it is taken.
  virtual std::optional<Error> refusal(std::string_view authorization) const = 0;
};

}  // namespace rill::net
