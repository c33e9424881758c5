#include <gtest/gtest.h>

#include "rill/base/error_testing.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

struct VariableProgram {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(standard_ops());
  Scope scope{*graph};

  Node& add(std::string_view op, std::vector<InputArg> inputs, AttrMap attrs = {},
            std::string_view name = {}) {
    return scope.add(op, std::move(inputs), std::move(attrs), name);
  }
  Output reference(PartialShape shape, std::string_view name = "v") {
    return add("VariableV2", {}, {{"dtype", DType::f32}, {"shape", shape}}, name).output();
  }
  Output handle(PartialShape shape, std::string_view name = "v") {
    return add("VarHandleOp", {}, {{"dtype", DType::f32}, {"shape", shape}, {"shared_name", name}},
               name)
        .output();
  }
};

Tensor run_in(Session& session, Output fetch) { return session.run({}, {{fetch}}).at(0); }
void run_in(Session& session, Node& target) { session.run({}, {}, std::vector<Node*>{&target}); }

void expect_error(const Error& error, Code code, std::string_view text) {
  EXPECT_EQ(error.code(), code) << error.what();
  EXPECT_NE(error.message().find(text), std::string::npos) << error.what();
}

TEST(ReferenceVariable, uninitialized_use_is_refused) {
  VariableProgram p;
  const Output v = p.reference({2});
  Node& add = p.add("AssignAdd", {v, Tensor::vector<float>({1, 2})});
  const Output read = p.add("Identity", {v}).output();
  const Output initialized = p.add("IsVariableInitialized", {v}).output();
  Session session(p.graph);
  const char* text = "Attempting to use uninitialized value v";
  expect_error(thrown_by([&] { run_in(session, read); }), Code::kFailedPrecondition, text);
  expect_error(thrown_by([&] { run_in(session, add); }), Code::kFailedPrecondition, text);
  EXPECT_FALSE(run_in(session, initialized).scalar_value<bool>());
}

TEST(ReferenceVariable, first_assignment_must_have_the_declared_shape) {
  VariableProgram p;
  const Output v = p.reference({2});
  const Output x =
      p.add("Placeholder", {}, {{"dtype", DType::f32}, {"shape", PartialShape()}}).output();
  Node& assign = p.add("Assign", {v, x});
  Session session(p.graph);
  const auto assign_fed = [&](Tensor value) {
    session.run(std::vector<Feed>{{x, std::move(value)}}, {}, std::vector<Node*>{&assign});
  };
  expect_error(thrown_by([&] {
                 assign_fed(Tensor::vector<float>({1, 2, 3}));
               }),
               Code::kInvalidArgument, "lhs shape= [2] rhs shape= [3]");
  assign_fed(Tensor::vector<float>({1, 2}));
  EXPECT_TRUE(identical(run_in(session, v), Tensor::vector<float>({1, 2})));
}

TEST(ReferenceVariable, a_constant_keeps_its_value_when_the_variable_changes) {
  VariableProgram p;
  const Output v = p.reference({2});
  const Output one = p.scope.constant(Tensor::vector<float>({1, 1}));
  Node& assign = p.add("Assign", {v, one});
  Node& add = p.add("AssignAdd", {v, one});
  Session session(p.graph);
  run_in(session, assign);
  run_in(session, add);
  run_in(session, add);
  EXPECT_TRUE(identical(run_in(session, v), Tensor::vector<float>({3, 3})));
  EXPECT_TRUE(identical(run_in(session, one), Tensor::vector<float>({1, 1})));
}

TEST(ReferenceVariable, what_was_fetched_does_not_change_later) {
  VariableProgram p;
  const Output v = p.reference({1});
  Node& assign = p.add("Assign", {v, Tensor::vector<float>({1})});
  Node& add = p.add("AssignAdd", {v, Tensor::vector<float>({1})});
  Session session(p.graph);
  run_in(session, assign);
  const Tensor before = run_in(session, v);
  run_in(session, add);
  EXPECT_TRUE(identical(before, Tensor::vector<float>({1})));
  EXPECT_TRUE(identical(run_in(session, v), Tensor::vector<float>({2})));
}

TEST(ReferenceVariable, a_fed_buffer_is_copied_before_it_is_kept) {
  VariableProgram p;
  const Output v = p.reference({2});
  const Output x =
      p.add("Placeholder", {}, {{"dtype", DType::f32}, {"shape", PartialShape{2}}}).output();
  Node& assign = p.add("Assign", {v, x});
  Session session(p.graph);
  float lent[2] = {1, 2};
  const Tensor fed(DType::f32, {2}, BufferRef(Buffer::borrow(lent, sizeof lent, {}, false)), lent);
  session.run(std::vector<Feed>{{x, fed}}, {}, std::vector<Node*>{&assign});
  lent[0] = 99;
  EXPECT_TRUE(identical(run_in(session, v), Tensor::vector<float>({1, 2})));
}

