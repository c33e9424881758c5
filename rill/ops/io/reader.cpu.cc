#include "rill/kernel/kernel_entries.h"
#include "rill/ops/io/reader_job.h"
#include "rill/ops/queue/queue.h"
#include "rill/ops/resource/shared_handle.h"

namespace rill {

extern const OpDecl kReaderRead, kReaderReadUpTo, kReaderNumRecordsProduced,
    kReaderNumWorkUnitsCompleted, kReaderSerializeState, kReaderRestoreState, kReaderReset;
extern const OpDecl kReaderReadV2, kReaderReadUpToV2, kReaderNumRecordsProducedV2,
    kReaderNumWorkUnitsCompletedV2, kReaderSerializeStateV2, kReaderRestoreStateV2, kReaderResetV2;

namespace {

std::shared_ptr<Reader> reader_of(const KernelCall& call) { return shared_input_as<Reader>(call); }

std::shared_ptr<Queue> queue_of_work(const KernelCall& call) {
  auto queue = shared_input_as<Queue>(call, 1);
  const auto& types = queue->options().types;
  require(types.size() == 1, "Expected single component queue, got ", queue->describe());
  require(types[0] == DType::string, "Expected queue with single string component, got ",
          queue->describe());
  return queue;
}

// Reads up to `limit` records of one work; takes works from the queue until there is a record.
class ReadJob : public ReaderJob {
 public:
  ReadJob(KernelCall& call, Done done, std::int64_t limit)
      : ReaderJob(call, std::move(done), reader_of(call)),
        queue_(queue_of_work(call)),
        limit_(static_cast<std::size_t>(limit)) {}

 private:
  virtual void deliver(std::vector<Record> records) = 0;

  bool advance() override {
    for (;;) {
      if (asked_) start_work();
      read_records();
      if (!records_.empty() || limit_ == 0) break;
      if (!ask_for_work()) return false;
    }
    deliver(std::move(records_));
    return true;
  }

  void read_records() {
    while (records_.size() < limit_ && reader_->has_work()) {
      if (call_.step().cancellation->cancelled())
        raise(Code::kCancelled, "Read operation was cancelled");
      Record record;
      if (reader_->read(&record)) records_.push_back(std::move(record));
    }
  }

  class TakeWork final : public Taker {
   public:
    TakeWork(KernelCall& call, std::shared_ptr<ReadJob> job)
        : Taker(
              call, [job](std::exception_ptr error) { job->work_came(std::move(error)); }, 1,
              false),
          job_(job.get()) {}

   private:
    void deliver(KernelCall& /*call*/) override { job_->work_ = std::move(taken.front().front()); }
    ReadJob* const job_;
  };

  // Whether it is there already. Whoever comes second, this thread or the one that brings the work,
  // goes on; so works that are there at once do not make a deep stack.
  bool ask_for_work() {
    reader_->forget_work();
    asked_ = true;
    arrived_ = 0;
    queue_->take(
        std::make_shared<TakeWork>(call_, std::static_pointer_cast<ReadJob>(shared_from_this())));
    return arrived_.fetch_add(1, std::memory_order_acq_rel) == 1;
  }
  void work_came(std::exception_ptr error) {
    no_work_ = std::move(error);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) == 1) resume();
  }
  void start_work() {
    asked_ = false;
    if (no_work_) std::rethrow_exception(no_work_);
    require(work_.element_count() == 1, "Expected to dequeue a one-element string tensor, got ",
            "shape ", work_.shape());
    reader_->start(*work_.data<std::string>());
  }

  const std::shared_ptr<Queue> queue_;
  const std::size_t limit_;
  std::vector<Record> records_;
  bool asked_ = false;
  std::atomic<int> arrived_ = 0;
  std::exception_ptr no_work_;
  Tensor work_;
};

class ReadOne final : public ReadJob {
 public:
  ReadOne(KernelCall& call, Done done) : ReadJob(call, std::move(done), 1) {}

