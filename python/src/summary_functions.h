#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

void bind_summary(nanobind::module_& m);      // tf.summary, tf.contrib.summary
void bind_file_writer(nanobind::module_& m);  // what tf.summary.FileWriter is made of

}  // namespace rill::python
