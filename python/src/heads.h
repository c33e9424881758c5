#pragma once

#include "call.h"
#include "rill/api/estimator/heads/head.h"

namespace rill::python {

// What Python's heads hold.
struct HeadObject {
  estimator::HeadRef head;
  std::vector<std::string> names = {};  // of several heads
};

// Features or labels of a program: a dict, or one tensor, which has the key "".
feature_column::Features named_parts_of(nb::handle value);

void bind_heads(nb::module_& m);
void bind_canned(nb::module_& m);
void bind_boosted_trees(nb::module_& m);
void bind_clustering();  // k-means

}  // namespace rill::python
