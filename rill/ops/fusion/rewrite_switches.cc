#include "rill/ops/fusion/rewrite_switches.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "rill/base/environment.h"
#include "rill/base/error.h"
#include "rill/base/log.h"
#include "rill/ops/fusion/rewrites.h"

namespace rill {
namespace {

constexpr RewriteAlias kAliases[] = {
    {"late_waits", "relax_control_edges"},      {"conv_then", "conv_epilogue"},
    {"depthwise_then", "depthwise_epilogue"},   {"matmul_then", "matmul_epilogue"},
    {"batch_norm_then", "batch_norm_epilogue"}, {"keep_filters", "prepack_filters"},
    {"updates_together", "fused_updates"},
};

std::string_view current_name(std::string_view name) {
  const auto alias = std::ranges::find(kAliases, name, &RewriteAlias::alias);
  return alias == std::end(kAliases) ? name : alias->name;
}

std::vector<std::string> known_names() {
  std::vector<std::string> names{"all", "arena"};
  for (const Rewrite* rewrite : standard_rewrites()) names.emplace_back(rewrite->name);
  std::ranges::sort(names);
  return names;
}

std::string unknown_name(std::string_view from, std::string_view name,
                         const std::vector<std::string>& known) {
  return str_cat(from, " names '", name, "', and there is no such rewrite; there are ",
                 join(known, ", "));
}

// Adds today's names of `names` to `switches`; calls unknown(name) for each that is not known.
template <class Unknown>
void add_names(const RewriteNames& names, const std::vector<std::string>& known,
               RewriteNames& switches, Unknown unknown) {
  for (const std::string& name : names) {
    const std::string_view current = current_name(name);
    if (std::ranges::find(known, current) == known.end()) unknown(name);
    switches.emplace(current);
  }
}

void add_option(const char* option, const RewriteNames& names,
                const std::vector<std::string>& known, RewriteNames& switches) {
  add_names(names, known, switches, [&](const std::string& name) {
    raise(Code::kInvalidArgument, unknown_name(option, name, known));
  });
}

// Every session reads the environment, so what was reported is remembered.
void add_variable(const char* variable, const std::vector<std::string>& known,
                  RewriteNames& switches) {
  static std::mutex mutex;
  static RewriteNames reported;
  add_names(environment_names(variable), known, switches, [&](const std::string& name) {
    const std::lock_guard lock(mutex);
    if (reported.insert(str_cat(variable, "=", name)).second)
      log(LogLevel::kWarning, unknown_name(variable, name, known));
  });
}

}  // namespace

std::span<const RewriteAlias> rewrite_aliases() { return kAliases; }

RewriteSwitches rewrite_switches(const RewriteNames& off, const RewriteNames& on) {
  const std::vector<std::string> known = known_names();
  RewriteSwitches switches;
  add_option("SessionOptions::rewrites_off", off, known, switches.off);
  add_option("SessionOptions::rewrites_on", on, known, switches.on);
  add_variable("RILL_REWRITES_OFF", known, switches.off);
  add_variable("RILL_REWRITES_ON", known, switches.on);
  return switches;
}

}  // namespace rill
