#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace rill {

// What was asked of parameter servers, and what they did: each run of a training step has a number,
// which every server writes down when it has applied its part of the update.
class Ledger {
 public:
  std::int64_t begin() { return ++last_; }  // a run begins: its number
  void applied(const std::string& server, std::int64_t run) { ++applied_[{run, server}]; }
  void succeeded(std::int64_t run) { succeeded_.insert(run); }

  std::int64_t runs() const { return last_; }
  std::size_t successes() const { return succeeded_.size(); }
  // No part of a run was applied twice, and all parts of those that succeeded were. Else, what is
  // wrong.
  std::string check(const std::set<std::string>& servers) const;

 private:
  std::int64_t last_ = 0;
  std::map<std::pair<std::int64_t, std::string>, int> applied_;
  std::set<std::int64_t> succeeded_;
};

}  // namespace rill
