#include "rill/runtime/memory/arena.h"

#include "rill/base/error.h"

namespace rill {
namespace {

// Blocks go back to the allocator between steps, which keeps them for whoever wants one next.
// Larger ones would pass what it keeps, and be fetched from the system in every step.
constexpr std::size_t kKeptBlock = std::size_t{1} << 30;

constexpr auto kRelaxed = std::memory_order_relaxed;

// Calls f(word, mask) for the bits [first, last) until it says no; returns where that was.
template <class F>
std::uint32_t for_words(std::uint32_t first, std::uint32_t last, F f) {
  while (first < last) {
    const std::uint32_t bit = first % 64, count = std::min(64 - bit, last - first);
    const std::uint64_t mask = (~std::uint64_t{0} >> (64 - count)) << bit;
    if (!f(first / 64, mask)) return first;
    first += count;
  }
  return last;
}

}  // namespace

class Arena::Place final : public Allocator {
 public:
  explicit Place(Arena& arena) : Allocator(arena.from_.kind()), arena_(arena) {}
  Place(Place&& other) noexcept : Place(other.arena_) {}  // before any step

  void* allocate(std::size_t bytes) override { return arena_.allocate(*this, bytes); }
  void deallocate(void* block, std::size_t bytes) noexcept override {
    arena_.deallocate(*this, block, bytes);
  }
  AllocatorStats stats() const override { return arena_.from_.stats(); }
  void set_limit(std::int64_t bytes) override { arena_.from_.set_limit(bytes); }
  std::string name() const override { return arena_.from_.name(); }
  MemoryCopier* copier() override { return arena_.from_.copier(); }

  ArenaLayout::Spot spot;
  std::atomic<void*> value{nullptr};  // that it gave out last, until that is gone
  // In a step that is recorded.
  std::atomic<std::uint32_t> born{0}, died{0};
  std::atomic<std::size_t> bytes{0};

 private:
  Arena& arena_;
};

Arena::Ptr Arena::make(Allocator& from, std::size_t place_count) {
  return Ptr(new Arena(from, place_count));
}

Arena::Arena(Allocator& from, std::size_t place_count) : from_(from), targets_(place_count, &from) {
  places_.reserve(place_count);
  for (std::size_t i = 0; i < place_count; ++i) places_.emplace_back(*this);
}

Arena::~Arena() { give_block_back(); }

void Arena::begin(const Use& use) {
  missed_.store(0, kRelaxed);
  blocked_.store(0, kRelaxed);
  clock_.store(0, kRelaxed);
  if (use.layout != use_.layout) give_block_back();
  if (!(use == use_)) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      Place& place = places_[i];
      place.spot = use.layout == nullptr ? ArenaLayout::Spot() : use.layout->spots[i];
      const bool barred = use.barred != nullptr && (*use.barred)[i] != 0;
      const bool watched = place.spot.bytes > 0 || place.spot.is_new || use.records;
      targets_[i] = watched && !barred ? &place : &from_;
    }
    if (use.layout != nullptr && use.layout != use_.layout) {
      word_count_ = (use.layout->segment_count + 63) / 64;
      taken_ = std::make_unique<std::atomic<std::uint64_t>[]>(word_count_);
    }
    use_ = use;
  }
  if (use_.records)
    for (Place& place : places_) {
      place.born.store(0, kRelaxed);
      place.died.store(0, kRelaxed);
    }
  if (use_.layout != nullptr && block_ == nullptr) take_block();
}

void Arena::take_block() {
  try {
    block_ = static_cast<char*>(from_.allocate(use_.layout->bytes));
    block_bytes_ = use_.layout->bytes;
  } catch (const Error& error) {
    if (error.code() != Code::kResourceExhausted) throw;
  }
}

void Arena::give_block_back() noexcept {
  if (block_ == nullptr) return;
  from_.deallocate(block_, block_bytes_);
  block_ = nullptr;
  block_bytes_ = 0;
}

bool Arena::end() {
  if (refs_.load(std::memory_order_acquire) != 1) return false;
  if (block_bytes_ < kKeptBlock) give_block_back();
  return true;
}

std::vector<std::size_t> Arena::left() const {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i].value.load(std::memory_order_acquire) != nullptr) left.push_back(i);
  return left;
}

LiveIntervals Arena::lives() const {
  LiveIntervals lives(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    lives[i] = {.born = place.born.load(kRelaxed),
                .died = place.died.load(kRelaxed),
                .bytes = place.bytes.load(kRelaxed)};
  }
  return lives;
}

void* Arena::allocate(Place& place, std::size_t bytes) {
  void* memory = nullptr;
  const bool fits = bytes <= place.spot.bytes;
  if (fits && block_ != nullptr && claim(place.spot)) {
    memory = block_ + place.spot.offset;
  } else {
    memory = from_.allocate(bytes);
    if (block_ != nullptr) (fits ? blocked_ : missed_).fetch_add(bytes, kRelaxed);
  }
  refs_.fetch_add(1, kRelaxed);
  place.value.store(memory, kRelaxed);
  if (use_.records) {
    place.bytes.store(bytes, kRelaxed);
    place.died.store(0, kRelaxed);
    place.born.store(clock_.fetch_add(1, kRelaxed) + 1, kRelaxed);
  }
  return memory;
}

void Arena::deallocate(Place& place, void* memory, std::size_t bytes) noexcept {
  // Not if the place has given out another value since.
  if (place.value.load(kRelaxed) == memory) {
    if (use_.records) place.died.store(clock_.fetch_add(1, kRelaxed) + 1, kRelaxed);
    place.value.store(nullptr, std::memory_order_release);
  }
  if (is_inside(memory)) {
    let_go(place.spot);
  } else {
    from_.deallocate(memory, bytes);
  }
  unref();
}

bool Arena::claim(const ArenaLayout::Spot& spot) {
  std::uint64_t mine = 0;  // of the word where somebody else was
  const std::uint32_t end =
      for_words(spot.first_segment, spot.last_segment, [&](std::uint32_t word, std::uint64_t mask) {
        const std::uint64_t before = taken_[word].fetch_or(mask, std::memory_order_acq_rel);
        if ((before & mask) == 0) return true;
        mine = mask & ~before;
        return false;
      });
  if (end == spot.last_segment) return true;
  taken_[end / 64].fetch_and(~mine, std::memory_order_release);
  let_go({.first_segment = spot.first_segment, .last_segment = end});
  return false;
}

void Arena::let_go(const ArenaLayout::Spot& spot) noexcept {
  for_words(spot.first_segment, spot.last_segment, [&](std::uint32_t word, std::uint64_t mask) {
    taken_[word].fetch_and(~mask, std::memory_order_release);
    return true;
  });
}

}  // namespace rill
