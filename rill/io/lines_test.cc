#include "rill/io/lines.h"

#include <gtest/gtest.h>

#include <vector>

#include "rill/base/files.h"

namespace rill {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  const std::string path = "ram://lines_test";
  write_file(path, text);
  Lines lines(path);
  std::vector<std::string> all;
  for (std::string line; lines.read(&line);) all.push_back(line);
  EXPECT_EQ(lines.position(), text.size());
  return all;
}
using Texts = std::vector<std::string>;

TEST(Lines, ends_of_lines) {
  EXPECT_EQ(lines_of(""), Texts());
  EXPECT_EQ(lines_of("\n"), Texts({""}));
  EXPECT_EQ(lines_of("one\r\ntwo\n\nlast"), Texts({"one", "two", "", "last"}));
  EXPECT_EQ(lines_of("a\rb\nc\r\r\n\r\nend\r"), Texts({"a\rb", "c\r", "", "end"}));
}

TEST(Lines, longer_than_any_buffer) {
  const std::string a(300'000, 'a'), b(1'000'000, 'b');
  EXPECT_EQ(lines_of(a + "\n" + b + "\r\nc\n" + a), Texts({a, b, "c", a}));
  // The end of a line falls between two pieces.
  for (std::size_t size = (256 << 10) - 2; size < (256 << 10) + 2; ++size)
    EXPECT_EQ(lines_of(std::string(size, 'x') + "\r\nend"), Texts({std::string(size, 'x'), "end"}));
}

TEST(Lines, report_their_position) {
  const std::string path = "ram://lines_test_position";
  write_file(path, "one\nt");
  Lines lines(path);
  std::string line;
  ASSERT_TRUE(lines.read(&line));
  EXPECT_EQ(lines.position(), 4u);
}

}  // namespace
}  // namespace rill
