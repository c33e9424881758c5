#include <re2/re2.h>

#include <mutex>

#include "rill/ops/string/map_strings.h"

namespace rill {

extern const OpDecl kRegexReplace, kStaticRegexReplace, kRegexFullMatch, kStaticRegexFullMatch;

namespace {

std::shared_ptr<const RE2> compiled(const std::string& pattern) {
  auto regex = std::make_shared<const RE2>(pattern, RE2::Quiet);
  require(regex->ok(), "Invalid pattern: ", pattern, ", error: ", regex->error());
  return regex;
}

// Compiling takes longer than matching, and patterns seldom change from step to step.
class LastRegex : public KernelState {
 public:
  std::shared_ptr<const RE2> get(const std::string& pattern) {
    const std::lock_guard lock(mutex_);
    if (regex_ == nullptr || regex_->pattern() != pattern) regex_ = compiled(pattern);
    return regex_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const RE2> regex_;
};

std::unique_ptr<KernelState> make_last_regex(const KernelNode&) {
  return std::make_unique<LastRegex>();
}

std::shared_ptr<const RE2> regex_of(const KernelCall& call, const std::string& pattern) {
  return call.state<LastRegex>().get(pattern);
}

const std::string& text_at(const KernelCall& call, int i) {
  return call.input_tensor(i).scalar_value<std::string>();
}

void replace(KernelCall& call, const std::string& pattern, const std::string& rewrite) {
  const auto regex = regex_of(call, pattern);
  const bool everywhere = call.node().attr<bool>("replace_global");
  map_strings<std::string>(call, 200, 10, [&](const std::string& text, std::string& out) {
    out = text;
    if (everywhere)
      RE2::GlobalReplace(&out, *regex, rewrite);
    else
      RE2::Replace(&out, *regex, rewrite);
  });
}

void full_match(KernelCall& call, const std::string& pattern) {
  const auto regex = regex_of(call, pattern);
  map_strings<bool>(call, 100, 5, [&](const std::string& text, bool& matches) {
    matches = RE2::FullMatch(text, *regex);
  });
}

void run_replace(KernelCall& call) { replace(call, text_at(call, 1), text_at(call, 2)); }
void run_static_replace(KernelCall& call) {
  replace(call, call.node().attr<std::string>("pattern"), call.node().attr<std::string>("rewrite"));
}
void run_full_match(KernelCall& call) { full_match(call, text_at(call, 1)); }
void run_static_full_match(KernelCall& call) {
  full_match(call, call.node().attr<std::string>("pattern"));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRegexReplace, .run = run_replace, .make_state = make_last_regex},
    {.op = &kStaticRegexReplace, .run = run_static_replace, .make_state = make_last_regex},
    {.op = &kRegexFullMatch, .run = run_full_match, .make_state = make_last_regex},
    {.op = &kStaticRegexFullMatch, .run = run_static_full_match, .make_state = make_last_regex},
};

}  // namespace

extern const KernelTable kRegexCpu{kEntries};

}  // namespace rill
