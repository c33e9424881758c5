#include "rill/api/distributions/kullback_leibler.h"

#include <ranges>

#include "rill/api/core/control_flow.h"
#include "rill/api/distributions/known_divergences.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/reduce.h"

namespace rill::distributions {
namespace {

struct Entry {
  IsClass is_a, is_b;
  KlFunction kl;
};

std::vector<Entry>& entries() {
  static auto& all = *new std::vector<Entry>;
  return all;
}

void add(IsClass is_a, IsClass is_b, KlFunction kl) {
  entries().push_back({is_a, is_b, std::move(kl)});
}

void add_known() {
  static const bool done = [] {
    for (const KnownDivergence& known : known_divergences())
      add(known.is_class, known.is_class, known.kl);
    return true;
  }();
  (void)done;
}

ForeignKlFinder& foreign_finder() {
  static auto& finder = *new ForeignKlFinder;
  return finder;
}

std::string type_name_of(const Distribution& d) {
  return d.foreign != nullptr ? d.foreign->type_name() : d.type_name();
}

// The divergence, once it was looked at for NaN.
Output checked_divergence(Output kl, const Distribution& a, const Distribution& b) {
  const Output value = raw::Identity(kl, {.name = "kl"});
  const Output is_fine = raw::LogicalNot(reduce_any(raw::IsNan(value)));
  const std::string text =
      str_cat("KL calculation between ", a.name(), " and ", b.name(),
              " returned NaN values (and was called with allow_nan_stats=False). Values:");
  Node* const check[] = {&assert_true(is_fine, {text, value})};
  const ControlDependencies after(check);
  return raw::Identity(value, {.name = "checked_kl"});
}

}  // namespace

void register_kl(IsClass is_a, IsClass is_b, KlFunction kl) {
  add_known();
  for (const Entry& entry : entries())
    require(entry.is_a != is_a || entry.is_b != is_b,
            "KL has already been registered for these two classes");
  add(is_a, is_b, std::move(kl));
}

void set_foreign_kl_finder(ForeignKlFinder finder) { foreign_finder() = std::move(finder); }

KlFunction registered_kl(const Distribution& a, const Distribution& b) {
  add_known();
  for (const Entry& entry : std::views::reverse(entries()))
    if (entry.is_a(a) && entry.is_b(b)) return entry.kl;
  return {};
}

Output kl_divergence(Distribution& a, Distribution& b, const KlOptions& options,
                     std::source_location at) {
  const bool is_foreign = (a.foreign != nullptr || b.foreign != nullptr) && foreign_finder();
  const KlFunction kl = is_foreign ? foreign_finder()(a, b) : registered_kl(a, b);
  if (!kl)
    raise(Code::kUnimplemented,
          "No KL(distribution_a || distribution_b) registered for distribution_a type ",
          type_name_of(a), " and distribution_b type ", type_name_of(b));
  return kl_divergence(kl, a, b, options, at);
}

Output kl_divergence(const KlFunction& kl, Distribution& a, Distribution& b,
                     const KlOptions& options, std::source_location at) {
  const Block in("", "KullbackLeibler", at);
  const Output value = kl(a, b, options.name);
  return options.allow_nan_stats ? value : checked_divergence(value, a, b);
}

}  // namespace rill::distributions
