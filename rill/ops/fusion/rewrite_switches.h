#pragma once

#include <span>

#include "rill/passes/rewrite.h"

namespace rill {

// The rewrites that a session applies: `off` and `on` are its own choice, and the environment's
// RILL_REWRITES_OFF and RILL_REWRITES_ON (names with commas between them) add to them. `off` may
// also say "all" (every rewrite) and "arena" (memory planning, which is switched here too). Names
// that rewrites had earlier are taken as today's. Throws InvalidArgument for an unknown name in
// `off` or `on`, and lists the known ones; an unknown name in the environment is logged as a
// warning, once.
RewriteSwitches rewrite_switches(const RewriteNames& off = {}, const RewriteNames& on = {});

// Earlier names of rewrites, which remain valid.
struct RewriteAlias {
  std::string_view alias, name;
};
std::span<const RewriteAlias> rewrite_aliases();

}  // namespace rill
