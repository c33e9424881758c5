#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "rill/api/examples/mnist.h"
#include "rill/base/error.h"

namespace rill {
namespace {

namespace mnist = examples::mnist;

class MnistApi : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    for (const std::string kind : {"train", "t10k"}) {
      const char count = kind == "train" ? 6 : 2;
      std::string images{0, 0, 8, 3, 0, 0, 0, count, 0, 0, 0, 2, 0, 0, 0, 1};
      std::string labels{0, 0, 8, 1, 0, 0, 0, count};
      for (char i = 0; i < count; ++i) {
        images += {i, static_cast<char>(i + 1)};
        labels += i;
      }
      write(kind + "-images-idx3-ubyte", images);
      write(kind + "-labels-idx1-ubyte", labels);
    }
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << bytes;
  }
  std::string folder_ = testing::TempDir() + "mnist_api_test";
};

TEST_F(MnistApi, sets_and_batches) {
  mnist::DataSets sets =
      mnist::read_data_sets(folder_, {.one_hot = true, .validation_size = 2, .seed = 1});
  EXPECT_EQ(sets.train.num_examples(), 4);
  EXPECT_EQ(sets.validation.num_examples(), 2);
  EXPECT_EQ(sets.test.images().shape(), Shape({2, 2}));
  EXPECT_EQ(sets.validation.labels().shape(), Shape({2, 10}));
  const mnist::Batch batch = sets.train.next_batch(3);
  EXPECT_EQ(batch.images.shape(), Shape({3, 2}));
  sets.train.next_batch(3);
  EXPECT_EQ(sets.train.epochs_completed(), 1);
  EXPECT_THROW(sets.train.next_batch(5), Error);
}

TEST_F(MnistApi, unshuffled_batches_are_in_order) {
  mnist::DataSets sets =
      mnist::read_data_sets(folder_, {.dtype = DType::u8, .reshape = false, .validation_size = 0});
  EXPECT_EQ(sets.train.images().shape(), Shape({6, 2, 1, 1}));
  const mnist::Batch batch = sets.train.next_batch(2, false);
  EXPECT_EQ(batch.images.data<std::uint8_t>()[3], 2);
  EXPECT_EQ(batch.labels.data<std::uint8_t>()[1], 1);
}

// What numpy.random.seed(3); numpy.random.shuffle(numpy.arange(10)) gives.
TEST(MnistShuffler, is_numpys) {
  const std::vector<std::int64_t> expected{5, 4, 1, 2, 9, 6, 7, 0, 3, 8};
  EXPECT_EQ(mnist::Shuffler(3).order(10), expected);
}

TEST_F(MnistApi, missing_and_other_files) {
  std::filesystem::remove(folder_ + "/train-labels-idx1-ubyte");
  try {
    mnist::read_data_sets(folder_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kNotFound);
    EXPECT_NE(error.message().find("train-labels-idx1-ubyte.gz"), std::string::npos);
  }
  write("other", "text");
  EXPECT_THROW(mnist::read_idx(folder_ + "/other"), Error);
  write("short", std::string{0, 0, 8, 1, 0, 0, 0, 5, 1});
  EXPECT_THROW(mnist::read_idx(folder_ + "/short"), Error);
}

}  // namespace
}  // namespace rill
