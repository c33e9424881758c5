#include "rill/io/npz.h"

#include <gtest/gtest.h>

#include "rill/base/error.h"
#include "rill/base/file_testing.h"

namespace rill {
namespace {

std::string npy(std::string header, const std::string& data) {
  header += '\n';
  std::string text("\x93NUMPY\1\0", 8);
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  return text + header + data;
}

TEST(Npz, an_array_of_numbers) {
  const float values[] = {1, 2, 3, 4, 5, 6};
  const std::string data(reinterpret_cast<const char*>(values), sizeof values);
  const Tensor read =
      parse_npy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", data), "x");
  EXPECT_TRUE(identical(read, Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6})));
}

TEST(Npz, scalars_and_strings) {
  const Tensor one =
      parse_npy(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (), }", "\1"), "x");
  EXPECT_EQ(one.shape(), Shape());
  EXPECT_TRUE(one.scalar_value<bool>());
  const Tensor words = parse_npy(
      npy("{'descr': '|S3', 'fortran_order': False, 'shape': (2,), }", std::string("ab\0cde", 6)),
      "x");
  EXPECT_EQ(words.data<std::string>()[0], "ab");
  EXPECT_EQ(words.data<std::string>()[1], "cde");
}

TEST(Npz, damaged_and_strange_arrays_are_refused) {
  const char* const wrong[] = {
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",  // too few bytes
      "{'descr': '<f4', 'fortran_order': True, 'shape': (), }",
      "{'descr': '<M8', 'fortran_order': False, 'shape': (), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999, 99999999999999), }",
      "{'fortran_order': False}",
      "",
  };
  for (const char* header : wrong)
    EXPECT_THROW(parse_npy(npy(header, "1234"), "x"), Error) << header;
  EXPECT_THROW(parse_npy("", "x"), Error);
  EXPECT_THROW(parse_npy("\x93NUMPY\1", "x"), Error);
}

TEST(Npz, files_that_are_no_archives_are_refused) {
  const ScratchDirectory folder;
  for (const std::string& bytes :
       {std::string("nothing"), std::string("PK\5\6"),
        std::string("PK\5\6\0\0\0\0\xff\xff\xff\xff\0\0\0\0\0\0\0\0", 20),
        std::string("PK\5\6\0\0\0\0\1\0\1\0\0\0\0\0\xff\xff\0\0\0\0", 22)}) {
    write_file(folder / "x.npz", bytes);
    EXPECT_THROW(read_npz(folder / "x.npz"), Error);
  }
}

}  // namespace
}  // namespace rill
