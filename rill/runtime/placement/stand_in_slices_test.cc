// Which cards a session uses, cards that are cut into several devices, and memory with a limit.
#include <thread>

#include "rill/kernel/device_use.h"
#include "rill/runtime/placement/stand_in_fixture_testing.h"

namespace rill {
namespace {

constexpr std::int64_t kMegabyte = 1 << 20;

class StandInSlices : public StandInTest {
 protected:
  ~StandInSlices() override { set_device_use("STANDIN", {}); }
  static std::vector<std::string> devices(Session& session) {
    std::vector<std::string> found;
    for (const DeviceInfo& device : session.list_devices())
      found.push_back(str_cat(device.name.substr(device.name.rfind("device:") + 7), " ",
                              device.memory_limit / kMegabyte));
    return found;
  }
  std::vector<std::string> devices() {
    Session session(p.graph);
    return devices(session);
  }
  using Names = std::vector<std::string>;
};

TEST_F(StandInSlices, cards_are_numbered_as_the_list_says) {
  const Output x = placeholder({-1});
  const Output y = on(kFirst, "Exp", {x});
  const std::vector<Feed> feeds{{x, Tensor::vector<float>({1, 2})}};
  set_device_use("STANDIN", {.visible = "1,0"});
  EXPECT_EQ(devices(), (Names{"CPU:0 256", "STANDIN:0 256", "STANDIN:1 256"}));
  EXPECT_TRUE(identical(Session(p.graph).run(y, feeds), on_cpu(y, feeds)));
  EXPECT_EQ(card(0).counts.late, 0);
  EXPECT_GT(card(1).counts.late, 0);
  set_device_use("STANDIN", {.visible = "1"});
  EXPECT_EQ(devices(), (Names{"CPU:0 256", "STANDIN:0 256"}));
  set_device_use("STANDIN", {.visible = "none"});
  EXPECT_EQ(devices(), Names{"CPU:0 256"});
}

TEST_F(StandInSlices, lists_and_settings_that_make_no_sense_are_refused) {
  const auto refusal = [&](DeviceUse use) {
    set_device_use("STANDIN", std::move(use));
    return error_of([&] { Session session(p.graph); });
  };
  EXPECT_NE(refusal({.visible = "0,x"}).find("Could not parse entry in 'visible_device_list': 'x'"),
            std::string::npos);
  EXPECT_NE(refusal({.visible = "2"}).find("invalid STANDIN id '2' but visible device count is 2"),
            std::string::npos);
  EXPECT_NE(refusal({.visible = "0,0"}).find("contained a duplicate entry: 0,0"),
            std::string::npos);
  EXPECT_NE(refusal({.parts = {{1}}, .memory_fraction = 0.5}).find("when virtual_devices is set"),
            std::string::npos);
  EXPECT_NE(refusal({.visible = "0", .parts = {{1}, {1}}}).find("fewer are visible"),
            std::string::npos);
  EXPECT_NE(refusal({.memory_fraction = -1}), "none");
}

TEST_F(StandInSlices, a_card_is_cut_into_devices) {
  set_device_use("STANDIN", {.parts = {{kMegabyte, 2 * kMegabyte}}});
  Session session(p.graph);
  EXPECT_EQ(devices(session), (Names{"CPU:0 256", "STANDIN:0 1", "STANDIN:1 2", "STANDIN:2 256"}));
  const Output x = placeholder({-1});
  Output y = x;
  for (const char* device : {kFirst, kSecond, "/device:STANDIN:2", kFirst})
    y = on(device, "Tanh", {y});
  const std::vector<Feed> feeds{{x, Tensor::vector<float>({1, 2, 3})}};
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(identical(session.run(y, feeds), on_cpu(y, feeds)));
  EXPECT_GE(card(0).counts.late, 9);
  EXPECT_GE(card(1).counts.late, 3);
}

TEST_F(StandInSlices, each_has_its_own_limit) {
  set_device_use("STANDIN", {.parts = {{kMegabyte, 4 * kMegabyte}}});
  const Output x = placeholder({-1, 8});
  const Output first = on(kFirst, "Tanh", {on(kFirst, "Tanh", {x})}, {}, "first");
  const Output second = on(kSecond, "Tanh", {on(kSecond, "Tanh", {x})});
  const std::vector<Feed> feeds{{x, numbers(40'000, 8)}};  // 1.28 MB
  Session session(p.graph);
  const std::string error = error_of([&] { session.run(first, feeds); });
  for (const char* part : {"OOM", "STANDIN:0", "1048576 in use"})
    EXPECT_NE(error.find(part), std::string::npos) << error;
  EXPECT_TRUE(identical(session.run(second, feeds), on_cpu(second, feeds)));
  EXPECT_EQ(session.run(first, std::vector<Feed>{{x, numbers(3, 8)}}).dim(0), 3);
}

TEST_F(StandInSlices, a_fraction_of_the_memory) {
  set_device_use("STANDIN", {.memory_fraction = 0.25});
  EXPECT_EQ(devices(), (Names{"CPU:0 256", "STANDIN:0 64", "STANDIN:1 64"}));
}

// What was alive when memory was full, with the line that made it.
TEST_F(StandInSlices, full_memory_shows_what_is_alive) {
  set_device_use("STANDIN", {.parts = {{kMegabyte}}});
  const Output x = placeholder({-1, 8});
  const Output y = p.scope.from(origin_at(std::source_location::current()))
                       .on_device(kFirst)
                       .add("Tanh", {x}, {}, "large")
                       .output();
  const Output z =
      on(kFirst, "Neg", {on(kFirst, "Concat", {Tensor::scalar(0), std::vector<Input>{y, y}})});
  Session session(p.graph);
  const std::string error = error_of([&] {
    session.run(z, std::vector<Feed>{{x, numbers(12'000, 8)}});
  });
  for (const char* part : {"OOM", "Largest live tensors", "384000 bytes: large:0 float[12000,8]",
                           "made by Tanh (defined at", "stand_in_slices_test.cc", "STANDIN:0"})
    EXPECT_NE(error.find(part), std::string::npos) << part << " in " << error;
}

// --- copies through page-locked memory ---------------------------------------------------------

TEST_F(StandInSlices, large_copies_go_in_pinned_pieces) {
  const std::int64_t rows = 3 * kMegabyte / 32 + 5;  // a little more than three pieces
  const Tensor here = numbers(rows, 8);
  const int up = card().counts.up, down = card().counts.down;
  const Tensor there = here.copied_to(card());
  EXPECT_EQ(card().counts.up - up, 4);
  EXPECT_TRUE(identical(there.on_host(), here));
  EXPECT_EQ(card().counts.down - down, 4);
  EXPECT_EQ(card().counts.unpinned, 0);
  const Tensor pinned = here.copied_to(*card().staging());  // needs no staging
  EXPECT_TRUE(identical(pinned.copied_to(card()).on_host(), here));
  EXPECT_EQ(card().counts.up - up, 5);
  card().lose();
  EXPECT_NE(error_of([&] { here.copied_to(card()); }).find("was lost"), std::string::npos);
  EXPECT_NE(error_of([&] { there.on_host(); }).find("was lost"), std::string::npos);
  card().find_again();
}

// While a value is on its way to one card, what does not need it goes on: held up are only the
// copies, and the steps end as soon as these may go on.
TEST_F(StandInSlices, work_goes_on_beside_copies) {
  const Output x = placeholder({-1, 8}), z = placeholder({-1, 8}, "z");
  Output y = x;
  for (int i = 0; i < 8; ++i) y = on(kFirst, "Tanh", {y});
  const Output both = on("/cpu:0", "AddV2", {y, on(kSecond, "Exp", {z})});
  const std::vector<Feed> feeds{{x, numbers(64, 8)}, {z, numbers(64, 8)}};
  Session session(p.graph);
  const Tensor wanted = session.run(both, feeds);
  for (int i = 0; i < 5; ++i) {
    card(1).copies().pause(true);
    const int late = card().counts.late, down = card().counts.down, other = card(1).counts.late;
    std::thread resuming([&] {
      while (card().counts.late < late + 8 || card().counts.down == down) std::this_thread::yield();
      EXPECT_EQ(card(1).counts.late, other);
      card(1).copies().pause(false);
    });
    EXPECT_TRUE(identical(session.run(both, feeds), wanted));
    resuming.join();
  }
  EXPECT_EQ(card().counts.unpinned + card(1).counts.unpinned, 0);
}

}  // namespace
}  // namespace rill