TEST(TemporaryVariable, lives_for_one_step) {
  VariableProgram p;
  const AttrMap attrs = {{"dtype", DType::f32}, {"shape", PartialShape{2}}, {"var_name", "t"}};
  const Output t = p.add("TemporaryVariable", {}, attrs).output();
  const Output assigned = p.add("Assign", {t, Tensor::vector<float>({4, 5})}).output();
  const Output last = p.add("DestroyTemporaryVariable", {assigned}, {{"var_name", "t"}}).output();
  Session session(p.graph);
  for (int step = 0; step < 2; ++step)
    EXPECT_TRUE(identical(run_in(session, last), Tensor::vector<float>({4, 5})));
}

TEST(ResourceVariable, uninitialized_use_is_refused) {
  VariableProgram p;
  const Output v = p.handle({2});
  const Output read = p.add("ReadVariableOp", {v}, {{"dtype", DType::f32}}).output();
  Node& add = p.add("AssignAddVariableOp", {v, Tensor::vector<float>({1, 2})});
  const Output initialized = p.add("VarIsInitializedOp", {v}).output();
  Session session(p.graph);
  expect_error(thrown_by([&] { run_in(session, read); }), Code::kFailedPrecondition,
               "Error while reading resource variable v from Container: localhost. This could "
               "mean that the variable was uninitialized. Not found: Resource "
               "localhost/v/N10tensorflow3VarE does not exist.");
  expect_error(thrown_by([&] { run_in(session, add); }), Code::kNotFound,
               "Resource localhost/v/N10tensorflow3VarE does not exist.");
  EXPECT_FALSE(run_in(session, initialized).scalar_value<bool>());
}

TEST(ResourceVariable, two_handles_of_one_name_share_their_variable) {
  VariableProgram p;
  const AttrMap attrs = {
      {"dtype", DType::f32}, {"shape", PartialShape{1}}, {"shared_name", "shared"}};
  const Output a = p.add("VarHandleOp", {}, attrs, "a").output();
  const Output b = p.add("VarHandleOp", {}, attrs, "b").output();
  Node& assign = p.add("AssignVariableOp", {a, Tensor::vector<float>({3})});
  const Output read = p.add("ReadVariableOp", {b}, {{"dtype", DType::f32}}).output();
  Session session(p.graph);
  run_in(session, assign);
  EXPECT_TRUE(identical(run_in(session, read), Tensor::vector<float>({3})));
}

TEST(ResourceVariable, a_destroyed_variable_may_be_given_a_new_value) {
  VariableProgram p;
  const Output v = p.handle({1});
  Node& assign = p.add("AssignVariableOp", {v, Tensor::vector<float>({3})});
  Node& destroy = p.add("DestroyResourceOp", {v}, {{"ignore_lookup_error", false}});
  const Output read = p.add("ReadVariableOp", {v}, {{"dtype", DType::f32}}).output();
  Session session(p.graph);
  run_in(session, assign);
  run_in(session, destroy);
  EXPECT_EQ(thrown_by([&] { run_in(session, read); }).code(), Code::kFailedPrecondition);
  expect_error(thrown_by([&] { run_in(session, destroy); }), Code::kNotFound, "does not exist");
  run_in(session, assign);
  EXPECT_TRUE(identical(run_in(session, read), Tensor::vector<float>({3})));
}

TEST(ResourceVariable, what_was_read_does_not_change_later) {
  VariableProgram p;
  const Output v = p.handle({1});
  Node& assign = p.add("AssignVariableOp", {v, Tensor::vector<float>({3})});
  Node& add = p.add("AssignAddVariableOp", {v, Tensor::vector<float>({1})});
  const Output read = p.add("ReadVariableOp", {v}, {{"dtype", DType::f32}}).output();
  Session session(p.graph);
  run_in(session, assign);
  const Tensor before = run_in(session, read);
  run_in(session, add);
  EXPECT_TRUE(identical(before, Tensor::vector<float>({3})));
  EXPECT_TRUE(identical(run_in(session, read), Tensor::vector<float>({4})));
}

TEST(ResourceVariable, another_dtype_is_refused) {
  VariableProgram p;
  const Output v = p.handle({1});
  Node& assign = p.add("AssignVariableOp", {v, Tensor::vector<float>({3})});
  const Output other =
      p.add("VarHandleOp", {},
            {{"dtype", DType::i32}, {"shape", PartialShape{1}}, {"shared_name", "v"}}, "w")
          .output();
  const Output read = p.add("ReadVariableOp", {other}, {{"dtype", DType::i32}}).output();
  Session session(p.graph);
  run_in(session, assign);
  expect_error(thrown_by([&] { run_in(session, read); }), Code::kInvalidArgument,
               "Trying to read variable with wrong dtype. Expected int32 got float");
}

}  // namespace
}  // namespace rill
