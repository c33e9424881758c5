// tf.sets.
#include "array_functions.h"
#include "errors.h"
#include "rill/api/sparse/sets.h"
#include "sparse_tensors.h"

namespace rill::python {
namespace {

sets::SetInput set_input(const Call& call, const char* name) {
  if (is_sparse(call[name])) return sparse_of(call[name]);
  return call.input(name);
}

sets::SetOptions set_options(const Call& call) {
  return {.validate_indices = call.flag("validate_indices")};
}

SparseTensor set_sparse(const Call& call) {
  if (!is_sparse(call["a"])) type_error("Expected `SparseTensor`, got ", repr_of(call["a"]), ".");
  return sparse_of(call["a"]);
}

const Function kSets[] = {
    {"sets.intersection(a, b, validate_indices=True)",
     [](const Call& call) {
       const sets::SetInput a = set_input(call, "a");
       return give(sets::intersection(a, set_input(call, "b"), set_options(call)));
     },
     "What is in both sets."},
    {"sets.difference(a, b, aminusb=True, validate_indices=True)",
     [](const Call& call) {
       const bool forward = call.flag("aminusb");
       return give(sets::difference(
           set_input(call, "a"), set_input(call, "b"),
           {.validate_indices = call.flag("validate_indices"), .b_minus_a = !forward}));
     },
     "What is in the one set only."},
    {"sets.union(a, b, validate_indices=True)",
     [](const Call& call) {
       const sets::SetInput a = set_input(call, "a");
       return give(sets::set_union(a, set_input(call, "b"), set_options(call)));
     },
     "What is in one of the sets."},
    {"sets.size(a, validate_indices=True)",
     [](const Call& call) { return give(sets::size(set_sparse(call), set_options(call))); },
     "The number of different elements of each set."},
};

}  // namespace

void bind_set_functions() { add_functions(kSets); }

}  // namespace rill::python
