#include "rill/base/tile_permission.h"

#include <cstdlib>
#include <string_view>

#if defined(__x86_64__) && defined(__linux__)

#include <cpuid.h>
#include <immintrin.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

namespace rill {
namespace {

constexpr long kAskForState = 0x1023, kTileData = 18;  // of arch_prctl

// Tiles of both kinds, AVX-512 with bytes and words and its conversions to bfloat16; the system
// keeps their registers.
bool processor_has_them() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  constexpr unsigned kTiles = 1u << 24 | 1u << 25 | 1u << 22;
  constexpr unsigned kVectors = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;
  if ((d & kTiles) != kTiles || (b & kVectors) != kVectors) return false;
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d) == 0 || (a & 1u << 5) == 0) return false;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_OSXSAVE) == 0) return false;
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  constexpr unsigned kKept = 0xe6u | 3u << 17;
  return (low & kKept) == kKept;
}

void leave(int) { _exit(1); }

// One tile of 16 rows of 64 bytes.
alignas(64) const unsigned char kOneTile[64] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64,
                                                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16};

__attribute__((target("amx-tile"))) int use_a_tile(void*) {
  signal(SIGILL, leave);  // of the child alone
  signal(SIGSEGV, leave);
  _tile_loadconfig(kOneTile);
  _tile_zero(0);
  _tile_release();
  _exit(0);
}

// The child shares our memory, so that nothing is copied, and tells nobody of its end. Sanitizers
// keep books in that memory: their child gets a copy.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kShared = 0;
#else
constexpr int kShared = CLONE_VM | CLONE_VFORK;
#endif

bool child_can_use_them() {
  constexpr std::size_t kStack = 64 << 10;
  const std::unique_ptr<char[]> stack(new char[kStack]);
  const int child = clone(use_a_tile, stack.get() + kStack - 64, kShared, nullptr);
  int status = 0;
  return child > 0 && waitpid(child, &status, __WCLONE) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

bool find_out() {
  const char* wanted = std::getenv("RILL_TILES");
  if (wanted != nullptr && std::string_view(wanted) == "0") return false;
  return processor_has_them() && syscall(SYS_arch_prctl, kAskForState, kTileData) == 0 &&
         child_can_use_them();
}

}  // namespace

bool may_use_tiles() {
  static const bool may = find_out();
  return may;
}

}  // namespace rill

#else

namespace rill {

bool may_use_tiles() { return false; }

}  // namespace rill

#endif
