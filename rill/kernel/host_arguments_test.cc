#include "rill/kernel/host_arguments.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rill/kernel/stand_in_testing.h"
#include "rill/tensor/tensor.h"

namespace rill {
namespace {

constexpr MemoryKind kHost = MemoryKind::host, kDevice = MemoryKind::device;
using Kinds = std::vector<MemoryKind>;

// An op with two inputs of type T and a list of strings, and one output.
class HostArgumentsTest : public testing::Test {
 protected:
  HostArgumentsTest() {
    op.name = "Unknown";
    op.inputs = {parse_arg("x: T"), parse_arg("shape: N * int32"), parse_arg("names: string")};
    op.outputs = {parse_arg("y: T")};
  }
  KernelNode node(const char* rule, DType type, Device& device) {
    KernelNode made;
    made.op = &op;
    made.attrs = {{"T", type}, {"N", std::int64_t{2}}};
    made.input_types = {type, DType::i32, DType::i32, DType::string};
    made.output_types = {type};
    made.device = &device;
    set_argument_memory(made, {.op = nullptr, .host_memory = rule});
    return made;
  }

  Op op;
  StandInType type;
  std::unique_ptr<PlugInDevice> device = type.open({}, shared_pool(), nullptr);
};

TEST_F(HostArgumentsTest, a_name_is_for_all_types_and_all_of_a_list) {
  const KernelNode made = node("shape", DType::f32, *device);
  EXPECT_EQ(made.input_memory, (Kinds{kDevice, kHost, kHost, kHost}));  // strings always
  EXPECT_EQ(made.output_memory, Kinds{kDevice});
  EXPECT_EQ(&made.output_allocator(0), &type.card());
}

TEST_F(HostArgumentsTest, conditions_say_for_which_types) {
  const char* rule = "shape,x,y [T: int32,int64] or shape [T: float]";
  EXPECT_EQ(node(rule, DType::i32, *device).output_memory, Kinds{kHost});
  EXPECT_EQ(node(rule, DType::f32, *device).output_memory, Kinds{kDevice});
  EXPECT_EQ(node(rule, DType::f32, *device).input_memory, (Kinds{kDevice, kHost, kHost, kHost}));
  // Of a type that is not listed: what all have in common.
  EXPECT_EQ(node(rule, DType::f64, *device).input_memory, (Kinds{kDevice, kHost, kHost, kHost}));
  EXPECT_EQ(node("x,y [T: int32]", DType::f32, *device).output_memory, Kinds{kDevice});
  const char* either = "x [(T: float; N: int32) or (T: double)] or y [T: int32]";
  EXPECT_EQ(node(either, DType::f64, *device).input_memory[0], kHost);
  EXPECT_EQ(node(either, DType::f32, *device).input_memory[0], kDevice);
}

TEST_F(HostArgumentsTest, the_table_is_sorted_and_has_tensorflows_ops) {
  const auto all = gpu_host_arguments();
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &HostArguments::op));
  ASSERT_NE(find_gpu_host_arguments("Reshape"), nullptr);
  ASSERT_NE(find_gpu_host_arguments("Tanh"), nullptr);
  EXPECT_EQ(find_gpu_host_arguments("Tanh")->rule, "");
  EXPECT_EQ(find_gpu_host_arguments("SaveV2"), nullptr);
}

TEST(HostArguments, a_device_with_host_memory_has_none) {
  struct Plain final : Device {
    const std::string& name() const override { return text; }
    const std::string& type() const override { return text; }
    Allocator& allocator(MemoryKind) override { return cpu_allocator(); }
    ThreadPool& pool() override { return shared_pool(); }
    std::string text = "CPU";
  } plain;
  Op op;
  KernelNode made;
  made.op = &op;
  made.device = &plain;
  set_argument_memory(made, {.op = nullptr, .host_memory = "shape"});
  EXPECT_TRUE(made.input_memory.empty() && made.output_memory.empty());
  EXPECT_EQ(made.output_kind(0), kHost);
}

TEST(DeviceTypes, names_are_taken_once_and_listed_by_priority) {
  register_device_type(std::make_shared<StandInType>());
  EXPECT_THROW(register_device_type(std::make_shared<StandInType>()), Error);
  EXPECT_EQ(device_types().front()->name(), "STANDIN");
  unregister_device_type("STANDIN");
  EXPECT_TRUE(device_types().empty());
}

}  // namespace
}  // namespace rill
