#include "rill/runtime/plan_arenas.h"

#include <algorithm>

#include "rill/base/log.h"
#include "rill/runtime/plan.h"
#include "rill/tensor/free_memory.h"

namespace rill {
namespace {

constexpr std::size_t kShapesKept = 8;
constexpr std::size_t kStepsKept = 4;  // of which a layout is made
constexpr std::size_t kSmall = 256
                               << 10;    // bytes of all values: the threads' own lists serve these
constexpr std::size_t kLarge = 8 << 20;  // what steps before left behind is worth giving back
constexpr int kMostAttempts = 8;
// Nodes that run side by side end a little earlier or later each time.
constexpr std::uint32_t kDelay = 4;  // ticks, with each attempt
constexpr int kMostEscapes = 4;
// Where there are more, only one in so many steps of other shapes takes the place of the oldest.
constexpr unsigned kStrangers = 16;
// Values that miss their spots may be this part of the block before it is laid out again.
constexpr std::size_t kFewMissed = 32;

bool fits(const Arena& arena, const ArenaLayout& layout) {
  return arena.missed_bytes() <= layout.bytes / kFewMissed;
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
  if (escapes_ > kMostEscapes) return {.use = {}, .stays = true};
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
  return {.use = {.layout = known->layout, .barred = barred_, .records = !known->is_settled},
          .wants_arena = true,
          .stays = known->is_settled};
}

void PlanArenas::make_layout(Known& known) {
  auto layout = std::make_shared<const ArenaLayout>(
      lay_out(known.steps, *barred_, kDelay * static_cast<std::uint32_t>(known.attempts)));
  known.is_small = layout->placed < kSmall;
  if (known.is_small) return known.steps.clear();
  if (log_topic_enabled("arena"))
    log_topic_line("arena", str_cat(layout->placed, " bytes of ", place_count_, " values lie in ",
                                    layout->bytes, ", at least ", layout->least, ", after ",
                                    known.attempts, " attempts"));
  if (layout->bytes >= kLarge && ++layouts_ <= kShapesKept) give_back_free_memory();
  known.layout = std::move(layout);
}

void PlanArenas::after_step(const FedShapes& shapes, const Arena& arena, const Arena::Use& use) {
  if (use.layout != nullptr && arena.missed_bytes() > 0 && log_topic_enabled("arena"))
    log_topic_line("arena", str_cat(arena.missed_bytes(), " bytes missed their spots"));
  if (!use.records && fits(arena, *use.layout)) return;
  const std::lock_guard lock(mutex_);
  Known* const known = find(shapes);
  if (known == nullptr || known->layout != use.layout) return;
  if (!use.records) {  // settled: look again after 1, 2, 4 ... such steps
    if (known->attempts >= kMostAttempts || ++known->misfits < 1 << known->attempts) return;
    known->misfits = 0;
    known->is_settled = false;
    version_.fetch_add(1, std::memory_order_release);
    return;
  }
  known->is_settled =
      use.layout != nullptr && (fits(arena, *use.layout) || known->attempts >= kMostAttempts);
  if (known->is_settled) {
    known->attempts = std::max(known->attempts, 1);
    return;
  }
  if (use.layout != nullptr) ++known->attempts;
  if (known->steps.size() >= kStepsKept) known->steps.erase(known->steps.begin());
  known->steps.push_back(arena.lives());
  known->layout = nullptr;
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

ArenaStep::ArenaStep(const Plan& plan, Workspace& workspace) {
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
  arenas_->after_step(mine_->shapes, *arena_, mine_->advice.use);
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
