#pragma once

#include <concepts>
#include <initializer_list>
#include <source_location>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/grad/gradients.h"

namespace rill {

// What gradients() speaks of: a tensor or variable, or several in braces or a vector.
class Differentiated : public std::vector<Output> {
 public:
  struct Item {
    Item(const Output& tensor) : tensor(tensor) {}
    template <class T>
    requires requires(const T& variable) {
      { variable.handle() } -> std::convertible_to<Output>;
    }
    Item(const T& variable) : tensor(variable.handle()) {}
    Output tensor;
  };
  Differentiated(std::initializer_list<Item> items) {
    for (const Item& item : items) push_back(item.tensor);
  }
  template <class T>
  requires std::constructible_from<Item, const T&> Differentiated(const T& one)
      : Differentiated({Item(one)}) {}
  template <class T>
  requires std::constructible_from<Item, const T&> Differentiated(const std::vector<T>& all) {
    for (const T& one : all) push_back(Item(one).tensor);
  }
};

// gradients() in the default graph: the sum of d y / d x over all ys, for each x. An empty Gradient
// where no y depends on the x (options.unconnected makes it zeros); rows (IndexedSlices) where only
// some rows of the x were read.
//
//   std::vector<Gradient> g = gradients(loss, trainable_variables());
//
// Throws InvalidArgument when grad_ys do not fit the ys, NotFound where an op on the way has no
// gradient.
std::vector<Gradient> gradients(const Differentiated& ys, const Differentiated& xs,
                                const GradientOptions& options = {},
                                std::source_location at = std::source_location::current());

template <class Ys, class Xs>
requires(!std::constructible_from<Differentiated, const Ys&> ||
         !std::constructible_from<Differentiated, const Xs&>)
    __attribute__((unavailable(
        "gradients takes what is differentiated, then by what: tensors or variables, one, several "
        "in braces or a vector"))) void gradients(const Ys&, const Xs&,
                                                  const GradientOptions& = {}) {}

}  // namespace rill
