// What a program in C++ writes first: conditions, braces, fetches, feeds, lists of variables.
#include <gtest/gtest.h>

#include <sstream>

#include "rill/messages.h"
#include "rill/rill.h"

namespace tf = rill;

namespace {

class Surface : public ::testing::Test {
 protected:
  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const tf::Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

template <class T>
std::vector<T> values(const tf::Tensor& tensor) {
  return {tensor.flat<T>().begin(), tensor.flat<T>().end()};
}

// --- a tensor of the graph is no truth value -----------------------------------------------------

template <class T>
concept Branches = requires(T x) {
  x ? 1 : 0;
};
template <class T>
concept Negates = requires(T x) {
  !x ? 1 : 0;
};
template <class T>
concept MixesWithBool = requires(T x, bool flag) {
  flag&& x ? 1 : 0;
};
template <class T>
concept Copies = requires(T& x) {
  T(x);
};

static_assert(!std::is_constructible_v<bool, tf::Output>);
static_assert(!Branches<tf::Output>);
static_assert(!Negates<tf::Output>);
static_assert(!MixesWithBool<tf::Output>);
static_assert(!Copies<tf::Node>, "auto train = minimize(loss) would be another node");
static_assert(Branches<tf::Variable> && Branches<tf::OptionalInput>);

TEST_F(Surface, conditions_build_nodes) {
  const auto v = tf::placeholder(tf::float32, {2});
  const tf::Output both = (v > 1.0f) && (v < 3.0f);
  EXPECT_EQ(both.node->op().name, "LogicalAnd");
  EXPECT_EQ((!(v > 2.0f)).node->op().name, "LogicalNot");
  tf::Session sess;
  EXPECT_EQ(values<bool>(sess.run(both, {{v, {2, 5}}})), (std::vector{true, false}));
  EXPECT_EQ(values<bool>(sess.run((v > 4.0f) || !(v > 2.0f), {{v, {2, 3}}})),
            (std::vector{true, false}));
}

// --- handles that are empty or gone say so -------------------------------------------------------

TEST_F(Surface, a_missing_variable_says_so) {
  const tf::Variable none = tf::train::get_global_step();
  EXPECT_FALSE(none);
  EXPECT_NE(message_of([&] {
              tf::train::exponential_decay(0.1, none, 10, 0.9);
            }).find("the Variable is empty"),
            std::string::npos);
  EXPECT_THROW(none.name(), tf::Error);
  EXPECT_THROW(none.assign(1), tf::Error);
}

TEST_F(Surface, what_may_be_missing_names_itself) {
  EXPECT_NE(message_of([] { *tf::summaries::merge_all(); }).find("no summaries"),
            std::string::npos);
  EXPECT_NE(
      message_of([] { *tf::train::latest_checkpoint("/no/such/directory"); }).find("no checkpoint"),
      std::string::npos);
}

TEST_F(Surface, gradients_say_what_they_are) {
  const auto table = tf::placeholder(tf::float32, {3, 2});
  const auto other = tf::placeholder(tf::float32, {3, 2});
  const auto grads = tf::gradients(tf::gather(table, {0, 1}), {table, other});
  EXPECT_NE(message_of([&] { grads[0].dense(); }).find("slices()"), std::string::npos);
  EXPECT_NE(message_of([&] { grads[1].dense(); }).find("nothing depends"), std::string::npos);
}

TEST_F(Surface, a_tensor_of_a_graph_that_is_gone_says_so) {
  tf::Output y;
  tf::Variable v;
  {
    const tf::AsDefault other(tf::make_graph());
    v = tf::Variable(1.0f);
    y = tf::identity(v);
  }
  EXPECT_NE(message_of([&] { y.name(); }).find("graph of this tensor is gone"), std::string::npos);
  EXPECT_THROW(y.dtype(), tf::Error);
  EXPECT_THROW(y + 1.0f, tf::Error);
  EXPECT_THROW(v.assign(1.0f), tf::Error);
  tf::Session sess;
  EXPECT_THROW(sess.run(y), tf::Error);
}

TEST_F(Surface, unknown_keys_of_an_input_map_are_refused) {
  const auto x = tf::constant(1.0f, {.name = "x"});
  const auto def = tf::export_graph_def(*graph_);
  EXPECT_NE(message_of([&] {
              tf::import_graph_def(*graph_, def, {.prefix = "p", .input_map = {{"z:0", x}}});
            }).find("z:0"),
            std::string::npos);
}

// --- literals and lists --------------------------------------------------------------------------

TEST_F(Surface, numbers_keep_their_type) {
  EXPECT_EQ(tf::constant(1).dtype(), tf::int32);
  EXPECT_EQ(tf::constant(std::int64_t{1}).dtype(), tf::int64);
  EXPECT_EQ(tf::constant(3.0).dtype(), tf::float32);  // as Python's
  EXPECT_EQ(tf::constant({1.0, 2.0}).dtype(), tf::float32);
  EXPECT_EQ(tf::constant(std::vector<double>{1, 2}).dtype(), tf::float64);
  EXPECT_EQ(tf::constant(std::vector<float>{1, 2}).dtype(), tf::float32);
  EXPECT_EQ(tf::constant({1, 2}, {.dtype = tf::float32}).dtype(), tf::float32);
  EXPECT_EQ(tf::constant(true).dtype(), tf::bool_);
  EXPECT_EQ(tf::constant({"a", "b"}).shape(), tf::Shape({2}));
  EXPECT_EQ(tf::constant({1.0, 2}).shape(), tf::Shape({2}));
  EXPECT_EQ(tf::identity(std::int64_t{0}).dtype(), tf::int64);
  EXPECT_EQ(tf::identity(0).dtype(), tf::int32);
  EXPECT_EQ(tf::range(std::int64_t{3}).dtype(), tf::int64);
  EXPECT_EQ(tf::stack({std::int64_t{1}, std::int64_t{2}}).dtype(), tf::int64);
  EXPECT_EQ((tf::constant(1) + std::int64_t{2}).dtype(),
            tf::int32);  // that of the tensor beside it
}

TEST_F(Surface, braces_are_lists) {
  const auto x = tf::constant({{1.0f, 2.0f}, {3.0f, 4.0f}});
  EXPECT_EQ(x.shape(), tf::Shape({2, 2}));
  tf::Session sess;
  EXPECT_EQ(sess.run(tf::pad(x, {{1, 1}, {0, 0}})).shape(), tf::Shape({4, 2}));
  const auto line = tf::constant({1.0f, 2.0f, 3.0f});
  EXPECT_EQ(sess.run(tf::pad(line, {{1, 1}})).shape(), tf::Shape({5}));
  EXPECT_EQ(sess.run(tf::reshape(x, {-1})).shape(), tf::Shape({4}));
  EXPECT_EQ(sess.run(tf::reshape(x, {-1, 1, 2})).shape(), tf::Shape({2, 1, 2}));
  EXPECT_EQ(sess.run(tf::tile(line, {2})).shape(), tf::Shape({6}));
  EXPECT_EQ(values<float>(sess.run(tf::gather(line, {2, 0}))), (std::vector{3.0f, 1.0f}));
  EXPECT_EQ(values<float>(sess.run(tf::reduce_sum(x, {.axis = {0, 1}}))), (std::vector{10.0f}));
  EXPECT_EQ(sess.run(tf::reshape(x, {tf::shape(x)[0] * 2, -1})).shape(), tf::Shape({4, 1}));
}

TEST_F(Surface, empty_braces_are_scalars) {
  EXPECT_EQ(tf::placeholder(tf::float32, {}).shape(), tf::PartialShape::scalar());
  EXPECT_FALSE(tf::placeholder(tf::float32).shape().has_rank());
  EXPECT_EQ(tf::get_variable("s", {}).shape(), tf::PartialShape::scalar());
  EXPECT_EQ(tf::zeros({}).shape(), tf::PartialShape::scalar());
  const tf::FixedLenFeature number{{}, tf::int64};
  EXPECT_EQ(number.shape, tf::PartialShape::scalar());
}

TEST_F(Surface, lists_of_outputs_are_inputs) {
  const auto rows = tf::unstack(tf::constant({{1.0f, 2.0f}, {3.0f, 4.0f}}));
  tf::Session sess;
  EXPECT_EQ(sess.run(tf::stack(rows)).shape(), tf::Shape({2, 2}));
  EXPECT_EQ(sess.run(tf::concat(rows, 0)).shape(), tf::Shape({4}));
  EXPECT_EQ(values<float>(sess.run(tf::add_n(rows))), (std::vector{4.0f, 6.0f}));
}

TEST_F(Surface, indices_and_slices) {
  const auto x = tf::constant({{1, 2, 3}, {4, 5, 6}});
  tf::Session sess;
  EXPECT_EQ(values<int>(sess.run(x[1])), (std::vector{4, 5, 6}));
  EXPECT_EQ(values<int>(sess.run(x[-1][0])), (std::vector{4}));
  EXPECT_EQ(values<int>(sess.run(x[{1, tf::SliceRange{1, 3}}])), (std::vector{5, 6}));
  EXPECT_EQ(values<int>(sess.run(x[{tf::Ellipsis{}, tf::SliceRange{.step = 2}}])),
            (std::vector{1, 3, 4, 6}));
}

TEST_F(Surface, shapes_can_be_told) {
  const auto x = tf::placeholder(tf::float32);
  x.set_shape({tf::None, 3});
  EXPECT_EQ(x.shape(), (tf::PartialShape{tf::None, 3}));
  EXPECT_THROW(x.set_shape({2}), tf::Error);
}

// --- runs ----------------------------------------------------------------------------------------

TEST_F(Surface, runs_take_whatever_can_be_fetched) {
  const tf::Variable w(2.0f, {.name = "w"});
  const auto x = tf::placeholder(tf::float32, {});
  const auto y = tf::multiply(w, x);
  auto& add = w.assign_add_op(1.0f);
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  EXPECT_EQ(sess.run(w).scalar_value<float>(), 2.0f);
  const auto listed = sess.run({x, y}, {{x, 3.0f}});
  EXPECT_EQ(listed[1].scalar_value<float>(), 6.0f);
  const auto mixed = sess.run({add, w.handle()}, {{x, 1}});
  EXPECT_FALSE(mixed[0].has_value());
  EXPECT_TRUE(mixed[1].has_value());
  const auto [left, right] = sess.run(std::tuple(x, y), {{x, 2.0}});
  EXPECT_EQ(left.scalar_value<float>(), 2.0f);
  EXPECT_EQ(right.scalar_value<float>(), 6.0f);
  const auto [operation, pair] = sess.run(std::tuple(&add, std::pair(x, y)), {{x, 1.0f}});
  EXPECT_FALSE(operation.has_value());
  EXPECT_EQ(std::get<0>(pair).scalar_value<float>(), 1.0f);
  const auto named = sess.run(std::map<std::string, tf::Output>{{"y", y}}, {{x, 0.5f}});
  EXPECT_EQ(named.at("y").scalar_value<float>(), 2.0f);
  EXPECT_EQ(sess.run(std::vector{w, w}).size(), 2U);
  EXPECT_EQ(sess.run(y, {{w, 10.0f}, {x, 2.0f}}).scalar_value<float>(), 20.0f);
}

TEST_F(Surface, feeds_are_refused_where_they_do_not_fit) {
  const auto x = tf::placeholder(tf::int32, {});
  EXPECT_THROW(tf::Feed(x, 2.5), tf::Error);
  EXPECT_NE(message_of([&] { tf::Feed(x, tf::Input(x)); }).find("tensor of the graph"),
            std::string::npos);
}

// --- lists of variables and operations -----------------------------------------------------------

TEST_F(Surface, gradients_and_savers_take_variables) {
  for (const bool resource : {false, true}) {
    const tf::Variable w(3.0f, {.use_resource = resource});
    const auto grads = tf::gradients(tf::square(w), std::vector{w});
    tf::Session sess;
    sess.run(tf::global_variables_initializer());
    EXPECT_EQ(sess.run(grads.at(0).dense()).scalar_value<float>(), 6.0f);
    EXPECT_FALSE(tf::gradients(tf::square(w), w).at(0).empty());
  }
  EXPECT_FALSE(tf::train::Saver(tf::trainable_variables()).is_empty());
  const tf::Variable w = tf::trainable_variables().at(0);
  EXPECT_FALSE(tf::train::Saver({{"other", w}}).is_empty());
  EXPECT_FALSE(tf::train::Saver({w}).is_empty());
  tf::train::ExponentialMovingAverage ema(0.9);
  ema.apply({w});
  EXPECT_FALSE(tf::train::Saver(ema.variables_to_restore()).is_empty());
}

TEST_F(Surface, dependencies_take_operations_tensors_and_collections) {
  const tf::Variable n(0);
  tf::add_to_collection(tf::GraphKeys::UPDATE_OPS, &n.assign_add_op(1));
  tf::Output y;
  {
    const tf::ControlDependencies after(tf::get_collection(tf::GraphKeys::UPDATE_OPS));
    y = tf::constant(1);
  }
  EXPECT_EQ(y.node->control_inputs().size(), 1U);
  auto& update = n.assign_add_op(1);
  const auto z = tf::with_control_dependencies({update, y, n}, [] { return tf::constant(2); });
  EXPECT_EQ(z.node->control_inputs().size(), 3U);
  EXPECT_TRUE(tf::constant(3).node->control_inputs().empty());
  EXPECT_EQ(tf::group({update, y}).control_inputs().size(), 2U);
  tf::add_to_collection("texts", std::string("a"));
  EXPECT_THROW(tf::ControlDependencies(tf::get_collection("texts")), tf::Error);
}

TEST_F(Surface, metrics_go_into_a_specification_as_they_are) {
  const auto accuracy = tf::metrics::accuracy({1, 0}, {1, 1});
  const tf::estimator::EstimatorSpec spec{.eval_metric_ops = {{"accuracy", accuracy}}};
  EXPECT_EQ(spec.eval_metric_ops.at("accuracy").value, accuracy.value);
}

TEST_F(Surface, branches_and_loops_take_tensors_one_by_one) {
  const auto x = tf::placeholder(tf::int32, {});
  const tf::Output y = tf::cond(
      x > 0, [&] { return x + 1; }, [] { return 7; });
  const tf::Output z = tf::case_({{x > 5, [&] { return x; }}, {x > 0, [&] { return -x; }}},
                                 [] { return tf::constant(0); });
  const tf::Output up =
      tf::while_loop([](tf::Output i) { return i < 10; }, [](tf::Output i) { return i + 3; }, {x});
  const auto [n, sum] = tf::while_loop(
      [](tf::Output n, tf::Output) { return n < 4; },
      [](tf::Output n, tf::Output sum) { return std::tuple(n + 1, sum + n); }, {0, x});
  tf::Session sess;
  const auto run = [&](const tf::Output& what, int fed) {
    return sess.run(what, {{x, fed}}).scalar_value<int>();
  };
  EXPECT_EQ(run(y, 2), 3);
  EXPECT_EQ(run(y, -2), 7);
  EXPECT_EQ(run(z, 6), 6);
  EXPECT_EQ(run(z, 2), -2);
  EXPECT_EQ(run(z, -2), 0);
  EXPECT_EQ(run(up, 2), 11);
  EXPECT_EQ(run(n, 0), 4);
  EXPECT_EQ(run(sum, 10), 16);
  EXPECT_NE(message_of([&] {
              tf::while_loop([](tf::Output i) { return i < 10; },
                             [](tf::Output i) { return i + 3; }, {0, 1});
            }).find("take 1 loop variables, but there are 2"),
            std::string::npos);
}

TEST_F(Surface, every_option_can_be_named) {
  const auto out = tf::while_loop([](const auto& v) { return v[0] < 10; },
                                  [](const auto& v) { return std::vector{v[0] + 1}; }, {0},
                                  {.maximum_iterations = 5});
  tf::Session sess;
  EXPECT_EQ(sess.run(out[0]).scalar_value<int>(), 5);
  const tf::RandomShuffleQueue queue(10, 0, {tf::int32}, {.shapes = {tf::Shape{2}}, .seed = 1});
  EXPECT_EQ(queue.shapes().size(), 1U);
}

// --- what is shown -------------------------------------------------------------------------------

TEST_F(Surface, tensors_and_shapes_print) {
  std::ostringstream out;
  const auto x = tf::placeholder(tf::float32, {tf::None, 2}, {.name = "x"});
  out << x << ' ' << x.shape() << ' ' << tf::Shape{3} << ' ' << tf::Tensor::of<int>({2}, {1, 2});
  EXPECT_EQ(out.str(), "Tensor(\"x:0\", shape=(?, 2), dtype=float32) (?, 2) (3,) [1 2]");
}

TEST_F(Surface, errors_name_the_line_that_built) {
  const auto a = tf::placeholder(tf::float32, {2}), b = tf::placeholder(tf::float32, {3});
  int line = 0;
  try {
    line = __LINE__ + 1;
    a + b;
    FAIL();
  } catch (const tf::Error& error) {
    EXPECT_TRUE(std::string_view(error.at().file_name()).ends_with("surface_test.cc"));
    EXPECT_EQ(static_cast<int>(error.at().line()), line);
    EXPECT_NE(std::string_view(error.what()).find("surface_test.cc:"), std::string_view::npos);
  }
}

}  // namespace
