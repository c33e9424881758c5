#include "rill/inspect/profiler/name_patterns.h"

#include <re2/re2.h>

#include <algorithm>

#include "rill/base/error.h"

namespace rill::profiler {

NamePatterns::NamePatterns(const std::vector<std::string>& regexes) {
  for (const auto& regex : regexes) {
    if (regex == ".*") matches_all_ = true;
    regexes_.push_back(std::make_unique<re2::RE2>(regex, re2::RE2::Quiet));
    require(regexes_.back()->ok(), "Invalid regular expression '", regex,
            "': ", regexes_.back()->error());
  }
}

NamePatterns::~NamePatterns() = default;

bool NamePatterns::match(const std::string& name) const {
  return matches_all_ || std::any_of(regexes_.begin(), regexes_.end(), [&](const auto& regex) {
           return re2::RE2::FullMatch(name, *regex);
         });
}

}  // namespace rill::profiler
