// Queues, accumulators and tables as C++ programs use them.
#include <gtest/gtest.h>

#include "rill/rill.h"

namespace tf = rill;

namespace {

class Queues : public ::testing::Test {
 protected:
  void run(tf::Node& node) {
    tf::Node* const target = &node;
    session_.run({}, {}, {&target, 1});
  }
  tf::Tensor get(tf::Output x) { return session_.run({}, {&x, 1})[0]; }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
  tf::Session session_{graph_};
};

TEST_F(Queues, first_in_first_out) {
  tf::FIFOQueue q(10, {tf::float32}, {.shapes = {tf::PartialShape::scalar()}});
  run(q.enqueue_many({tf::Tensor::vector<float>({1, 2, 3})}));
  EXPECT_EQ(get(q.dequeue()[0]).flat<float>()[0], 1);
  EXPECT_EQ(*get(q.size()).data<std::int32_t>(), 2);
  const auto rest = q.dequeue_many(2);
  EXPECT_EQ(tf::to_text(rest[0].shape()), "[2]");
  EXPECT_EQ(rest[0].name(), "fifo_queue_DequeueMany:0");
  EXPECT_EQ(get(rest[0]).flat<float>()[1], 3);
}

TEST_F(Queues, named_components) {
  tf::FIFOQueue q(10, {tf::float32, tf::int32}, {.names = {"a", "b"}});
  run(q.enqueue(tf::queue::NamedComponents{{"b", 3}, {"a", 1.5F}}));
  EXPECT_EQ(*get(q.dequeue()[0]).data<float>(), 1.5F);
  EXPECT_THROW(q.enqueue(std::vector<tf::Input>{1.0F, 2}), tf::Error);
  EXPECT_THROW(q.enqueue(tf::queue::NamedComponents{{"c", 3}}), tf::Error);
}

TEST_F(Queues, kinds) {
  tf::PriorityQueue first(10, {tf::string}, {.shapes = {tf::PartialShape::scalar()}});
  EXPECT_EQ(first.dtypes(), (std::vector<tf::DType>{tf::int64, tf::string}));
  tf::PaddingFIFOQueue padded(10, {tf::int32}, {{tf::None}});
  run(padded.enqueue({tf::Tensor::vector<int>({1})}));
  run(padded.enqueue({tf::Tensor::vector<int>({2, 3})}));
  EXPECT_EQ(get(padded.dequeue_many(2)[0]).flat<int>()[1], 0);
  tf::RandomShuffleQueue shuffled(10, 2, {tf::int32}, {.seed = 7});
  EXPECT_EQ(shuffled.queue_ref().node->attr<std::int64_t>("seed2"), 7);
}

TEST_F(Queues, accumulators) {
  tf::ConditionalAccumulator a(tf::float32, {.shape = tf::PartialShape{2}});
  run(a.apply_grad(tf::Tensor::vector<float>({1, 2})));
  run(a.apply_grad(tf::Tensor::vector<float>({3, 4})));
  EXPECT_EQ(get(a.take_grad(2)).flat<float>()[1], 3);
}

TEST_F(Queues, tables) {
  const tf::lookup::KeyValueTensorInitializer pairs(tf::Tensor::vector<std::string>({"a", "b"}),
                                                    tf::Tensor::vector<std::int64_t>({10, 20}));
  const tf::lookup::StaticHashTable table(pairs, -1);
  const tf::lookup::StaticVocabularyTable words(&pairs, 1);
  run(tf::tables_initializer());
  const auto found = table.lookup(tf::Tensor::vector<std::string>({"b", "c"}));
  EXPECT_EQ(found.name(), "hash_table_Lookup/LookupTableFindV2:0");
  EXPECT_EQ(get(found).flat<std::int64_t>()[0], 20);
  EXPECT_EQ(get(found).flat<std::int64_t>()[1], -1);
  EXPECT_EQ(get(words.lookup(tf::Tensor::vector<std::string>({"c"}))).flat<std::int64_t>()[0], 2);
  EXPECT_THROW(table.lookup(tf::constant(1)), tf::Error);
}

TEST_F(Queues, tables_that_change) {
  const tf::lookup::MutableHashTable table(tf::string, tf::float32, 0.0F);
  run(table.insert(tf::Tensor::vector<std::string>({"a"}), tf::Tensor::vector<float>({1})));
  EXPECT_EQ(get(table.lookup(tf::Tensor::vector<std::string>({"a"}))).flat<float>()[0], 1);
  run(table.remove(tf::Tensor::vector<std::string>({"a"})));
  EXPECT_EQ(*get(table.size()).data<std::int64_t>(), 0);
}

}  // namespace
