#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rill/kernel/stand_in_kernels_testing.h"
#include "rill/ops/register_kernels.h"
#include "rill/runtime/executor/loop_testing.h"

namespace rill {

// Sessions with two stand-in devices beside the CPU.
class StandInTest : public testing::Test {
 protected:
  static constexpr const char* kFirst = "/device:STANDIN:0";
  static constexpr const char* kSecond = "/device:STANDIN:1";

  StandInTest() {
    static const bool added = (StandInKernels::add_to(standard_kernels()), true);
    (void)added;
    register_device_type(type);
  }
  ~StandInTest() override { unregister_device_type("STANDIN"); }

  StandInCard& card(int i = 0) { return type->card(i); }
  int kernels_run() { return card().counts.late + card().counts.waited; }
  Output placeholder(PartialShape shape, const char* name = "x", DType dtype = DType::f32) {
    return p.placeholder(dtype, std::move(shape), name);
  }
  Output on(const char* device, std::string_view op, std::vector<InputArg> inputs,
            AttrMap attrs = {}, const char* name = "") {
    return p.scope.on_device(device).add(op, std::move(inputs), std::move(attrs), name).output();
  }
  static Tensor numbers(std::int64_t rows, std::int64_t columns) {
    Tensor made(DType::f32, {rows, columns});
    float next = -3.0f;
    for (float& value : made.flat<float>()) value = next += 0.37f;
    return made;
  }
  static std::string error_of(const std::function<void()>& run) {
    try {
      run();
    } catch (const Error& error) {
      return str_cat(code_name(error.code()), ": ", error.message());
    }
    return "none";
  }
  static std::map<std::string, std::string> devices_of(Session& session, const Output& fetch,
                                                       const std::vector<Feed>& feeds) {
    StepStats stats;
    session.run(feeds, std::vector{fetch}, {}, {.trace = true}, &stats);
    std::map<std::string, std::string> found;
    for (const NodeStats& node : stats.nodes) found[std::string(node.node)] = node.device;
    return found;
  }
  // The same graph where every node that asks for the stand-in runs on the CPU.
  Tensor on_cpu(const Output& fetch, const std::vector<Feed>& feeds) {
    unregister_device_type("STANDIN");
    SessionOptions soft;
    soft.allow_soft_placement = true;
    Session session(p.graph, soft);
    Tensor result = session.run(fetch, feeds);
    register_device_type(type);
    return result;
  }

  std::shared_ptr<StandInType> type = std::make_shared<StandInType>(2);
  LoopProgram p;
};

}  // namespace rill
