#pragma once

// Tf.profiler: where a model's time, memory and parameters are.
//
//   tf::profiler::Profiler profiler(*graph);
//   profiler.add_step(0, metadata);
//   profiler.profile_operations(tf::profiler::time_and_memory());

#include "rill/api/profiler/profile_option_builder.h"
#include "rill/api/profiler/profiler.h"