 private:
  void deliver(std::vector<Record> records) override {
    call_.set_output(0, Tensor::scalar<std::string>(std::move(records.front().key)));
    call_.set_output(1, Tensor::scalar<std::string>(std::move(records.front().value)));
  }
};

class ReadSome final : public ReadJob {
  using ReadJob::ReadJob;

  void deliver(std::vector<Record> records) override {
    const Shape shape{static_cast<std::int64_t>(records.size())};
    auto* const keys = call_.allocate_output(0, shape).data<std::string>();
    auto* const values = call_.allocate_output(1, shape).data<std::string>();
    for (std::size_t i = 0; i < records.size(); ++i) {
      keys[i] = std::move(records[i].key);
      values[i] = std::move(records[i].value);
    }
  }
};

void read_record(KernelCall& call, Done done) {
  std::make_shared<ReadOne>(call, std::move(done))->start();
}

void read_up_to(KernelCall& call, Done done) {
  const Tensor& limit = call.input_tensor(2);
  require(limit.rank() == 0, "num_records must be a scalar, but has shape ", limit.shape());
  const auto count = limit.scalar_value<std::int64_t>();
  require(count >= 0, "num_records must be >= 0 not ", count);
  std::make_shared<ReadSome>(call, std::move(done), count)->start();
}

// Something that is done at once when the turn comes.
class ShortJob final : public ReaderJob {
 public:
  using Body = void (*)(KernelCall&, Reader&);
  ShortJob(KernelCall& call, Done done, Body body)
      : ReaderJob(call, std::move(done), reader_of(call)), body_(body) {}

 private:
  bool advance() override {
    body_(call_, *reader_);
    return true;
  }
  const Body body_;
};

void serialize_state(KernelCall& call, Done done) {
  const auto body = [](KernelCall& c, Reader& reader) {
    c.set_output(0, Tensor::scalar<std::string>(reader.state()));
  };
  std::make_shared<ShortJob>(call, std::move(done), body)->start();
}

void restore_state(KernelCall& call, Done done) {
  const Tensor& state = call.input_tensor(1);
  require(state.rank() == 0, "Reader state must be scalar, but had shape: ", state.shape());
  const auto body = [](KernelCall& c, Reader& reader) {
    reader.restore(*c.input_tensor(1).data<std::string>());
  };
  std::make_shared<ShortJob>(call, std::move(done), body)->start();
}

void reset(KernelCall& call, Done done) {
  const auto body = [](KernelCall&, Reader& reader) { reader.reset(); };
  std::make_shared<ShortJob>(call, std::move(done), body)->start();
}

void records_produced(KernelCall& call) {
  call.set_output(0, Tensor::scalar(reader_of(call)->records_produced()));
}
void work_units_completed(KernelCall& call) {
  call.set_output(0, Tensor::scalar(reader_of(call)->work_units_completed()));
}

constexpr KernelEntry kEntries[] = {
    allocating_kernel(kReaderRead, read_record),
    allocating_kernel(kReaderReadV2, read_record),
    allocating_kernel(kReaderReadUpTo, read_up_to),
    allocating_kernel(kReaderReadUpToV2, read_up_to),
    allocating_kernel(kReaderSerializeState, serialize_state),
    allocating_kernel(kReaderSerializeStateV2, serialize_state),
    allocating_kernel(kReaderRestoreState, restore_state),
    allocating_kernel(kReaderRestoreStateV2, restore_state),
    allocating_kernel(kReaderReset, reset),
    allocating_kernel(kReaderResetV2, reset),
    quick_kernel(kReaderNumRecordsProduced, records_produced),
    quick_kernel(kReaderNumRecordsProducedV2, records_produced),
    quick_kernel(kReaderNumWorkUnitsCompleted, work_units_completed),
    quick_kernel(kReaderNumWorkUnitsCompletedV2, work_units_completed),
};

}  // namespace

extern const KernelTable kReaderCpu{kEntries};

}  // namespace rill
