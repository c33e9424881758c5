#pragma once

#include <memory>
#include <string>
#include <vector>

namespace re2 {
class RE2;
}

namespace rill::profiler {

// Regexes of which one has to match a whole name. Throws InvalidArgument where one does not
// compile.
class NamePatterns {
 public:
  explicit NamePatterns(const std::vector<std::string>& regexes);
  ~NamePatterns();

  bool match(const std::string& name) const;
  bool matches_all() const { return matches_all_; }

 private:
  std::vector<std::unique_ptr<re2::RE2>> regexes_;
  bool matches_all_ = false;  // ".*" is among them: the usual case need not be looked at
};

}  // namespace rill::profiler
