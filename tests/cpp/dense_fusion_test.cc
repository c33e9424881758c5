// Dense layers of more than two dimensions: products between changes of shape.
#include "tests/cpp/fusion_testing.h"

namespace rill {
namespace {

class DenseFusion : public FusionTest {
 protected:
  static Tensor ints(std::initializer_list<std::int32_t> values) {
    return Tensor::vector<std::int32_t>(values);
  }
  // As tf.tensordot builds it.
  Output product(const Output& rows) {
    const Output flat = raw::Reshape(raw::Transpose(rows, ints({0, 1, 2})), ints({-1, 40}));
    return raw::Reshape(raw::MatMul(flat, noise({40, 30}, 3)), ints({-1, 7, 30}));
  }

  Output x = placeholder({-1, 7, 40});
  const std::vector<Feed> feeds{{x, noise({5, 7, 40}, 1)}};
};

TEST_F(DenseFusion, EpilogueReachesAcrossAReshape) {
  const Tensor bias = noise({30}, 4);
  for (const Output& y :
       {raw::Relu(raw::BiasAdd(product(x), bias)), raw::Tanh(raw::AddV2(product(x), bias)),
        raw::BiasAdd(product(x), bias), raw::Relu(product(x))}) {
    const Ran on = compare({y}, feeds, "matmul_epilogue", "_MatMulEpilogue", 1);
    EXPECT_EQ(on.values[0].shape(), (Shape{5, 7, 30}));
    EXPECT_EQ(on.ops.size(), 3u) << join(on.ops, " ");  // two changes of shape and the product
  }
}

// Other columns, other readers, or a sum with something of the new shape.
TEST_F(DenseFusion, OpsOfTheNewShapeAreNotFused) {
  const Output whole = placeholder({-1, 7, 30}, "whole"), y = product(x);
  const std::vector<Feed> both{feeds[0], {whole, noise({5, 7, 30}, 8)}};
  const Output split = raw::Reshape(y, ints({-1, 7, 3, 10}));
  const std::vector<Output> fetches{raw::AddV2(product(x), whole),
                                    raw::BiasAdd(split, noise({10}, 4)), y};
  const Ran on = run(fetches, both), off = run(fetches, both, {.rewrites_off = {"all"}});
  EXPECT_EQ(on.count("_MatMulEpilogue"), 0) << join(on.ops, " ");
  for (std::size_t i = 0; i < fetches.size(); ++i) expect_near(on.values[i], off.values[i]);
}

TEST_F(DenseFusion, TransposesThatChangeNothingAreDropped) {
  const Output twice = raw::Transpose(raw::Transpose(x, ints({0, 1, 2})), ints({0, 1, 2}));
  const Output turned = raw::Transpose(twice, ints({0, 2, 1}));
  const std::vector<Output> fetches{raw::Neg(turned), twice};
  const Ran on = run(fetches, feeds);
  const Ran off = run(fetches, feeds, {.rewrites_off = {"identity_transposes"}});
  EXPECT_EQ(on.count("Transpose"), 1);
  EXPECT_EQ(off.count("Transpose"), 3);
  for (std::size_t i = 0; i < fetches.size(); ++i)
    EXPECT_TRUE(identical(on.values[i], off.values[i]));
}

TEST_F(DenseFusion, InTrainingToo) {
  const Variable w(noise({40, 30}, 1), {.name = "w"}), b(noise({30}, 2), {.name = "b"});
  const Output flat = raw::Reshape(raw::Transpose(x, ints({0, 1, 2})), ints({-1, 40}));
  const Output y = raw::Reshape(raw::MatMul(flat, w), ints({-1, 7, 30}));
  const auto by =
      gradients({raw::L2Loss(raw::Relu(raw::BiasAdd(y, b)))}, {w.value(), b.value(), x});
  initializer = &group({&w.initializer(), &b.initializer()});
  const std::vector<Output> fetches{by[0].dense(), by[1].dense(), by[2].dense()};
  const Ran on = compare(fetches, feeds, "matmul_epilogue", "_MatMulEpilogue", 1, 1e-5);
  EXPECT_EQ(on.count("Transpose"), 0) << join(on.ops, " ");
}

}  // namespace
}  // namespace rill
