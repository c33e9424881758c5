// Checkpoints with single bytes changed, cut off or overwritten: what is read is an error or right.
#include <gtest/gtest.h>

#include "rill/base/file_testing.h"
#include "rill/io/bundle_writer.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/io/slice_file_writer.h"

namespace rill {
namespace {

using Tensors = std::map<std::string, Tensor>;

Tensors saved() {
  return {{"numbers", Tensor::vector<float>({1, -2, 3.5f})},
          {"words", Tensor::vector<std::string>({"ab", "", "cde"})},
          {"flag", Tensor::scalar(true)}};
}

Tensor halves(bool second) {
  return second ? Tensor::vector<std::int64_t>({3, 4, 5}) : Tensor::vector<std::int64_t>({1, 2});
}

template <class Writer>
void save_all(Writer& writer) {
  for (const auto& [name, tensor] : saved()) writer.add(name, tensor);
  for (const bool second : {false, true})
    writer.add_slice("parts", {5}, TensorSlice({{second ? 2 : 0, second ? 3 : 2}}), halves(second));
  writer.finish();
}

class Damage : public testing::Test {
 protected:
  // Reads everything; what an error does not stop must be what was written.
  void expect_right_or_refused(const std::string& path, const std::string& how) {
    const std::string error = error_of([&] {
      const auto reader = CheckpointReader::open(prefix);
      for (const auto& [name, tensor] : saved())
        EXPECT_TRUE(identical(reader->read(name), tensor)) << name << " " << how;
      const Tensor whole = reader->read("parts");
      EXPECT_TRUE(identical(whole, Tensor::vector<std::int64_t>({1, 2, 3, 4, 5}))) << how;
    });
    if (error.empty()) return;
    ++refused;
    EXPECT_NE(error.find(path), std::string::npos) << how << ": " << error;
    EXPECT_TRUE(error.starts_with("DataLoss") || error.starts_with("NotFound") ||
                error.starts_with("InvalidArgument"))
        << how << ": " << error;
  }

  void damage(const std::string& path) {
    const std::string whole = read_file(path);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string broken = whole;
        broken[at] = static_cast<char>(broken[at] ^ (1 << bit));
        write_file(path, broken);
        expect_right_or_refused(path, str_cat("bit ", bit, " of byte ", at));
      }
      write_file(path, whole.substr(0, at));  // torn: the rest was never written,
      expect_right_or_refused(path, str_cat("cut off at ", at));
      std::string zeros = whole;  // or a page of nothing was
      std::fill(zeros.begin() + static_cast<std::ptrdiff_t>(at), zeros.end(), '\0');
      write_file(path, zeros);
      expect_right_or_refused(path, str_cat("zeros from ", at));
    }
    EXPECT_GT(refused, whole.size() * 8);  // nearly all of it is protected
    refused = 0;
    write_file(path, whole);
    expect_right_or_refused(path, "as it was");
    EXPECT_EQ(refused, 0u);
  }

  const std::string prefix = "ram://damage_test/model";
  std::size_t refused = 0;
};

TEST_F(Damage, of_the_shard) {
  BundleWriter writer(prefix);
  save_all(writer);
  damage(prefix + ".data-00000-of-00001");
}

TEST_F(Damage, of_the_index) {
  BundleWriter writer(prefix);
  save_all(writer);
  damage(prefix + ".index");
}

TEST_F(Damage, of_the_first_format) {
  remove_tree("ram://damage_test");
  SliceFileWriter writer(prefix);
  save_all(writer);
  damage(prefix);
}

TEST_F(Damage, errors_tell_file_tensor_and_offset) {
  BundleWriter writer(prefix);
  save_all(writer);
  const std::string path = prefix + ".data-00000-of-00001";
  std::string broken = read_file(path);
  broken[1] = static_cast<char>(~broken[1]);  // "flag" is the first, "numbers" begin at 1
  write_file(path, broken);
  const std::string error = error_of([&] { CheckpointReader::open(prefix)->read("numbers"); });
  EXPECT_NE(error.find(path), std::string::npos) << error;
  EXPECT_NE(error.find("tensor numbers at offset 1"), std::string::npos) << error;
}

}  // namespace
}  // namespace rill
