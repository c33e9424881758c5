#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "rill/graph/op.h"

namespace rill {

// The ops that exist. Filled by calls, never by static initialisers, so a test may build one with
// three ops. Safe from several threads; an Op stays valid as long as its registry. Ops are never
// removed or changed.
class Registry {
 public:
  Registry() = default;
  const Op& add(const OpDecl& decl);  // throws AlreadyExists on a second op of that name
  const Op& add(Op op);

  const Op* find(std::string_view name) const;  // nullptr when there is none
  const Op& at(std::string_view name) const;    // throws NotFound: "Op type not registered 'X'..."
  std::vector<const Op*> all() const;           // sorted by name

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<const Op>, std::less<>> ops_;
};

}  // namespace rill
