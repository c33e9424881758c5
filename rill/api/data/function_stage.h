#pragma once

#include "rill/api/data/stage.h"

namespace rill::data {

// The number of rows of every batch; -1 where the last one may be smaller.
std::int64_t rows_of_batches(Output batch_size, Output drop_remainder);

// What the one dataset that `traced` returns holds; throws InvalidArgument where it returns none.
const ElementSpec& inner_element(const TracedFunction& traced);

// Traces a function of a state and an element. The state's shapes are relaxed until what the
// function makes of it fits.
TracedFunction trace_with_state(std::string_view transformation, const ElementFunction& f,
                                ElementSpec& state, const ElementSpec& element);

}  // namespace rill::data
