#include "rill/runtime/step/local_rendezvous.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "rill/base/error.h"
#include "rill/kernel/rendezvous_key.h"

namespace rill {
namespace {

float value_of(const Tensor& tensor) { return tensor.scalar_value<float>(); }

TEST(LocalRendezvous, send_and_receive_in_either_order) {
  LocalRendezvous rendezvous;
  float got = 0;
  const auto done = [&](std::exception_ptr error, Tensor value, bool dead) {
    EXPECT_FALSE(error);
    EXPECT_FALSE(dead);
    got = value_of(value);
  };
  rendezvous.send("a", Tensor::scalar(1.0f), false);
  rendezvous.receive("a", done);
  EXPECT_EQ(got, 1);
  rendezvous.receive("b", done);
  EXPECT_EQ(got, 1);
  rendezvous.send("b", Tensor::scalar(2.0f), false);
  EXPECT_EQ(got, 2);
}

TEST(LocalRendezvous, values_of_one_key_keep_their_order) {
  LocalRendezvous rendezvous;
  for (const float x : {1.0f, 2.0f, 3.0f}) rendezvous.send("a", Tensor::scalar(x), false);
  std::vector<float> got;
  for (int i = 0; i < 3; ++i)
    rendezvous.receive(
        "a", [&](std::exception_ptr, Tensor value, bool) { got.push_back(value_of(value)); });
  EXPECT_EQ(got, (std::vector<float>{1, 2, 3}));
}

TEST(LocalRendezvous, a_dead_value_is_dead_on_the_other_side) {
  LocalRendezvous rendezvous;
  bool was_dead = false;
  rendezvous.receive("a", [&](std::exception_ptr, Tensor, bool dead) { was_dead = dead; });
  rendezvous.send("a", Tensor(), true);
  EXPECT_TRUE(was_dead);
}

TEST(LocalRendezvous, an_abort_fails_waiting_and_later_calls) {
  LocalRendezvous rendezvous;
  int failed = 0;
  const auto done = [&](std::exception_ptr error, Tensor, bool) { failed += error != nullptr; };
  rendezvous.receive("a", done);
  rendezvous.abort(std::make_exception_ptr(Error(Code::kAborted, "over")));
  EXPECT_EQ(failed, 1);
  rendezvous.send("b", Tensor::scalar(1.0f), false);
  rendezvous.receive("b", done);
  EXPECT_EQ(failed, 2);
}

TEST(LocalRendezvous, many_threads) {
  LocalRendezvous rendezvous;
  constexpr int kKeys = 200;
  std::atomic<int> sum{0};
  const auto key = [](int i) { return rendezvous_key("t;", 0, i); };
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      for (int i = t; i < kKeys; i += 2)
        rendezvous.send(key(i), Tensor::scalar(static_cast<float>(i)), false);
    });
    threads.emplace_back([&, t] {
      for (int i = kKeys - 1 - t; i >= 0; i -= 2)
        rendezvous.receive(key(i), [&](std::exception_ptr, Tensor value, bool) {
          sum += static_cast<int>(value_of(value));
        });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, kKeys * (kKeys - 1) / 2);
}

TEST(RendezvousKey, is_tensorflows) {
  EXPECT_EQ(rendezvous_key(rendezvous_prefix({{"send_device", "/cpu:0"},
                                              {"send_device_incarnation", std::int64_t{255}},
                                              {"recv_device", "/cpu:1"},
                                              {"tensor_name", "edge_3_x"}})),
            "/cpu:0;00000000000000ff;/cpu:1;edge_3_x;0:0");
}

}  // namespace
}  // namespace rill
