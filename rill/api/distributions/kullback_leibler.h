#pragma once

#include <functional>
#include <source_location>
#include <string>

#include "rill/api/distributions/distribution.h"

// KL(a || b), for pairs of classes with a closed form. A program adds its own functions once,
// before it asks:
//
//   register_kl<Normal, Laplace>([](Normal& a, Laplace& b, const std::string& name) {...});
//   Output kl = kl_divergence(a, b);
//
// Registration is not safe from several threads.
namespace rill::distributions {

// The divergence of two distributions in nodes under `name`, or the function's own default.
using KlFunction = std::function<Output(Distribution& a, Distribution& b, const std::string& name)>;

struct KlOptions {
  bool allow_nan_stats = true;  // else the step fails where the divergence is NaN
  std::string name{};
};
// In nats, of the batch shapes broadcast. Throws Unimplemented when no function is registered for
// the two classes; no estimate by samples is made in its place. The step fails with InvalidArgument
// without allow_nan_stats where the result is NaN.
Output kl_divergence(Distribution& a, Distribution& b, const KlOptions& options = {},
                     std::source_location at = std::source_location::current());
// The same by a function that was found otherwise.
Output kl_divergence(const KlFunction& kl, Distribution& a, Distribution& b,
                     const KlOptions& options = {},
                     std::source_location at = std::source_location::current());

// Whether an object is of a class, or one that inherits from it.
using IsClass = bool (*)(const Distribution& d);
// Registers a function. Of those that fit, the one registered last is taken, so a subclass can get
// a function of its own later. Throws InvalidArgument when there is one for the same two classes.
void register_kl(IsClass is_a, IsClass is_b, KlFunction kl);
template <class Class>
bool is_of(const Distribution& d) {
  return dynamic_cast<const Class*>(&d) != nullptr;
}
// The same by types. The function is called with `name` empty where the caller gave none.
template <class A, class B>
void register_kl(std::function<Output(A&, B&, const std::string&)> kl) {
  register_kl(is_of<A>, is_of<B>, [kl](Distribution& a, Distribution& b, const std::string& name) {
    return kl(dynamic_cast<A&>(a), dynamic_cast<B&>(b), name);
  });
}

// Where distributions of another language find functions, which may have been registered there. It
// is asked instead of the table if either distribution has a foreign class; set by the face, once.
using ForeignKlFinder = std::function<KlFunction(Distribution& a, Distribution& b)>;
void set_foreign_kl_finder(ForeignKlFinder finder);
// The function of C++ for these two classes; empty where there is none.
KlFunction registered_kl(const Distribution& a, const Distribution& b);

}  // namespace rill::distributions
