#include <re2/re2.h>

#include <mutex>

#include "rill/kernel/fast_paths.h"
#include "rill/ops/string/byte_class.h"
#include "rill/ops/string/map_strings.h"

namespace rill {

extern const OpDecl kRegexReplace, kStaticRegexReplace, kRegexFullMatch, kStaticRegexFullMatch;

namespace {

std::unique_ptr<const RE2> compiled(const std::string& pattern) {
  auto regex = std::make_unique<const RE2>(pattern, RE2::Quiet);
  require(regex->ok(), "Invalid pattern: ", pattern, ", error: ", regex->error());
  return regex;
}

// Compiled forms of the pattern last asked for. Compiling takes longer than matching, and patterns
// seldom change from step to step; an RE2 that threads share makes them wait for its lock at every
// match, so each takes one of its own.
class RegexPool : public KernelState {
 public:
  std::unique_ptr<const RE2> take(const std::string& pattern) {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty() && idle_.back()->pattern() != pattern) idle_.clear();
      if (!idle_.empty()) {
        auto regex = std::move(idle_.back());
        idle_.pop_back();
        return regex;
      }
    }
    return compiled(pattern);
  }
  void give_back(std::unique_ptr<const RE2> regex) {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty() && idle_.back()->pattern() != regex->pattern()) idle_.clear();
    idle_.push_back(std::move(regex));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<const RE2>> idle_;  // of one pattern
};

std::unique_ptr<KernelState> make_pool(const KernelNode&) { return std::make_unique<RegexPool>(); }

// As map_strings, with f(regex, text, result). Without texts, too, the pattern must be right.
template <class Result, class F>
void map_with_regex(KernelCall& call, const std::string& pattern, double cost, double byte_cost,
                    F f) {
  auto& pool = call.state<RegexPool>();
  const auto texts = call.input<std::string>(0);
  const auto results = call.output<Result>(0);
  if (texts.empty()) return pool.give_back(pool.take(pattern));
  call.parallel_for(texts.size(), cost + byte_cost * typical_length(texts),
                    [&](std::size_t begin, std::size_t end) {
                      auto regex = pool.take(pattern);
                      for (std::size_t i = begin; i < end; ++i) f(*regex, texts[i], results[i]);
                      pool.give_back(std::move(regex));
                    });
}

const std::string& text_at(const KernelCall& call, int i) {
  return call.input_tensor(i).scalar_value<std::string>();
}

void replace(KernelCall& call, const std::string& pattern, const std::string& rewrite) {
  const bool everywhere = call.node().attr<bool>("replace_global");
  // A backslash in what is written may name a part of the match.
  std::optional<ByteClass> set;
  if (rewrite.find('\\') == std::string::npos) set = ByteClass::of(pattern);
  if (set && !takes(FastPath::kRegexSet)) set.reset();
  map_with_regex<std::string>(call, pattern, 200, set ? 3 : 30,
                              [&](const RE2& regex, const std::string& text, std::string& out) {
                                if (set && set->replace(text, rewrite, everywhere, out)) return;
                                out = text;
                                if (everywhere)
                                  RE2::GlobalReplace(&out, regex, rewrite);
                                else
                                  RE2::Replace(&out, regex, rewrite);
                              });
}

void full_match(KernelCall& call, const std::string& pattern) {
  map_with_regex<bool>(call, pattern, 50, 5,
                       [](const RE2& regex, const std::string& text, bool& matches) {
                         matches = regex.Match(text, 0, text.size(), RE2::ANCHOR_BOTH, nullptr, 0);
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
    {.op = &kRegexReplace, .run = run_replace, .make_state = make_pool},
    {.op = &kStaticRegexReplace, .run = run_static_replace, .make_state = make_pool},
    {.op = &kRegexFullMatch, .run = run_full_match, .make_state = make_pool},
    {.op = &kStaticRegexFullMatch, .run = run_static_full_match, .make_state = make_pool},
};

}  // namespace

extern const KernelTable kRegexCpu{kEntries};

}  // namespace rill
