#pragma once

#include "call.h"
#include "rill/api/data/dataset.h"
#include "rill/api/data/iterator.h"

namespace rill::python {

// A dataset of C++ and the graph that it is part of.
struct DatasetObject {
  data::Dataset dataset;
  nb::object graph;
};

// Descriptions of elements pass as (parts, form): each part is a tuple (kind, dtype, shape,
// ragged_rank, splits_dtype, infer_shape, element) and `form` whatever Python likes to remember.
data::ElementSpec element_of(nb::handle element);
nb::object give(const data::ElementSpec& element);

// Values of elements pass as lists of tensors, SparseTensors, RaggedTensors, TensorArrays and, for
// datasets and optionals, of objects whose `_nested` is (kind, variant, element).
data::Component part_of(nb::handle value);
data::Components parts_of(nb::handle values);
nb::object give(const data::Components& parts);

nb::object give(const data::Dataset& dataset);
// `f` takes a list of values and returns a list of such and a form.
data::ElementFunction element_function(nb::object f);

void bind_data(nb::module_& m);
void bind_data_iterators(nb::module_& m);
void bind_data_experimental();

}  // namespace rill::python
