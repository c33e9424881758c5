#include "rill/ops/data/core/pipeline.h"

#include <algorithm>
#include <thread>

#include "rill/base/thread_limit.h"

namespace rill {

int default_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

int Pipeline::threads() const {
  return settings_.threads > 0 ? settings_.threads : default_threads();
}

void Pipeline::check_running() const {
  if (cancelled()) raise(Code::kCancelled, "the input pipeline was stopped or its session closed");
}

DataFunction::DataFunction(BackgroundCalls& calls, const FunctionSource& source, int threads)
    : function_(calls.bind(source.function)),
      captured_(source.captured),
      threads_(threads > 0 ? threads : ThreadLimit::kNone) {}

void DataFunction::operator()(Element& arguments, Element& results) const {
  const std::size_t wanted = function_->argument_types().size();
  require(arguments.size() + captured_.size() == wanted, "a function of ", wanted,
          " arguments is applied to ", arguments.size(), " components and ", captured_.size(),
          " captured values");
  arguments.insert(arguments.end(), captured_.begin(), captured_.end());
  results.clear();
  results.resize(function_->result_types().size());
  const ThreadLimit limit(threads_);
  function_->call(arguments, results);
}

Element DataFunction::operator()(Element arguments) const {
  Element results;
  (*this)(arguments, results);
  return results;
}

bool call_or_end(const DataFunction& function, Element& arguments, Element& results,
                 bool keeps_size) {
  try {
    function(arguments, results);
    return true;
  } catch (const Error& error) {
    if (error.code() != Code::kOutOfRange) throw;
    if (keeps_size)
      throw Error(Code::kInvalidArgument,
                  str_cat("Function invocation produced OutOfRangeError: ", error.message()))
          .with_cause(error.cause());
    return false;
  }
}

}  // namespace rill
