#include "rill/base/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <vector>

namespace rill {
namespace {

class HugePagesTest : public testing::Test {
 protected:
  ~HugePagesTest() override { munmap(block_, kBytes); }
  static constexpr std::size_t kBytes = 64 * kHugePage;
  void* const block_ =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
};

TEST_F(HugePagesTest, after_a_slow_page_no_more_are_asked_for) {
  ASSERT_NE(block_, MAP_FAILED);
  std::vector<char*> timed;
  const auto time_fault = [&](char* page) {
    timed.push_back(page);
    return timed.size() < 4 ? std::int64_t{200'000} : std::int64_t{4'000'000};
  };
  const HugePages quick = ask_for_huge_pages(block_, kHugePage / 2, time_fault);
  EXPECT_EQ(quick.asked, 0u);  // not a whole one
  const HugePages pages = ask_for_huge_pages(block_, kBytes, time_fault);
  if (pages.asked == 0) GTEST_SKIP() << "this system has no huge pages";
  EXPECT_TRUE(pages.given_up);
  EXPECT_EQ(pages.asked, 4u);
  ASSERT_EQ(timed.size(), 4u);
  EXPECT_EQ(timed[3] - timed[0], static_cast<std::ptrdiff_t>(3 * kHugePage));
  EXPECT_EQ(ask_for_huge_pages(block_, kBytes, time_fault).asked, 0u);
  EXPECT_EQ(timed.size(), 4u);
}

}  // namespace
}  // namespace rill
