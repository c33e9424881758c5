// Checkpoints of variables on a device with memory of its own: in pieces between device and file.
#include "rill/base/files.h"
#include "rill/io/bundle_reader.h"
#include "rill/runtime/placement/stand_in_fixture_testing.h"

namespace rill {
namespace {

// No more host memory than there is now, and a little.
class LittleHostMemory {
 public:
  explicit LittleHostMemory(std::int64_t more) : before_(cpu_allocator().stats().limit_bytes) {
    cpu_allocator().set_limit(cpu_allocator().stats().live_bytes + more);
  }
  ~LittleHostMemory() { cpu_allocator().set_limit(before_); }
  LittleHostMemory(const LittleHostMemory&) = delete;
  LittleHostMemory& operator=(const LittleHostMemory&) = delete;

 private:
  const std::int64_t before_;
};

class StandInCheckpoints : public StandInTest {
 protected:
  static constexpr std::int64_t kCount = (std::int64_t{24} << 18) + 3;  // a little over 24 MB
  static constexpr int kPieces = 25;

  // A variable filled with a number.
  Node& fill(const Output& variable, float value) {
    const Output filled = on(kFirst, "Fill", {Tensor::vector<std::int32_t>({kCount}), value});
    return p.scope.on_device(kFirst).add("AssignVariableOp", {variable, filled});
  }
  Output variable(const char* name) {
    return on(kFirst, "VarHandleOp", {}, {{"dtype", DType::f32}, {"shape", PartialShape{kCount}}},
              name);
  }
  Output read(const Output& of) {
    return on(kFirst, "ReadVariableOp", {of}, {{"dtype", DType::f32}});
  }
  Output sum(const Output& of) {
    return on(kFirst, "Sum", {read(of), Tensor::vector<std::int32_t>({0})});
  }
  Node& save(const std::string& prefix, const Output& value) {
    return p.scope.on_device("/cpu:0").add(
        "SaveV2", {Tensor::scalar(prefix), Tensor::vector<std::string>({"v"}),
                   Tensor::vector<std::string>({""}), std::vector<Input>{value}});
  }
  Output restore(const std::string& prefix) {
    return p.scope.on_device("/cpu:0")
        .add("RestoreV2",
             {Tensor::scalar(prefix), Tensor::vector<std::string>({"v"}),
              Tensor::vector<std::string>({""})},
             {{"dtypes", std::vector<DType>{DType::f32}}})
        .output();
  }
};

TEST_F(StandInCheckpoints, no_copy_of_the_whole_is_made_on_the_host) {
  const std::string prefix = testing::TempDir() + "stand_in_checkpoint";
  const Output v = variable("v");
  Node &init = fill(v, 2.5f), &change = fill(v, 1.0f), &saved = save(prefix, read(v));
  Node& restored = p.scope.on_device(kFirst).add("AssignVariableOp", {v, restore(prefix)});
  const Output total = sum(v);
  Session session(p.graph);
  session.run(init);
  const Tensor wanted = session.run(total);
  const LittleHostMemory little(std::int64_t{8} << 20);
  for (int i = 0; i < 2; ++i) {
    const int up = card().counts.up, down = card().counts.down;
    session.run(saved);
    EXPECT_EQ(card().counts.down - down, kPieces);
    session.run(change);
    EXPECT_FALSE(identical(session.run(total), wanted));
    const int before = card().counts.up;
    session.run(restored);
    EXPECT_EQ(card().counts.up - before, kPieces);
    EXPECT_TRUE(identical(session.run(total), wanted));
    EXPECT_GE(card().counts.up - up, kPieces);
  }
  EXPECT_EQ(card().counts.unpinned, 0);
}

TEST_F(StandInCheckpoints, the_file_is_the_cpus) {
  const std::string prefix = testing::TempDir() + "stand_in_bits";
  const Output x = placeholder({-1, 8});
  Node& saved = save(prefix, on(kFirst, "Tanh", {x}));
  Session session(p.graph);
  const std::vector<Feed> feeds{{x, numbers(5, 8)}};
  session.run(feeds, std::vector<Output>{}, std::vector<Node*>{&saved});
  EXPECT_TRUE(identical(BundleReader(prefix).read("v"), on_cpu(on(kFirst, "Tanh", {x}), feeds)));
}

// A broken file leaves the variable as it was.
TEST_F(StandInCheckpoints, broken_files) {
  const std::string prefix = testing::TempDir() + "stand_in_broken";
  const Output v = variable("v");
  Node &init = fill(v, 2.5f), &saved = save(prefix, read(v));
  Node& restored = p.scope.on_device(kFirst).add("AssignVariableOp", {v, restore(prefix)});
  const Output total = sum(v);
  Session session(p.graph);
  session.run(init);
  const Tensor wanted = session.run(total);
  session.run(saved);
  const std::string path = prefix + ".data-00000-of-00001";
  std::string bytes = read_file(path);
  bytes[bytes.size() - 5] = static_cast<char>(bytes[bytes.size() - 5] ^ 1);
  write_file(path, bytes);
  EXPECT_NE(error_of([&] { session.run(restored); }).find("DataLoss"), std::string::npos);
  EXPECT_TRUE(identical(session.run(total), wanted));
}

}  // namespace
}  // namespace rill
