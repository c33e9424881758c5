#include <algorithm>
#include <atomic>
#include <mutex>

#include "rill/serve/batch/batch.h"

namespace rill::serve {
namespace {

// What parts of a request have come to.
class Whole {
 public:
  Whole(TensorsDone done, std::size_t parts)
      : done_(std::move(done)), parts_(parts), left_(parts) {}

  void set(std::size_t part, std::vector<Tensor> outputs, std::optional<Error> error) {
    {
      const std::lock_guard lock(mutex_);
      parts_[part] = std::move(outputs);
      if (error && !error_) error_ = std::move(error);
      if (--left_ > 0) return;
    }
    finish();
  }

 private:
  void finish() {
    std::vector<Tensor> outputs;
    if (!error_) try {
        for (std::size_t i = 0; i < parts_[0].size(); ++i) outputs.push_back(joined(i));
      } catch (...) {
        error_ = current_error();
        outputs.clear();
      }
    done_(std::move(outputs), std::move(error_));
  }

  // One output of all parts, one below the other.
  Tensor joined(std::size_t output) const {
    const Tensor& first = parts_[0][output];
    std::vector<std::int64_t> dims(first.shape().dims().begin(), first.shape().dims().end());
    dims[0] = 0;
    for (const auto& part : parts_) {
      const Tensor& piece = part[output];
      if (piece.dtype() != first.dtype() || piece.rank() != first.rank() ||
          !std::ranges::equal(piece.shape().dims().subspan(1), first.shape().dims().subspan(1)))
        raise(Code::kFailedPrecondition,
              "Outputs of the parts of a request differ in shape: ", first.shape(), " and ",
              piece.shape());
      dims[0] += piece.dim(0);
    }
    Tensor whole(first.dtype(), Shape(std::span<const std::int64_t>(dims)));
    auto* to = static_cast<char*>(whole.raw_data());
    for (const auto& part : parts_) {
      const Tensor& piece = part[output];
      const auto count = static_cast<std::size_t>(piece.element_count());
      copy_elements(piece.dtype(), to, piece.raw_data(), count);
      to += count * element_size(piece.dtype());
    }
    return whole;
  }

  const TensorsDone done_;
  std::mutex mutex_;
  std::vector<std::vector<Tensor>> parts_;
  std::size_t left_;
  std::optional<Error> error_;
};

}  // namespace

std::vector<BatchTask> split_task(BatchTask task, const std::vector<std::int64_t>& rows) {
  std::vector<BatchTask> parts;
  if (rows.size() == 1) {
    parts.push_back(std::move(task));
    return parts;
  }
  const auto whole = std::make_shared<Whole>(std::move(task.done), rows.size());
  std::int64_t begin = 0;
  for (std::size_t part = 0; part < rows.size(); ++part) {
    BatchTask piece{.rows = rows[part], .limits = task.limits, .is_part = true};
    for (const Tensor& feed : task.feeds)
      piece.feeds.push_back(feed.slice(begin, begin + rows[part]));
    piece.done = [whole, part](std::vector<Tensor> outputs, std::optional<Error> error) {
      whole->set(part, std::move(outputs), std::move(error));
    };
    parts.push_back(std::move(piece));
    begin += rows[part];
  }
  return parts;
}

}  // namespace rill::serve
