#include <atomic>
#include <fstream>
#include <iostream>

#include "rill/base/clock.h"
#include "rill/base/log.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kAssert, kPrint, kPrintV2, kTimestamp;

namespace {

void assert_true(KernelCall& call) {
  const Tensor& condition = call.input_tensor(0);
  require(condition.rank() == 0, "In[0] should be a scalar: ", condition.shape());
  if (condition.scalar_value<bool>()) return;
  std::string message = "assertion failed:";
  for (int i = 1; i < call.input_count(); ++i)
    message +=
        str_cat(" ", summary(call.input_tensor(i), call.node().attr<std::int64_t>("summarize")));
  raise(Code::kInvalidArgument, message);
}

struct PrintCount final : KernelState {
  std::atomic<std::int64_t> count = 0;
};

std::unique_ptr<KernelState> make_print_count(const KernelNode&) {
  return std::make_unique<PrintCount>();
}

void print_data(KernelCall& call) {
  call.set_output(0, call.input_tensor(0));
  const auto first_n = call.node().attr<std::int64_t>("first_n");
  if (first_n >= 0 && call.state<PrintCount>().count.fetch_add(1) >= first_n) return;
  std::string line = call.node().attr<std::string>("message");
  for (int i = 1; i < call.input_count(); ++i)
    line += summary(call.input_tensor(i), call.node().attr<std::int64_t>("summarize"));
  std::cerr << line + "\n" << std::flush;
}

void write_to(const std::string& stream, const std::string& text) {
  if (stream == "stderr") {
    std::cerr << text << std::flush;
  } else if (stream == "stdout") {
    std::cout << text << std::flush;
  } else if (stream == "log(info)") {
    log(LogLevel::kInfo, text);
  } else if (stream == "log(warning)") {
    log(LogLevel::kWarning, text);
  } else if (stream == "log(error)") {
    log(LogLevel::kError, text);
  } else {
    require(stream.starts_with("file://"), "Unknown output stream: ", stream,
            ", Valid streams are: stdout stderr log(info) log(warning) log(error)");
    std::ofstream file(stream.substr(7), std::ios::app);
    if (!(file << text << std::flush)) raise(Code::kPermissionDenied, "cannot write to ", stream);
  }
}

void print_string(KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  require(input.rank() == 0, "Input is expected to be scalar, but got ", input.shape());
  write_to(call.node().attr<std::string>("output_stream"),
           input.scalar_value<std::string>() + call.node().attr<std::string>("end"));
}

void timestamp(KernelCall& call) {
  call.output<double>(0)[0] = static_cast<double>(wall_micros()) * 1e-6;
}

constexpr KernelEntry kEntries[] = {
    {.op = &kAssert, .run = assert_true, .expensive = false},
    {.op = &kPrint, .run = print_data, .make_state = make_print_count, .allocates = true},
    {.op = &kPrintV2, .run = print_string},
    {.op = &kTimestamp, .run = timestamp, .expensive = false},
};

}  // namespace

extern const KernelTable kPrintCpu{kEntries};

}  // namespace rill
