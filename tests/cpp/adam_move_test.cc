// Adam on sparse gradients: the same bits with and without the rewrite, in fewer kernels.
#include "tests/cpp/fusion_testing.h"

namespace rill {
namespace {

class AdamMove : public FusionTest {
 protected:
  void SetUp() override {
    const Output rows = gather(table, ids);
    train = &train::AdamOptimizer(0.1).minimize(raw::L2Loss(rows));
    initializer = &global_variables_initializer();
  }
  Tensor after_steps(const SessionOptions& options, Ran* ran) {
    Session session(graph, options);
    session.run(*initializer);
    const std::vector<Feed> feeds{{ids, Tensor::vector<std::int32_t>({3, 1, 3, 40})}};
    for (int i = 0; i < 3; ++i) *ran = run_in(session, {}, feeds, {train});
    return session.run(std::vector{table.value()})[0];
  }

  const Variable table{noise({50, 24}, 1), {.name = "table"}};
  Output ids = raw::Placeholder(DType::i32, {.shape = PartialShape{-1}});
  Node* train = nullptr;
};

TEST_F(AdamMove, IsOneKernelOfTheSameBits) {
  Ran on, off, one;
  const Tensor moved = after_steps({}, &on), plain = after_steps({.rewrites_off = {"all"}}, &off);
  EXPECT_TRUE(identical(moved, after_steps({.intra_op_threads = 1}, &one)));
  EXPECT_EQ(on.count("_AdamMove"), 1) << join(on.ops, " ");
  EXPECT_EQ(off.count("_AdamMove"), 0);
  EXPECT_EQ(on.count("AssignSub"), 0) << join(on.ops, " ");
  EXPECT_LT(on.ops.size() + 3, off.ops.size());
  EXPECT_TRUE(identical(moved, plain));
  Ran without;
  after_steps({.rewrites_off = {"adam_move"}}, &without);
  EXPECT_EQ(without.count("_AdamMove"), 0);
}

}  // namespace
}  // namespace rill
