// Runs a fuzz target without libFuzzer: the corpus first, then seeded random mutations of it.
// Bounded and deterministic, so that it can be part of every test run.
//
//   fuzz_NAME [--runs=N] [--seconds=S] [--seed=N] [FILE...]
//
// Run it in the repository root. Given files, it runs just those: that is how a stored crash is
// looked at again.
#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kMaxInputSize = 1 << 16;
constexpr unsigned kSecondsPerInput = 30;

struct Options {
  std::uint64_t runs = 2000;
  double seconds = 10;
  std::uint64_t seed = 1;
  std::vector<std::string> files;
};

// Read by the signal handler.
const Bytes* g_current = nullptr;
std::string g_crash_file;
std::string g_crash_note;

// Only async-signal-safe calls from here on: the process may be in any state.
void store_current_input(int signal_number) {
  const int file = ::open(g_crash_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && g_current != nullptr) {
    [[maybe_unused]] auto n = ::write(file, g_current->data(), g_current->size());
  }
  [[maybe_unused]] auto n = ::write(STDERR_FILENO, g_crash_note.data(), g_crash_note.size());
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

void run_one(const Bytes& input) {
  g_current = &input;
  ::alarm(kSecondsPerInput);  // an input that never ends is a failure too
  LLVMFuzzerTestOneInput(input.data(), input.size());
  ::alarm(0);
}

Bytes read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(2);
  }
  return Bytes(std::istreambuf_iterator<char>(in), {});
}

// The corpus in the order of its file names; one empty input stands in where there is none.
std::vector<Bytes> read_corpus(const fs::path& directory) {
  std::vector<fs::path> paths;
  if (fs::is_directory(directory)) {
    for (const auto& entry : fs::directory_iterator(directory)) {
      if (entry.is_regular_file()) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> corpus;
  for (const auto& path : paths) corpus.push_back(read_file(path));
  if (corpus.empty()) corpus.emplace_back();
  return corpus;
}

class Mutator {
 public:
  Mutator(std::uint64_t seed, const std::vector<Bytes>& corpus) : random_(seed), corpus_(corpus) {}

  Bytes next() {
    Bytes bytes = corpus_[below(corpus_.size())];
    for (std::uint64_t i = 0, count = 1 + below(6); i < count; ++i) mutate(bytes);
    if (bytes.size() > kMaxInputSize) bytes.resize(kMaxInputSize);
    return bytes;
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void mutate(Bytes& b) {
    if (b.empty()) return insert_noise(b);
    switch (below(7)) {
      case 0:
        b[below(b.size())] ^= static_cast<std::uint8_t>(1u << below(8));
        return;
      case 1:
        b[below(b.size())] = static_cast<std::uint8_t>(random_());
        return;
      case 2:
        return overwrite_with_edge_value(b);
      case 3:
        return insert_noise(b);
      case 4:
        return erase_piece(b);
      case 5:
        return copy_piece(b, b);
      default:
        return copy_piece(b, corpus_[below(corpus_.size())]);
    }
  }

  // Lengths, counts and varints break at the ends of their ranges.
  void overwrite_with_edge_value(Bytes& b) {
    constexpr std::uint64_t kEdges[] = {0,
                                        1,
                                        127,
                                        128,
                                        255,
                                        32767,
                                        65535,
                                        0x7fffffff,
                                        0xffffffff,
                                        0x7fffffffffffffff,
                                        0xffffffffffffffff};
    const std::uint64_t value = kEdges[below(std::size(kEdges))];
    const std::size_t at = below(b.size());
    const std::size_t width = std::min<std::size_t>(std::size_t{1} << below(4), b.size() - at);
    std::memcpy(b.data() + at, &value, width);
  }

  void insert_noise(Bytes& b) {
    Bytes noise(1 + below(8));
    for (auto& byte : noise) byte = static_cast<std::uint8_t>(random_());
    b.insert(b.begin() + below(b.size() + 1), noise.begin(), noise.end());
  }

  void erase_piece(Bytes& b) {
    const std::size_t at = below(b.size());
    const std::size_t count = 1 + below(std::min<std::size_t>(b.size() - at, 64));
    b.erase(b.begin() + at, b.begin() + std::min(at + count, b.size()));
  }

  void copy_piece(Bytes& b, const Bytes& from) {
    if (from.empty()) return;
    const std::size_t at = below(from.size());
    const std::size_t count = 1 + below(std::min<std::size_t>(from.size() - at, 128));
    const Bytes piece(from.begin() + at, from.begin() + std::min(at + count, from.size()));
    b.insert(b.begin() + below(b.size() + 1), piece.begin(), piece.end());
  }

  std::mt19937_64 random_;
  const std::vector<Bytes>& corpus_;
};

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    const std::string value = arg.substr(std::min(arg.find('=') + 1, arg.size()));
    if (arg.starts_with("--runs=")) {
      options.runs = std::strtoull(value.c_str(), nullptr, 10);
    } else if (arg.starts_with("--seconds=")) {
      options.seconds = std::strtod(value.c_str(), nullptr);
    } else if (arg.starts_with("--seed=")) {
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (arg.starts_with("-")) {
      std::fprintf(stderr, "usage: %s [--runs=N] [--seconds=S] [--seed=N] [FILE...]\n", argv[0]);
      std::exit(2);
    } else {
      options.files.push_back(arg);
    }
  }
  return options;
}

// Each target is a program fuzz_NAME.
std::string target_name(const char* program) {
  const std::string name = fs::path(program).filename().string();
  constexpr std::string_view kPrefix = "fuzz_";
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

}  // namespace

int main(int argc, char** argv) {
  google::protobuf::SetLogHandler(nullptr);  // it complains of every input that is no message
  const Options options = parse_options(argc, argv);
  const std::string name = target_name(argv[0]);
  g_crash_file = "crash-" + name;
  g_crash_note = "fuzz_" + name + " failed; its input is in " + g_crash_file + "\n";
  for (int s : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM}) {
    ::signal(s, store_current_input);
  }
  for (const auto& file : options.files) run_one(read_file(file));
  if (!options.files.empty()) return 0;

  const auto corpus = read_corpus(fs::path("tests/fuzz/corpus") / name);
  for (const Bytes& input : corpus) run_one(input);

  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(options.seconds);
  Mutator mutator(options.seed, corpus);
  std::uint64_t runs = 0;
  for (; runs < options.runs && Clock::now() < end; ++runs) run_one(mutator.next());
  std::printf("fuzz_%s: %zu corpus files and %llu mutations passed\n", name.c_str(), corpus.size(),
              static_cast<unsigned long long>(runs));
}
