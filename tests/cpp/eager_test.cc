#include <gtest/gtest.h>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/host_function.h"
#include "rill/api/core/session.h"
#include "rill/api/core/slicing.h"
#include "rill/api/data/iterator.h"
#include "rill/api/eager/gradient_tape.h"
#include "rill/api/functional/functional_ops.h"
#include "rill/api/gen/raw_ops.h"
#include "rill/api/gradients/hessians.h"
#include "rill/api/input/input_producers.h"
#include "rill/api/io/readers.h"
#include "rill/api/math/operators.h"
#include "rill/api/queue/queues.h"
#include "rill/api/random/random_ops.h"
#include "rill/api/random/random_seed.h"
#include "rill/api/saver/eager_saver.h"
#include "rill/api/train/adam.h"
#include "rill/api/variables/variable_template.h"
#include "rill/base/file_testing.h"
#include "rill/graph/eager_seeds.h"
#include "rill/runtime/eager/eager_context.h"
#include "rill/tensor/resource_handle.h"

namespace rill {
namespace {

float number(const Output& x) { return x.value().scalar_value<float>(); }

class Eager : public testing::Test {
 protected:
  AsDefault eagerly_{eager_graph()};
};

TEST_F(Eager, ops_compute_at_once) {
  EXPECT_TRUE(executing_eagerly());
  EXPECT_EQ(number(raw::AddV2(constant(2.0f), 3.0f)), 5);
  EXPECT_EQ(eager_graph()->node_count(), 0);
}

TEST_F(Eager, an_op_runs_once) {
  int calls = 0;
  const HostFunction count = [&](const std::vector<Tensor>&) {
    return std::vector<Tensor>{Tensor::scalar(static_cast<float>(++calls))};
  };
  const Output once = host_function(count, {}, {DType::f32}).at(0);
  EXPECT_EQ(number(raw::Neg(once)), -1);
  EXPECT_EQ(number(once), 1);
  EXPECT_EQ(calls, 1);
}

TEST_F(Eager, errors_name_the_op) {
  try {
    raw::MatMul(constant({1.0f, 2.0f}), constant({1.0f, 2.0f}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInvalidArgument);
    EXPECT_NE(error.message().find("[Op:MatMul]"), std::string::npos) << error.message();
  }
}

TEST_F(Eager, tensors_of_a_graph_have_no_value) {
  Output symbolic;
  const auto graph = make_graph();
  {
    const AsDefault in(graph);
    EXPECT_FALSE(executing_eagerly());
    symbolic = constant(1.0f);
  }
  EXPECT_THROW(symbolic.value(), Error);
  EXPECT_THROW(raw::Neg(symbolic), Error);
  const Output eager = constant(1.0f);
  const AsDefault in(graph);
  EXPECT_THROW(raw::Neg(eager), Error);
}

TEST_F(Eager, values_go_with_their_last_holder) {
  const auto resource = [] {
    const Variable v(constant(1.0f));
    return std::weak_ptr(v.handle().value().scalar_value<ResourceHandle>().resource);
  };
  const std::weak_ptr<Resource> gone = resource();
  forget_recent_nodes();
  EXPECT_TRUE(gone.expired());
}

TEST_F(Eager, tapes_tell_gradients) {
  const Output x = constant(3.0f);
  GradientTape tape({.persistent = true});
  tape.watch(x);
  const Output y = raw::Mul(raw::Mul(x, x), x);
  EXPECT_EQ(number(tape.gradient(y, x).dense()), 27);
  EXPECT_EQ(number(tape.gradient(raw::Mul(x, x), x).dense()), 6);
  EXPECT_TRUE(tape.gradient(constant(1.0f), x).empty());
}

TEST_F(Eager, gradients_of_gradients) {
  const Output x = constant(3.0f);
  GradientTape outer;
  outer.watch(x);
  GradientTape inner;
  inner.watch(x);
  const Output slope = inner.gradient(raw::Mul(raw::Mul(x, x), x), x).dense();
  EXPECT_EQ(number(outer.gradient(slope, x).dense()), 18);
}

TEST_F(Eager, a_tape_is_used_once_and_sees_nothing_before_it) {
  const Output x = constant(3.0f);
  GradientTape outer({.persistent = true});
  outer.watch(x);
  const Output y = raw::Mul(x, x);
  GradientTape inner;
  inner.watch(y);
  const Output z = raw::Mul(y, 2.0f);
  EXPECT_TRUE(inner.gradient(z, x).empty());  // y was computed before
  EXPECT_THROW(inner.gradient(z, x), Error);
  EXPECT_EQ(number(outer.gradient(z, x).dense()), 12);
}

TEST_F(Eager, what_only_a_tape_needs_goes_with_it) {
  const Output x = constant(3.0f);
  Output y;
  {
    GradientTape tape;
    tape.watch(x);
    y = raw::Mul(raw::Exp(x), 2.0f);
    EXPECT_EQ(y.node->input_count(), 2);
  }
  EXPECT_EQ(y.node->input_count(), 0);
}

TEST_F(Eager, variables_are_watched_where_they_are_read) {
  const Variable w(constant({1.0f, 2.0f}), {.name = "w"});
  GradientTape tape;
  const Output loss = raw::Sum(raw::Square(w), 0);
  EXPECT_EQ(tape.watched().size(), 1u);
  const auto slope = tape.gradient(loss, w).dense();
  EXPECT_EQ(slope.value().flat<float>()[1], 4);
  EXPECT_EQ(w.name(), "w:0");
}

TEST_F(Eager, optimizers_minimize_functions) {
  const Variable w(constant(5.0f));
  train::AdamOptimizer adam(0.5);
  for (int i = 0; i < 200; ++i) adam.minimize([&] { return Output(raw::Square(w)); });
  EXPECT_NEAR(number(w.value()), 0, 0.1);
  EXPECT_THROW(adam.minimize(raw::Square(w)), Error);
}

TEST_F(Eager, branches_and_loops_are_those_of_the_program) {
  const Output x = constant(4.0f);
  EXPECT_EQ(number(cond_one(
                raw::Greater(x, 1.0f), [&] { return Output(raw::Sqrt(x)); },
                [&]() -> Output { throw std::runtime_error("the other branch is not called"); })),
            2);
  const auto last = while_loop(
      [](const std::vector<Output>& v) { return Output(raw::Less(v[0], 10.0f)); },
      [](const std::vector<Output>& v) { return std::vector<Output>{raw::AddV2(v[0], 3.0f)}; },
      {1.0f});
  EXPECT_EQ(number(last.at(0)), 10);
}

TEST_F(Eager, arrays_of_tensors_are_differentiable) {
  const Output x = constant({1.0f, 2.0f, 3.0f});
  GradientTape tape;
  tape.watch(x);
  const auto squares = map_fn(
      [](const std::vector<Output>& row) { return std::vector<Input>{raw::Square(row[0])}; }, {x});
  EXPECT_EQ(squares.at(0).value().flat<float>()[2], 9);
  EXPECT_EQ(tape.gradient(squares.at(0), x).dense().value().flat<float>()[2], 6);
}

TEST_F(Eager, iterators_walk_through_datasets) {
  auto it = data::Dataset::range(3).make_one_shot_iterator();
  for (std::int64_t i = 0; i < 3; ++i)
    EXPECT_EQ(it.next_tensors().at(0).value().scalar_value<std::int64_t>(), i);
  EXPECT_THROW(it.next_tensors(), Error);
}

// random.Random(1234).randint(0, 2**31 - 1), and of a seed of two words.
TEST_F(Eager, seeds_are_drawn_as_python_draws_them) {
  EXPECT_EQ(EagerSeeds(1234).next(), 1892932127);
  EagerSeeds wide(5'000'000'000);
  EXPECT_EQ(wide.next(), 372202282);
  EXPECT_EQ(wide.next(), 64589170);
}

TEST_F(Eager, calls_that_were_made_before_see_what_changes) {
  const auto sum = [](const Output& x, const Output& y) { return number(x + y); };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(sum(constant(1.0f), constant(2.0f)), 3);
  EXPECT_EQ((constant(1) + constant(2)).value().scalar_value<std::int32_t>(), 3);
  EXPECT_EQ(sum(constant({{1.0f}, {2.0f}})[0][0], constant(2.0f)), 3);
  for (const bool transposed : {true, false, true, false}) {
    const Output x = constant({{1.0f, 2.0f}, {3.0f, 4.0f}});
    const Output y = raw::MatMul(x, x, {.transpose_a = transposed});
    EXPECT_EQ(y.value().flat<float>()[0], transposed ? 10 : 7);
  }
  EXPECT_THROW(constant({1.0f, 2.0f}) + constant({1.0f, 2.0f, 3.0f}), Error);
  EXPECT_EQ(sum(constant(1.0f), constant(2.0f)), 3);
}

TEST_F(Eager, random_numbers_begin_anew_with_the_seed) {
  const auto draw = [] { return number(random_uniform({}, {.seed = 5})); };
  set_random_seed(1);
  const std::array first{draw(), draw(), draw()};
  set_random_seed(1);
  for (const float expected : first) EXPECT_EQ(draw(), expected);
  EXPECT_NE(first[0], first[1]);
}

TEST_F(Eager, nodes_are_used_again_without_a_trace) {
  const std::int64_t before = ExecutedNode::living_count();
  for (int i = 0; i < 1000; ++i) {
    GradientTape tape;
    const Output x = constant(2.0f);
    tape.watch(x);
    EXPECT_EQ(number(tape.gradient(x * x, x).dense()), 4);
    EXPECT_EQ(constant("text").value().scalar_value<std::string>(), "text");
    EXPECT_EQ(constant({1, 2, 3}).shape(), PartialShape({3}));
  }
  forget_recent_nodes();
  EXPECT_LE(ExecutedNode::living_count(), before + 1);
}

TEST_F(Eager, references_are_refused) {
  try {
    raw::VariableV2({2}, DType::f32);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kFailedPrecondition);
    EXPECT_EQ(error.message(),
              "variable_v2 op does not support eager execution. Arg 'ref' is a ref.");
  }
}

TEST_F(Eager, waiting_ends_where_the_program_says_so) {
  queue::FIFOQueue queue(2, {DType::f32});
  EagerContext::instance().set_timeout(20);
  try {
    queue.dequeue();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kDeadlineExceeded);
  }
  EagerContext::instance().set_timeout(0);
  queue.enqueue({constant(3.0f)});
  EXPECT_EQ(number(queue.dequeue()[0]), 3);
}

TEST_F(Eager, templates_keep_their_variables) {
  Template scale("scale");
  const auto call = [&] {
    return scale([] { return get_variable("s", {.initializer = constant(2.0f)}).value() * 3.0f; });
  };
  EXPECT_EQ(number(call()), 6);
  ASSERT_EQ(scale.eager_variables().size(), 1u);
  scale.eager_variables()[0].assign(5.0f);
  EXPECT_EQ(number(call()), 15);
}

TEST_F(Eager, variables_are_saved_without_a_session) {
  const ScratchDirectory directory;
  const Variable v(constant({1.0f, 2.0f}), {.name = "v"});
  train::EagerSaver saver(train::NamedToSave{{"v", {v}}}, {.max_to_keep = 1});
  const std::string first = saver.save(directory.path() + "/m", {.global_step = 1});
  v.assign({0.0f, 0.0f});
  saver.restore(first);
  EXPECT_EQ(v.value().value().flat<float>()[1], 2);
  saver.save(directory.path() + "/m", {.global_step = 2});
  EXPECT_THROW(saver.restore(first), Error);
  const Variable longer(constant({1.0f, 2.0f, 3.0f}), {.name = "v"});
  EXPECT_THROW(train::EagerSaver(train::NamedToSave{{"v", {longer}}})
                   .restore(saver.saver().last_checkpoints().at(0)),
               Error);
}

TEST_F(Eager, what_belongs_to_graphs_says_so) {
  EXPECT_THROW(train::range_input_producer(3), Error);
  EXPECT_THROW(TextLineReader(), Error);
  EXPECT_THROW(hessians({constant(1.0f)}, {constant(1.0f)}), Error);
}

TEST_F(Eager, long_chains_end_without_deep_recursion) {
  const Output x = constant(1.0f);
  Output y = x;
  {
    GradientTape tape;
    tape.watch(x);
    for (int i = 0; i < 200'000; ++i) y = raw::Neg(y);
  }
  EXPECT_EQ(number(y), 1);
}

}  // namespace
}  // namespace rill
