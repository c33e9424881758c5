#include <nanobind/nanobind.h>

#include "basic_ops.h"
#include "call.h"
#include "collections.h"
#include "contexts.h"
#include "control_flow.h"
#include "custom_ops.h"
#include "device_spec.h"
#include "dlpack.h"
#include "dtypes.h"
#include "eager.h"
#include "errors.h"
#include "functions.h"
#include "gradients.h"
#include "graph_util.h"
#include "inputs.h"
#include "math_functions.h"
#include "numpy.h"
#include "objects.h"
#include "origin.h"
#include "plain_function.h"
#include "protos.h"
#include "py_func.h"
#include "random.h"
#include "raw_ops.h"
#include "session.h"
#include "shapes.h"
#include "static_values.h"
#include "variable_scopes.h"
#include "variables.h"

NB_MODULE(_rill, m) {
  using namespace rill::python;
  // Objects held by a program's globals die after the module; that is no leak.
  nb::set_leak_warnings(false);
  init_numpy();
  bind_errors(m);
  bind_origin(m);
  bind_contexts(m);
  bind_calls(m);
  add_plain_functions();
  add_math_functions();
  add_reduce_functions();
  add_product_functions();
  bind_dtypes(m);
  bind_device_spec(m);
  bind_shapes(m);
  bind_graph(m);
  bind_elements(m);
  bind_eager(m);
  bind_protos(m);
  bind_inputs(m);
  bind_basic_ops(m);
  bind_static_values(m);
  bind_graph_util(m);
  bind_raw_ops(m);
  bind_variables(m);
  bind_partitioned_variables(m);
  bind_variable_scopes(m);
  bind_initializers(m);
  bind_variable_functions(m);
  bind_collections(m);
  bind_random(m);
  bind_gradients(m);
  bind_control_flow(m);
  bind_tensor_array(m);
  bind_functions(m);
  bind_session(m);
  bind_dlpack(m);
  bind_custom_ops(m);
  bind_py_func(m);
}
