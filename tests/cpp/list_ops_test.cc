// Lists of tensors: gradients of our own, what shape functions know, and values that no program
// should hand over. What the ops compute, tests/golden/control tells.
#include <functional>

#include "tests/cpp/list_testing.h"

namespace rill {
namespace {

class ListOps : public ListFixture {};

// --- gradients ----------------------------------------------------------------------------------

TEST_F(ListOps, gradient_of_rows) { check_gradient(stack(rows(x_))); }

TEST_F(ListOps, gradient_of_push_and_pop) {
  Output list = rows(x_);
  list = push(list, op("Mul", {item(list, 0), item(list, 2)}));
  Node& popped = scope_.add("TensorListPopBack", {list, ints({2})}, of_floats());
  list = push(popped.output(0), op("Square", {popped.output(1)}));
  check_gradient(stack(list));
}

TEST_F(ListOps, gradient_of_items) {
  const Output list = rows(x_);
  const Output set = op("TensorListSetItem", {list, 1, op("Square", {item(list, 2)})});
  check_gradient(op("Mul", {item(set, 1), item(list, 0)}));
}

TEST_F(ListOps, gradient_of_resize) {
  check_gradient(stack(op("TensorListResize", {rows(x_), 2})));
  check_gradient(stack(op("TensorListResize", {rows(x_), 5})));
}

TEST_F(ListOps, gradient_of_gather_and_scatter) {
  check_gradient(op("TensorListGather", {rows(x_), ints({2, 0}), ints({2})}, of_floats()));
  check_gradient(stack(op("TensorListScatterV2", {x_, ints({4, 0, 1}), ints({2}), 6})));
  check_gradient(stack(op("TensorListScatter", {x_, ints({2, 0, 1}), ints({2})})));
  const Output squares = op("Square", {x_});
  check_gradient(
      stack(op("TensorListScatterIntoExistingList", {rows(x_), squares, ints({0, 2, 1})})));
}

TEST_F(ListOps, gradient_of_split_and_concat) {
  const Output list =
      op("TensorListSplit", {x_, ints({-1, 2}), Tensor::vector<std::int64_t>({1, 0, 2})});
  check_gradient(
      op("TensorListConcatV2", {list, ints({-1, 2}), Tensor(DType::i64, Shape{0})}, of_floats()));
  check_gradient(op("TensorListConcat", {list}, of_floats()));
}

TEST_F(ListOps, gradient_of_sums_of_lists) {
  const Output list = rows(x_), squares = rows(op("Square", {x_}));
  check_gradient(
      stack(op("AddN", {std::vector<Input>{list, squares, op("ZerosLike", {list}), list}})));
}

TEST_F(ListOps, gradient_of_gradient) {
  const Output y = op("Square", {stack(push(rows(x_), item(rows(x_), 1)))});
  check_gradient(gradients(scope_, {{y}}, {{x_}}, {})[0].dense());
}

// --- what is known before anything runs ---------------------------------------------------------

TEST_F(ListOps, shapes_are_known_through_handles) {
  const Output list = empty(ints({3, -1}));
  const Output longer = op("Identity", {push(list, op("ZerosLike", {x_}))});
  const auto stack_any = [&](Output l) {
    return op("TensorListStack", {l, -1}, {{"element_dtype", DType::f32}, {"num_elements", 4}});
  };
  EXPECT_EQ(stack_any(longer).shape(), (PartialShape{4, 3, kUnknownDim}));
  EXPECT_EQ(op("TensorListElementShape", {longer}, {{"shape_type", DType::i64}}).shape(),
            (PartialShape{2}));
  EXPECT_EQ(op("TensorListConcat", {longer}, of_floats()).shape(),
            (PartialShape{kUnknownDim, kUnknownDim}));
  EXPECT_EQ(op("TensorListGather", {longer, ints({0, 0}), ints({-1, 5})}, of_floats()).shape(),
            (PartialShape{2, 3, 5}));
  EXPECT_FALSE(stack_any(empty()).shape().has_rank());
  EXPECT_EQ(op("ZerosLike", {longer}).node->output_handle(0)->shape,
            (PartialShape{3, kUnknownDim}));
}

TEST_F(ListOps, wrong_types_are_refused_when_the_graph_is_built) {
  const Output list = empty(ints({2}), DType::i32);
  for (const auto& use : std::vector<std::function<void()>>{
           [&] { push(list, x_); }, [&] { stack(list); }, [&] { item(list, 0); },
           [&] {
             op("TensorListPopBack", {list, ints({2})}, of_floats());
           },
           [&] { op("TensorListConcat", {list}, of_floats()); },
           [&] {
             op("TensorListConcatLists", {list, list}, of_floats());
           },
           [&] {
             op("AddN", {std::vector<Input>{list, empty()}});
           }})
    EXPECT_EQ(thrown_by(use).code(), Code::kInvalidArgument);
}

// --- hostile values -----------------------------------------------------------------------------

class HostileLists : public ListOps {
 protected:
  Error error_for(Output fetch, const Tensor& list) {
    return thrown_by([&] {
      Session(graph_).run(Feeds{{list_, list}, {x_, Tensor::zeros(DType::f32, {3, 2})}}, {{fetch}});
    });
  }
  Output list_ = op("Placeholder", {}, {{"dtype", DType::variant}});
};

TEST_F(HostileLists, what_is_not_a_list) {
  const Tensor other = Tensor::scalar(Variant("Other", std::make_shared<const int>(3)));
  for (const Output& use :
       {op("TensorListLength", {list_}), push(list_, x_), stack(list_),
        op("TensorListConcatLists", {list_, list_}, of_floats()), item(list_, 0)}) {
    for (const Tensor& bad : {other, Tensor::scalar(Variant())}) {
      const Error error = error_for(use, bad);
      EXPECT_EQ(error.code(), Code::kInvalidArgument) << error.what();
      EXPECT_NE(error.message().find("is not a list"), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(error_for(op("ZerosLike", {list_}), other).code(), Code::kInternal);
  EXPECT_EQ(error_for(op("AddN", {std::vector<Input>{list_, list_}}), other).code(),
            Code::kInternal);
}

TEST_F(HostileLists, elements_of_another_type) {
  auto list = std::make_shared<ListValue>(DType::i32, PartialShape());
  list->push_back(Tensor::scalar(std::int32_t{7}));
  for (const Output& use : {push(list_, x_), stack(list_), item(list_, 0),
                            op("TensorListGather", {list_, ints({0}), -1}, of_floats()),
                            op("TensorListPopBack", {list_, -1}, of_floats())})
    EXPECT_EQ(error_for(use, to_tensor(list)).code(), Code::kInvalidArgument);
}

TEST_F(HostileLists, shapes_that_only_the_kernel_sees) {
  const Output scattered = op("TensorListScatterIntoExistingList", {list_, x_, ints({0, 1, -4})});
  const auto list = std::make_shared<const ListValue>(DType::f32, PartialShape());
  EXPECT_EQ(Session(graph_)
                .run(Feeds{{list_, to_tensor(list)}}, {{op("TensorListLength", {list_})}})
                .size(),
            1u);
  const Error error = thrown_by([&] {
    Session(graph_).run(Feeds{{list_, to_tensor(list)}, {x_, Tensor::zeros(DType::f32, {3, 2})}},
                        {{scattered}});
  });
  EXPECT_EQ(error.code(), Code::kInvalidArgument) << error.what();
}

TEST_F(ListOps, more_elements_than_memory) {
  const Output many = op("TensorListReserve", {ints({1 << 30}), 2147483647}, of_floats());
  const Error error = thrown_by([&] {
    Session(graph_).run({}, {{op("TensorListStack", {many, -1}, of_floats())}});
  });
  EXPECT_TRUE(error.code() == Code::kResourceExhausted || error.code() == Code::kInvalidArgument)
      << error.what();
}

}  // namespace
}  // namespace rill
