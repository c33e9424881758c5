// Graphs with branches and loops that TensorFlow built and ran (tools/control_graphs.py): Rill must
// read them and come to the same results.
#include "tests/cpp/stored_graphs.h"

namespace rill {
namespace {

const std::filesystem::path kControlGraphs = "tests/golden/control";

class ControlGolden : public testing::TestWithParam<std::string> {};

TEST_P(ControlGolden, gives_what_tensorflow_gave) {
  run_stored_graph(kControlGraphs, GetParam(), {});
}

TEST_P(ControlGolden, gives_the_same_without_passes) {
  run_stored_graph(kControlGraphs, GetParam(), {.fold = false, .share = false, .simplify = false});
}

// Soft placement lets variables and what changes them agree on a device.
SessionOptions several_devices(bool passes) {
  SessionOptions options;
  options.device_count["CPU"] = 3;
  options.allow_soft_placement = true;
  options.fold = options.share = options.simplify = passes;
  return options;
}

TEST_P(ControlGolden, gives_the_same_on_alternating_devices) {
  run_stored_graph(kControlGraphs, GetParam(), several_devices(true),
                   [](int node) { return node % 2; });
}

TEST_P(ControlGolden, gives_the_same_on_scattered_devices) {
  for (const unsigned seed : {1u, 2u, 3u})
    run_stored_graph(kControlGraphs, GetParam(), several_devices(false), [seed](int node) {
      return static_cast<int>((static_cast<unsigned>(node) + seed) * 2654435761u >> 16) % 3;
    });
}

INSTANTIATE_TEST_SUITE_P(Graphs, ControlGolden, testing::ValuesIn(stored_graphs(kControlGraphs)),
                         [](const auto& info) { return info.param; });

TEST(ControlGoldens, are_there) { EXPECT_GE(stored_graphs(kControlGraphs).size(), 90u); }

}  // namespace
}  // namespace rill
