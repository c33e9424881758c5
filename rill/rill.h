#pragma once

// The one header for programs that use Rill; never included from inside the library.
//
//   #include <rill/rill.h>
//   namespace tf = rill;

#include "rill/api/app/app.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/collections.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/functions.h"
#include "rill/api/core/gradients.h"
#include "rill/api/core/host_function.h"
#include "rill/api/core/recorded_function.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/static_value.h"
#include "rill/api/core/switch_case.h"
#include "rill/api/core/tensor_array.h"
#include "rill/api/core/types.h"
#include "rill/api/gen/plain_ops.h"
#include "rill/api/gen/raw_ops.h"
#include "rill/api/math/math.h"
#include "rill/api/random/random_ops.h"
#include "rill/api/random/random_seed.h"
#include "rill/api/random/stateless_random_ops.h"
#include "rill/api/variables/get_variable.h"
#include "rill/api/variables/initializer.h"
#include "rill/api/variables/state_ops.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/api/variables/variable_template.h"
#include "rill/base/error.h"
#include "rill/compat/library.h"
#include "rill/grad/gradient_registry.h"
#include "rill/graph/graph.h"
#include "rill/graph/scope.h"
#include "rill/runtime/session.h"
#include "rill/tensor/tensor.h"
