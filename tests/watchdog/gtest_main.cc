// The main function of C++ tests: no test may wait without a limit.
#include <gtest/gtest.h>

#include "tests/watchdog/watchdog.h"

namespace rill {
namespace {

class TimeLimit : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    const std::string name = test.name();
    watchdog_.begin(std::string(test.test_suite_name()) + "." + name, time_limit(name));
  }
  void OnTestEnd(const testing::TestInfo&) override { watchdog_.end(); }

  Watchdog watchdog_;
};

}  // namespace
}  // namespace rill

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new rill::TimeLimit);
  return RUN_ALL_TESTS();
}
