#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "rill/kernel/stand_in_kernels_testing.h"
#include "rill/ops/register_kernels.h"
#include "tests/optest/case_directory.h"
#include "tests/optest/commands.h"
#include "tests/optest/eagerly.h"
#include "tests/optest/on_cpu.h"
#include "tests/watchdog/watchdog.h"

namespace {

int usage() {
  std::fputs(
      "Usage: rill_optest COMMAND [STEM] [--device NAME], in the root of the repository\n\n"
      "  test [STEM]        compare every row with what TensorFlow answered\n"
      "  grad [STEM]        compare gradients with differences, in double\n"
      "  hostile [STEM]     call every op with senseless arguments; nothing but errors may come\n"
      "  perf [STEM]        nanoseconds per call of every row\n"
      "  support [STEM]     which dtypes each op has, and which are tested, as Markdown\n"
      "  export DIR [STEM]  write every row as a GraphDef; with --through-graph as a graph writes\n"
      "                     it that has read it\n\n"
      "--eagerly: of test and hostile, op by op in eager execution\n"
      "--device STANDIN runs every node that has a GPU kernel in TensorFlow on a device whose "
      "memory\n"
      "the host may not touch (rill/kernel/stand_in_testing.h), and compares the bits with the\n"
      "CPU's, as other names do with the devices of such a type; several stems may be named\n",
      stderr);
  return 2;
}

bool is_known(const std::string& device) {
  const auto has_name = [&](const auto& type) { return type->name() == device; };
  return device == "STANDIN" || std::ranges::any_of(rill::device_types(), has_name);
}

// From now on sessions find the stand-in device, which nodes prefer to the CPU.
std::shared_ptr<rill::StandInType> add_stand_in() {
  auto type = std::make_shared<rill::StandInType>();
  rill::StandInKernels::add_to(rill::standard_kernels());
  rill::register_device_type(type);
  return type;
}

// Takes "--device NAME" away; "" when it is not there.
std::string take_device(std::vector<std::string>& words) {
  const auto it = std::ranges::find(words, "--device");
  if (it == words.end() || it + 1 == words.end()) return "";
  std::string name = it[1];
  words.erase(it, it + 2);
  return name;
}

int run_command(const std::string& command, const std::string& stem) {
  if (command == "test") return rill::test_cases(stem);
  return rill::check_gradients(stem);
}

int run_on_device(const std::string& device, const std::string& command,
                  const std::vector<std::string>& stems) {
  rill::compare_with_cpu(device);
  int status = 0;
  for (const std::string& stem : stems) status = std::max(status, run_command(command, stem));
  return status;
}

// That rows pass means nothing unless kernels of the device ran.
int run_on_stand_in(const std::string& command, const std::vector<std::string>& stems) {
  const auto type = add_stand_in();
  const int status = run_on_device(type->name(), command, stems);
  const rill::StandInCounts& counts = type->card().counts;
  std::printf(
      "on the stand-in: %d kernels ran late, %d were waited for, %d values went up, %d down; "
      "%d results have the bits of the CPU's\n",
      counts.late.load(), counts.waited.load(), counts.up.load(), counts.down.load(),
      rill::same_bits_count());
  return counts.late + counts.waited > 0 ? status : 1;
}

int dispatch(std::vector<std::string> words) {
  const std::string device = take_device(words);
  const bool through_graph = std::erase(words, "--through-graph") > 0;
  if (std::erase(words, "--eagerly") > 0) rill::run_rows_eagerly();
  const std::string command = words.empty() ? "" : words[0];
  const std::string first = words.size() > 1 ? words[1] : "";
  if (command == "export" && !first.empty())
    return rill::export_cases(words.size() > 2 ? words[2] : "", first, through_graph);
  if (command == "test" || command == "grad" || command == "hostile") {
    auto& watchdog = *new rill::Watchdog;  // hostile calls leave in children of fork
    watchdog.begin("rill_optest " + command, 10 * rill::time_limit(command));
  }
  const rill::CaseDirectory directory;
  const bool runs_rows = command == "test" || command == "grad";
  if (!device.empty() && (!is_known(device) || !runs_rows)) return usage();
  if (!device.empty()) {
    const std::vector<std::string> stems =
        first.empty() ? std::vector<std::string>{""} : std::vector(words.begin() + 1, words.end());
    return device == "STANDIN" ? run_on_stand_in(command, stems)
                               : run_on_device(device, command, stems);
  }
  if (runs_rows) return run_command(command, first);
  if (command == "hostile") return rill::run_hostile(first);
  if (command == "perf") return rill::measure_cases(first);
  if (command == "support") return rill::print_support(first);
  return usage();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return dispatch(std::vector<std::string>(argv + 1, argv + argc));
  } catch (...) {
    std::fprintf(stderr, "rill_optest: %s\n", rill::current_error().what());
    return 1;
  }
}
