#include "rill/inspect/debugger/name_pattern.h"

#include <re2/re2.h>

#include "rill/base/error.h"

namespace rill::debugger {

NamePattern::NamePattern(const std::string& text) {
  if (text.empty()) return;
  regex_ = std::make_unique<re2::RE2>("^(?:" + text + ")", re2::RE2::Quiet);
  require(regex_->ok(), "\"", text, "\" is no regular expression: ", regex_->error());
}

NamePattern::~NamePattern() = default;

bool NamePattern::matches(const std::string& text) const {
  return regex_ == nullptr || re2::RE2::PartialMatch(text, *regex_);
}

}  // namespace rill::debugger
