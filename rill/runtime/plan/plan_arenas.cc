#include "rill/runtime/plan/plan_arenas.h"

#include <algorithm>

#include "rill/base/clock.h"
#include "rill/base/log.h"
#include "rill/runtime/plan/plan.h"
#include "rill/tensor/free_memory.h"

namespace rill {
namespace {

constexpr std::size_t kShapesKept = 8;
constexpr std::size_t kStepsKept = 4;  // of which a layout is made
// Steps whose values are smaller than this all together are served by the threads' own lists.
constexpr std::size_t kSmall = 256 << 10;
constexpr std::size_t kLarge = 8 << 20;  // what steps before left behind is worth giving back
// The system needs as long to hand out fresh memory as many kernels to fill it: a large block has
// to be worth it, and the values of the first steps lie in what the steps before left.
constexpr std::size_t kSlowToTouch = 64 << 20;
constexpr int kStepsToWait = 12;
constexpr int kMaxAttempts = 8;
// Nodes that run in parallel end a little earlier or later each time: their live intervals are
// extended by so many ticks, as long as the block grows by little.
constexpr std::uint32_t kMaxDelay = 64, kMinDelay = 4;
constexpr double kLittleMore = 1.04;
constexpr int kMaxEscapes = 4;
// Where there are more, only one in so many steps of other shapes takes the place of the oldest.
constexpr unsigned kStrangers = 16;
// Values that miss their spots may be this part of the block before it is laid out again.
constexpr std::size_t kFewMissed = 32;
constexpr double kClearlyMore = 1.1;
constexpr std::int64_t kGiveBackPause = 30'000'000'000;

ArenaLayout best_layout(std::span<const LiveIntervals> steps, std::span<const char> barred,
                        bool in_order) {
  if (in_order) return lay_out(steps, barred);
  for (std::uint32_t delay = kMaxDelay;; delay /= 2) {
    ArenaLayout layout = lay_out(steps, barred, delay);
    if (delay <= kMinDelay ||
        static_cast<double>(layout.bytes) <= kLittleMore * static_cast<double>(layout.min_bytes))
      return layout;
  }
}

bool is_much(std::size_t bytes, const ArenaLayout& layout) {
  return bytes > layout.bytes / kFewMissed;
}
bool fits(const Arena& arena, const ArenaLayout& layout) {
  return !is_much(arena.missed_bytes() + arena.blocked_bytes(), layout);
}

}  // namespace

PlanArenas::PlanArenas(Allocator& from, std::vector<char> barred)
    : from_(from),
      place_count_(barred.size()),
      barred_(std::make_shared<const std::vector<char>>(std::move(barred))) {}

PlanArenas::Known* PlanArenas::find(const FedShapes& shapes) {
  const auto it = std::ranges::find(known_, shapes, &Known::shapes);
  if (it == known_.end()) return nullptr;
  known_.splice(known_.begin(), known_, it);
  return &known_.front();
}

PlanArenas::Advice PlanArenas::before_step(const FedShapes& shapes) {
  const std::lock_guard lock(mutex_);
  if (escapes_ > kMaxEscapes) return {.use = {}, .stays = true};
  Known* const known = find(shapes);
  if (known == nullptr) {
    if (known_.size() >= kShapesKept) {
      if (++strangers_ % kStrangers != 0) return {};
      known_.pop_back();
    }
    known_.push_front({.shapes = shapes});
    return {};
  }
  if (known->is_small) return {.use = {}, .stays = true};
  if (known->steps.empty())
    return {.use = {.layout = nullptr, .barred = barred_, .records = true}, .wants_arena = true};
  if (known->layout == nullptr) make_layout(*known);
  if (known->is_small) return {.use = {}, .stays = true};
  if (known->layout->bytes >= kSlowToTouch && known->waited < kStepsToWait) {
    ++known->waited;
    return {};
  }
  if (!known->is_used) begin_to_use(*known);
  return {.use = {.layout = known->layout, .barred = barred_, .records = !known->is_settled},
          .wants_arena = true,
          .stays = known->is_settled};
}

void PlanArenas::make_layout(Known& known) {
  auto layout =
      std::make_shared<const ArenaLayout>(best_layout(known.steps, *barred_, known.in_order));
  known.is_small = layout->placed < kSmall;
  if (known.is_small) return known.steps.clear();
  if (log_topic_enabled("arena"))
    log_topic_line("arena", str_cat(layout->placed, " bytes of ", place_count_, " values lie in ",
                                    layout->bytes, ", at least ", layout->min_bytes, ", after ",
                                    known.attempts, " attempts"));
  known.layout = std::move(layout);
  known.is_used = false;
}

void PlanArenas::begin_to_use(Known& known) {
  known.is_used = true;
  if (known.layout->bytes >= kLarge && ++layouts_ <= kShapesKept) give_back_free_memory();
}

void PlanArenas::after_step(const FedShapes& shapes, const Arena& arena, const Arena::Use& use,
                            bool in_order) {
  if (use.layout != nullptr && log_topic_enabled("arena"))
    log_topic_line("arena", str_cat(arena.missed_bytes(), " bytes had no spot, of ",
                                    arena.blocked_bytes(), " somebody had the spot"));
  if (!use.records && fits(arena, *use.layout)) return;
  const std::lock_guard lock(mutex_);
  Known* const known = find(shapes);
  if (known == nullptr || known->layout != use.layout) return;
  if (use.layout != nullptr && !fits(arena, *use.layout)) give_back_what_missed(*use.layout);
  if (use.records) return learn(*known, arena.lives(), arena, in_order);
  // Settled: it looks again after 1, 2, 4 ... such steps.
  if (known->attempts >= kMaxAttempts || ++known->misfits < 1 << known->attempts) return;
  known->misfits = 0;
  known->is_settled = false;
  version_.fetch_add(1, std::memory_order_release);
}

void PlanArenas::learn(Known& known, LiveIntervals lives, const Arena& arena, bool in_order) {
  if (const auto layout = known.layout; layout != nullptr) {
    const auto peak = static_cast<double>(peak_live_bytes(lives, *barred_));
    const auto before = static_cast<double>(layout->min_bytes);
    const bool differs = is_much(arena.missed_bytes(), *layout);
    const bool is_better = !in_order && !differs && peak * kClearlyMore < before;
    known.is_settled = known.attempts >= kMaxAttempts || (fits(arena, *layout) && !is_better);
    known.attempts += known.is_settled && known.attempts > 0 ? 0 : 1;
    if (known.is_settled) return;
    // Nodes that run in parallel now and then do so in an unlucky order, with more alive than
    // usual. That is not worth a larger block for all steps.
    if (!differs && peak > before * kClearlyMore) return;
    if (is_better) known.steps.clear();
  }
  if (known.steps.size() >= kStepsKept) known.steps.erase(known.steps.begin());
  known.steps.push_back(std::move(lives));
  known.in_order &= in_order;
  known.layout = nullptr;
}

// What steps took beside their block would lie about for the next that miss as much, if any do.
void PlanArenas::give_back_what_missed(const ArenaLayout& layout) {
  const std::int64_t now = monotonic_nanos();
  if (layout.bytes < kLarge || now < next_give_back_) return;
  next_give_back_ = now + kGiveBackPause;
  give_back_free_memory();
}

void PlanArenas::bar(const std::vector<std::size_t>& places) {
  const std::lock_guard lock(mutex_);
  bool escapes = false;
  auto barred = *barred_;
  for (const std::size_t place : places) barred[place] = 1;
  barred_ = std::make_shared<const std::vector<char>>(std::move(barred));
  for (Known& known : known_) {
    if (known.layout == nullptr) continue;
    const auto has_spot = [&](std::size_t place) { return known.layout->spots[place].bytes > 0; };
    if (std::ranges::none_of(places, has_spot)) continue;
    known.layout = nullptr;
    escapes = true;
  }
  if (escapes) ++escapes_;
  version_.fetch_add(1, std::memory_order_release);
}

ArenaStep::ArenaStep(const Plan& plan, Workspace& workspace, bool in_order) : in_order_(in_order) {
  if (plan.arenas == nullptr) return;
  PlanArenas& arenas = *plan.arenas;
  WorkspaceArena& mine = workspace.arena;
  mine.fed.clear();
  for (const int slot : plan.feed_slots) {
    if (slot < 0) continue;
    const Shape& shape = workspace.slots[static_cast<std::size_t>(slot)].tensor.shape();
    mine.fed.push_back(shape.rank());
    mine.fed.insert(mine.fed.end(), shape.dims().begin(), shape.dims().end());
  }
  const std::uint64_t version = arenas.version();
  if (!mine.advice.stays || mine.version != version || mine.fed != mine.shapes) {
    mine.advice = arenas.before_step(mine.fed);
    mine.version = version;
    std::swap(mine.shapes, mine.fed);
  }
  if (!mine.advice.wants_arena) return;
  if (mine.arena == nullptr) mine.arena = Arena::make(arenas.from(), arenas.place_count());
  mine.arena->begin(mine.advice.use);
  arenas_ = &arenas;
  mine_ = &mine;
  arena_ = mine.arena.get();
}

void ArenaStep::end() {
  if (arena_ == nullptr) return;
  arenas_->after_step(mine_->shapes, *arena_, mine_->advice.use, in_order_);
  if (!arena_->end()) {
    arenas_->bar(arena_->left());
    mine_->arena.reset();
  }
  arena_ = nullptr;
}

// The values of a step that failed are still there: the arena goes with them.
void ArenaStep::fail() {
  if (arena_ != nullptr) mine_->arena.reset();
  arena_ = nullptr;
}

}  // namespace rill
