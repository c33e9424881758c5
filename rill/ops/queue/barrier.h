#pragma once

#include <deque>
#include <limits>
#include <span>
#include <unordered_map>

#include "rill/ops/queue/element_store.h"
#include "rill/ops/queue/waiter.h"

namespace rill {

// Wants complete elements of a barrier, all of them at once.
class BarrierTaker : public Waiter {
 public:
  BarrierTaker(KernelCall& call, Done done, std::int64_t count, bool fewer_do,
               bool waits_for_incomplete)
      : Waiter(call, std::move(done)),
        count(count),
        fewer_do(fewer_do),
        waits_for_incomplete(waits_for_incomplete) {}
  const char* cancelled_text() const override { return "TakeMany operation was cancelled"; }

  std::vector<Tuple> taken;  // place, key, then the components
  const std::int64_t count;
  const bool fewer_do;              // once the barrier is closed
  const bool waits_for_incomplete;  // before it is content with fewer
};

// Elements whose components come apart, by key. They are given out complete, those whose key came
// in an earlier call first.
class BarrierResource final : public Resource, public WaitingRoom {
 public:
  static constexpr const char* kTypeName = "tensorflow::barrier::Barrier";
  struct Options {
    std::string name;
    std::vector<DType> types;
    std::vector<PartialShape> shapes;

    void check_same(const Options& wanted) const;  // throws InvalidArgument
  };
  explicit BarrierResource(Options options) : options_(std::move(options)) {}

  const Options& options() const { return options_; }
  // Value i is component `component` of keys[i]. Throws InvalidArgument for one that is there
  // already and Cancelled when the barrier is closed; what came before it stays.
  void insert(std::span<const std::string> keys, std::size_t component, std::vector<Tensor> values);
  void take(const std::shared_ptr<BarrierTaker>& taker);
  // A closed barrier completes the keys it knows, unless these are given up. Throws Cancelled when
  // it is closed like that already.
  void close(bool gives_up_incomplete);
  std::int64_t ready_size() const;
  std::int64_t incomplete_size() const;

  std::string describe() const override { return "barrier " + options_.name; }
  std::int64_t memory_bytes() const override;

 private:
  void serve() override;
  void leave(Waiter& waiter) override;
  Tuple& element(const std::string& key, std::size_t position, bool* is_new);
  bool serve_taker(const std::shared_ptr<BarrierTaker>& taker);

  const Options options_;
  const std::unique_ptr<ElementStore> ready_ = lowest_first();
  std::unordered_map<std::string, Tuple> incomplete_;
  std::int64_t next_place_ = std::numeric_limits<std::int64_t>::min();
  bool closed_ = false, given_up_ = false;
  std::deque<std::shared_ptr<BarrierTaker>> takers_;
};

}  // namespace rill
