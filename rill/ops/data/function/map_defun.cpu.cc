#include <mutex>

#include "rill/ops/data/core/batch_in_making.h"
#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

extern const OpDecl kMapDefun;

namespace {

// One call per row of the arguments; results are written to their row.
class RowCalls {
 public:
  explicit RowCalls(KernelCall& call)
      : call_(call),
        arguments_(list_length(call.node(), "Targuments")),
        function_(call.step().functions->bind(call.node().attr<FuncName>("f"))),
        rows_(row_count()),
        results_(rows_) {}

  std::int64_t rows() const { return rows_; }
  Element arguments(std::int64_t row) const {
    Element all;
    for (int i = 0; i < call_.input_count(); ++i) {
      const Tensor& input = call_.input_tensor(i);
      all.push_back(
          i >= arguments_
              ? input
              : input.slice(row, row + 1).reshaped(Shape(input.shape().dims().subspan(1))));
    }
    return all;
  }
  BoundFunction& function() { return *function_; }
  void set(std::int64_t row, const Element& results) { results_.set_row(row, results); }

  void give() {
    if (rows_ == 0) return give_nothing();
    Element all = results_.rows(rows_);
    for (std::size_t i = 0; i < all.size(); ++i)
      call_.set_output(static_cast<int>(i), std::move(all[i]));
  }

 private:
  std::int64_t row_count() const {
    require(arguments_ > 0, "Must have at least one input for MapDefun");
    const auto taken = static_cast<int>(function_->argument_types().size());
    require(taken == call_.input_count(), "the function takes ", taken, " arguments, ",
            call_.input_count(), " are given");
    for (int i = 0; i < arguments_; ++i) {
      const Tensor& input = call_.input_tensor(i);
      require(input.rank() > 0, "All inputs must have rank at least 1. Input ", i,
              " has a rank of 0");
      require(input.dim(0) == call_.input_tensor(0).dim(0),
              "All inputs must have the same dimension 0. Input ", i, " has leading dimension ",
              input.dim(0), ", while all previous inputs have leading dimension ",
              call_.input_tensor(0).dim(0));
    }
    return call_.input_tensor(0).dim(0);
  }

  void give_nothing() {
    const auto& types = call_.node().attr<std::vector<DType>>("output_types");
    const auto& shapes = call_.node().attr<std::vector<PartialShape>>("output_shapes");
    for (std::size_t i = 0; i < types.size(); ++i) {
      std::vector<std::int64_t> dims{0};
      if (shapes[i].has_rank())
        for (int d = 0; d < shapes[i].rank(); ++d)
          dims.push_back(std::max<std::int64_t>(0, shapes[i].dim(d)));
      call_.set_output(static_cast<int>(i), Tensor(types[i], Shape(dims)));
    }
  }

  KernelCall& call_;
  const int arguments_;
  const std::shared_ptr<BoundFunction> function_;
  const std::int64_t rows_;
  BatchInMaking results_;
};

constexpr double kCallNanos = 5'000;  // a guess, which lets rows go to several threads

void map_defun(KernelCall& call) {
  RowCalls rows(call);
  const std::size_t result_count = rows.function().result_types().size();
  call.parallel_for(static_cast<std::size_t>(rows.rows()), kCallNanos,
                    [&](std::size_t begin, std::size_t end) {
                      Element results(result_count);
                      for (std::size_t row = begin; row < end; ++row) {
                        Element arguments = rows.arguments(static_cast<std::int64_t>(row));
                        rows.function().run(call.step(), arguments, results);
                        rows.set(static_cast<std::int64_t>(row), results);
                      }
                    });
  rows.give();
}

// Functions that wait begin all at once, since one may wait for what another does.
class WaitingRows : public std::enable_shared_from_this<WaitingRows> {
 public:
  WaitingRows(KernelCall& call, Done done)
      : call_(call), done_(std::move(done)), rows_(call), left_(rows_.rows() + 1) {}

  void start() {
    for (std::int64_t row = 0; row < rows_.rows(); ++row)
      rows_.function().start(
          call_.step(), rows_.arguments(row),
          [self = shared_from_this(), row](std::exception_ptr error, std::vector<Tensor> results) {
            self->end(row, std::move(error), results);
          });
    leave(nullptr);
  }

 private:
  void end(std::int64_t row, std::exception_ptr error, const Element& results) {
    try {
      if (!error) rows_.set(row, results);
    } catch (...) {
      error = std::current_exception();
    }
    leave(std::move(error));
  }
  void leave(std::exception_ptr error) {
    {
      const std::lock_guard lock(mutex_);
      if (error && !error_) error_ = std::move(error);
      if (--left_ > 0) return;
    }
    if (!error_) rows_.give();
    done_(error_);
  }

  KernelCall& call_;
  const Done done_;
  RowCalls rows_;
  std::mutex mutex_;
  std::int64_t left_;
  std::exception_ptr error_;
};

void map_defun_waiting(KernelCall& call, Done done) {
  std::make_shared<WaitingRows>(call, std::move(done))->start();
}

constexpr KernelEntry kEntries[] = {
    {.op = &kMapDefun, .run = map_defun, .run_async = map_defun_waiting, .allocates = true},
};

}  // namespace

extern const KernelTable kMapDefunCpu{kEntries};

}  // namespace rill
