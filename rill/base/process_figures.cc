#include "rill/base/process_figures.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <new>
#include <sstream>

#include "rill/base/clock.h"
#include "rill/base/forks.h"
#include "rill/base/text.h"

namespace rill {
namespace {

constexpr std::size_t kFileBytes = sizeof(ProcessFigures);

std::string command_of_this_process() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::ranges::replace(text, '\0', ' ');
  return std::string(strip(text));
}

template <std::size_t size>
void copy_text(std::string_view text, std::array<char, size>& to) {
  text = text.substr(0, size - 1);
  std::memcpy(to.data(), text.data(), text.size());
  to[text.size()] = '\0';
}

template <std::size_t size>
std::string text_of(const std::array<char, size>& from) {
  return std::string(from.data(), strnlen(from.data(), size));
}

// Whether it is a directory that nobody else can write to.
bool is_own_directory(const std::string& path) {
  struct stat found = {};
  return ::lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
         found.st_uid == ::geteuid() && (found.st_mode & 022) == 0;
}

std::string file_of(std::int64_t pid) { return str_cat(figures_directory(), "/", pid); }

// A file of zeros in memory; nullptr where that cannot be had.
void* mapped_file() {
  const char* const wish = std::getenv("RILL_FIGURES");
  if (wish != nullptr && std::strcmp(wish, "off") == 0) return nullptr;
  const std::string directory = figures_directory();
  ::mkdir(directory.c_str(), 0700);
  if (!is_own_directory(directory)) return nullptr;
  const std::string path = file_of(::getpid());
  ::unlink(path.c_str());
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  // The blocks are taken now: a full disk would end the process at the first write.
  if (::posix_fallocate(file, 0, static_cast<off_t>(kFileBytes)) == 0)
    memory = ::mmap(nullptr, kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (memory != MAP_FAILED) return memory;
  ::unlink(path.c_str());
  return nullptr;
}

void remove_own_file() { ::unlink(file_of(::getpid()).c_str()); }

ProcessFigures* new_figures() {
  void* const memory = mapped_file();
  auto* const figures = memory == nullptr ? new ProcessFigures : new (memory) ProcessFigures;
  figures->pid = ::getpid();
  figures->start_micros = wall_micros();
  copy_text(command_of_this_process(), figures->command);
  figures->format.store(ProcessFigures::kFormat, std::memory_order_release);
  if (memory != nullptr) {
    [[maybe_unused]] static const int at_end = std::atexit(remove_own_file);
  }
  return figures;
}

// The figures of one process; a child of fork has its own.
struct OwnFigures {
  std::atomic<ProcessFigures*> figures = nullptr;
  std::mutex mutex;  // of making them, and of new stages

  ProcessFigures& made() {
    const std::lock_guard lock(mutex);
    if (figures == nullptr) figures = new_figures();
    return *figures;
  }
};

ShownFigures::Time shown_time(const TimeFigure& figure) {
  return {figure.count.load(std::memory_order_relaxed),
          1e-9 * static_cast<double>(figure.nanos.load(std::memory_order_relaxed))};
}

// From "/proc/PID/stat", whose second field is a name in parentheses that may hold anything.
void add_from_proc(ShownFigures* shown) {
  std::ifstream file(str_cat("/proc/", shown->pid, "/stat"));
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return;
  std::istringstream fields(text.substr(end + 1));
  std::string skipped;
  std::int64_t user = 0, system = 0, pages = 0;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  fields >> user >> system;
  for (int i = 16; i < 20; ++i) fields >> skipped;
  fields >> shown->threads;
  for (int i = 21; i < 24; ++i) fields >> skipped;
  fields >> pages;
  const auto ticks = static_cast<double>(std::max(1L, ::sysconf(_SC_CLK_TCK)));
  shown->cpu_seconds = static_cast<double>(user + system) / ticks;
  shown->resident_bytes = pages * ::sysconf(_SC_PAGESIZE);
}

bool is_running(std::int64_t pid) {
  return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno != ESRCH;
}

// Nothing for a file that is not whole, or whose process has ended.
std::optional<ShownFigures> read_figures(const std::string& path, std::int64_t pid) {
  if (!is_running(pid)) {
    ::unlink(path.c_str());
    return {};
  }
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return {};
  struct stat size = {};
  void* memory = MAP_FAILED;
  if (::fstat(file, &size) == 0 && size.st_size == static_cast<off_t>(kFileBytes))
    memory = ::mmap(nullptr, kFileBytes, PROT_READ, MAP_SHARED, file, 0);
  ::close(file);
  if (memory == MAP_FAILED) return {};
  const auto& figures = *static_cast<const ProcessFigures*>(memory);
  std::optional<ShownFigures> found;
  if (figures.format.load(std::memory_order_acquire) == ProcessFigures::kFormat &&
      figures.pid == pid)
    found = shown(figures);
  ::munmap(memory, kFileBytes);
  if (found) add_from_proc(&*found);
  return found;
}

}  // namespace

std::string figures_directory() {
  const char* const own = std::getenv("XDG_RUNTIME_DIR");
  if (own != nullptr && *own == '/' && is_own_directory(own)) return str_cat(own, "/rill");
  return str_cat("/tmp/rill-", ::geteuid());
}

ProcessFigures& process_figures() {
  auto& own = of_this_process<OwnFigures>();
  ProcessFigures* const figures = own.figures.load(std::memory_order_acquire);
  return figures != nullptr ? *figures : own.made();
}

void ProcessFigures::add_step(std::int64_t nanos, std::int64_t times) {
  steps.add(nanos * times, times);
  const auto micros = static_cast<std::uint64_t>(std::max<std::int64_t>(nanos, 0) / 1000);
  const auto bucket = std::min<std::size_t>(std::bit_width(micros), kBuckets - 1);
  step_buckets[bucket].fetch_add(times, std::memory_order_relaxed);
}

StageFigure& ProcessFigures::stage(std::string_view name) {
  const std::lock_guard lock(of_this_process<OwnFigures>().mutex);
  name = name.substr(0, StageFigure::kNameBytes - 1);
  const auto count = static_cast<std::size_t>(stage_count.load(std::memory_order_relaxed));
  for (std::size_t i = 0; i < count; ++i)
    if (text_of(stages[i].name) == name) return stages[i];
  if (count + 1 == kStages) name = "(others)";
  if (count == kStages) return stages.back();
  copy_text(name, stages[count].name);
  stage_count.store(static_cast<std::int64_t>(count) + 1, std::memory_order_release);
  return stages[count];
}

ShownFigures shown(const ProcessFigures& figures) {
  ShownFigures all;
  all.pid = figures.pid;
  all.start_micros = figures.start_micros;
  all.command = text_of(figures.command);
  all.steps = shown_time(figures.steps);
  all.input_waits = shown_time(figures.input_waits);
  all.queue_waits = shown_time(figures.queue_waits);
  all.failed_steps = figures.failed_steps;
  all.live_bytes = figures.live_bytes;
  all.peak_bytes = figures.peak_bytes;
  for (const auto& bucket : figures.step_buckets) all.step_buckets.push_back(bucket);
  const auto count = std::clamp<std::int64_t>(figures.stage_count.load(std::memory_order_acquire),
                                              0, ProcessFigures::kStages);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const StageFigure& stage = figures.stages[i];
    all.stages.push_back(
        {text_of(stage.name), shown_time(stage.work), std::max<std::int64_t>(1, stage.width)});
  }
  return all;
}

std::vector<ShownFigures> figures_of_processes() {
  std::vector<ShownFigures> all;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(figures_directory(), failed)) {
    long long pid = 0;
    if (!parse_int(entry.path().filename().string(), &pid) || pid <= 0) continue;
    if (auto found = read_figures(entry.path().string(), pid)) all.push_back(std::move(*found));
  }
  std::ranges::sort(all, {}, &ShownFigures::start_micros);
  return all;
}

}  // namespace rill
