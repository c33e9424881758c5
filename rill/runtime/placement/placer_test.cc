// Placement where there are two types of device. What several CPUs do is compared with TensorFlow
// in tests/cpp/placement_goldens_test.cc.
#include "rill/runtime/placement/placer.h"

#include <gtest/gtest.h>

#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"

namespace rill {
namespace {

class FakeDevice final : public Device {
 public:
  explicit FakeDevice(std::string type)
      : name_("/job:localhost/replica:0/task:0/device:" + type + ":0"), type_(std::move(type)) {}
  const std::string& name() const override { return name_; }
  const std::string& type() const override { return type_; }
  Allocator& allocator(MemoryKind) override { return cpu_allocator(); }
  ThreadPool& pool() override { return shared_pool(); }

 private:
  const std::string name_, type_;
};

// Neg and variables of floats run on both types, everything else on CPUs only.
class PlacerTest : public testing::Test {
 protected:
  PlacerTest() {
    const TypeSet floats{DType::f32};
    for (const char* op : {"Neg", "VariableV2", "Const"})
      kernels.add(op, "GPU", {.op = nullptr, .types = floats});
    for (const char* op : {"Neg", "VariableV2", "Const", "Assign", "Square", "Shape"})
      kernels.add(op, "CPU", {.op = nullptr});
  }
  std::string type_of(const Node& node, bool soft = false) {
    Placer placer(graph, {&gpu, &cpu}, kernels, {.soft = soft});
    placer.extend();
    return placer.place(node) == 0 ? "GPU" : "CPU";
  }
  std::string error_of(const Node& node) {
    try {
      return type_of(node);
    } catch (const Error& error) {
      return error.message();
    }
  }
  Node& neg(DType type, const char* device = "") {
    return scope.on_device(device).add("Neg", {Tensor(type, {})});
  }

  FakeDevice gpu{"GPU"}, cpu{"CPU"};
  KernelRegistry kernels;
  Graph graph{standard_ops()};
  Scope scope{graph};
};

TEST_F(PlacerTest, the_first_type_with_a_kernel_for_the_types_is_taken) {
  EXPECT_EQ(type_of(neg(DType::f32)), "GPU");
  EXPECT_EQ(type_of(neg(DType::i32)), "CPU");
  EXPECT_EQ(type_of(neg(DType::f32, "/cpu:0")), "CPU");
  EXPECT_EQ(type_of(scope.add("Square", {1.0f})), "CPU");
}

TEST_F(PlacerTest, a_device_without_a_kernel_is_an_error_or_given_up) {
  Node& node = neg(DType::i32, "/gpu:0");
  EXPECT_NE(error_of(node).find("Could not satisfy explicit device specification '/device:GPU:0' "
                                "because no supported kernel for GPU devices is available."),
            std::string::npos)
      << error_of(node);
  EXPECT_EQ(type_of(node, true), "CPU");
}

TEST_F(PlacerTest, a_group_goes_where_all_of_it_can_run) {
  const Output v =
      scope.add("VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape{}}}).output();
  EXPECT_EQ(type_of(*v.node), "GPU");
  scope.add("Assign", {v, Tensor::scalar(1.0f)});
  EXPECT_EQ(type_of(*v.node), "CPU");
}

TEST_F(PlacerTest, placement_is_not_changed_later) {
  const Output v =
      scope.add("VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape{}}}).output();
  Placer placer(graph, {&gpu, &cpu}, kernels, {});
  placer.extend();
  EXPECT_EQ(placer.place(*v.node), 0);
  Node& assign = scope.add("Assign", {v, Tensor::scalar(1.0f)});
  placer.extend();
  EXPECT_EQ(placer.place(*v.node), 0);
  EXPECT_EQ(placer.place(assign), 0);
}

TEST_F(PlacerTest, shapes_stay_with_their_input_where_they_can) {
  Node& x = scope.add("Square", {1.0f});
  kernels.add("Shape", "GPU", {.op = nullptr});
  EXPECT_EQ(type_of(scope.add("Shape", {x})), "CPU");
}

TEST_F(PlacerTest, a_device_that_cannot_be_read_concerns_its_node_alone) {
  Node& bad = neg(DType::f32);
  graph.set_device(bad, "/nonsense:1");
  Node& good = neg(DType::f32);
  EXPECT_EQ(type_of(good), "GPU");
  EXPECT_NE(error_of(bad).find("Malformed device specification '/nonsense:1'"), std::string::npos);
}

}  // namespace
}  // namespace rill
