#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

namespace nb = nanobind;

// tf.contrib.seq2seq, under structures that Python takes apart and packs.
void bind_seq2seq(nb::module_& m);
void bind_legacy_seq2seq(nb::module_& m);  // tf.contrib.legacy_seq2seq

}  // namespace rill::python
