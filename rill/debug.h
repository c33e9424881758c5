#pragma once

// tf_debug: what runs watch, what they dumped, and sessions under a debugger.
//
//   tf::debug::LocalCLIDebugWrapperSession cli(sess);            // tfdbg before and after each run
//   tf::debug::DumpingDebugWrapperSession dumping(sess, "/tmp/dumps");
//   const tf::debug::DebugDumpDir dump("/tmp/dumps/run_1_0");
//   for (const auto* datum : dump.find(tf::debug::has_inf_or_nan)) std::puts(datum->node.c_str());

#include "rill/api/debug/debug.h"
#include "rill/api/debug/debug_hooks.h"
