#include "rill/inspect/stat_summary.h"

#include <gtest/gtest.h>

#include "tensorflow/core/framework/step_stats.pb.h"

namespace rill::inspect {
namespace {

tensorflow::StepStats step(std::int64_t micros) {
  tensorflow::StepStats stats;
  auto* device = stats.add_dev_stats();
  device->set_device("/job:localhost/replica:0/task:0/device:CPU:0");
  const auto add = [&](const char* name, const char* label, std::int64_t start, std::int64_t took) {
    auto* node = device->add_node_stats();
    node->set_node_name(name);
    node->set_timeline_label(label);
    node->set_all_start_micros(1000 + start);
    node->set_all_end_rel_micros(took);
    node->add_memory()->set_total_bytes(4000);
  };
  add("x", "x = Const()", 0, 25);
  add("y", "y = MatMul(x, x)", 30, micros);
  return stats;
}

TEST(StatSummary, has_the_tables_of_benchmark_model) {
  StatSummary summary;
  summary.add(step(75));
  summary.add(step(175));
  EXPECT_EQ(summary.text(),
            R"(============================== Run Order ==============================
	             [node type]	  [start]	  [first]	 [avg ms]	     [%]	  [cdf%]	  [mem KB]	[times called]	[Name]
	                   Const	    0.000	    0.025	    0.025	 16.667%	 16.667%	     4.000	        1	x
	                  MatMul	    0.030	    0.075	    0.125	 83.333%	100.000%	     4.000	        1	y

============================== Top by Computation Time ==============================
	             [node type]	  [start]	  [first]	 [avg ms]	     [%]	  [cdf%]	  [mem KB]	[times called]	[Name]
	                  MatMul	    0.030	    0.075	    0.125	 83.333%	 83.333%	     4.000	        1	y
	                   Const	    0.000	    0.025	    0.025	 16.667%	100.000%	     4.000	        1	x

============================== Top by Memory Use ==============================
	             [node type]	  [start]	  [first]	 [avg ms]	     [%]	  [cdf%]	  [mem KB]	[times called]	[Name]
	                   Const	    0.000	    0.025	    0.025	 16.667%	 16.667%	     4.000	        1	x
	                  MatMul	    0.030	    0.075	    0.125	 83.333%	100.000%	     4.000	        1	y

Number of nodes executed: 2
============================== Summary by node type ==============================
	             [Node type]	  [count]	  [avg ms]	    [avg %]	    [cdf %]	  [mem KB]	[times called]
	                  MatMul	        1	     0.125	    83.333%	    83.333%	     4.000	         1
	                   Const	        1	     0.025	    16.667%	   100.000%	     4.000	         1

Timings (microseconds): count=2 first=100 curr=200 min=100 max=200 avg=150 std=50
Memory (bytes): count=2 curr=8000(all same)
2 nodes observed

)");
}

TEST(StatSummary, of_nothing) {
  EXPECT_EQ(StatSummary().in_short(),
            "Timings (microseconds): count=0\nMemory (bytes): count=0\n0 nodes observed\n");
}

}  // namespace
}  // namespace rill::inspect
