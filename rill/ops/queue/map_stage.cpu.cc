#include "rill/ops/queue/staging_map.h"
#include "rill/ops/queue/tuples.h"

namespace rill {

extern const OpDecl kMapStage, kMapUnstage, kMapUnstageNoKey, kMapPeek, kMapSize,
    kMapIncompleteSize, kMapClear;
extern const OpDecl kOrderedMapStage, kOrderedMapUnstage, kOrderedMapUnstageNoKey, kOrderedMapPeek,
    kOrderedMapSize, kOrderedMapIncompleteSize, kOrderedMapClear;

namespace {

template <class Map>
std::shared_ptr<Map> map_of(const KernelCall& call) {
  return call.state<StagingHandle>().get<Map>(call);
}

std::int64_t key_of(const KernelCall& call) {
  return call.input_tensor(0).scalar_value<std::int64_t>();
}

// Input i: which values of an element are meant, `wanted` of them.
std::vector<std::size_t> indices_of(const KernelCall& call, int i, std::size_t part_count,
                                    std::size_t wanted) {
  const auto given = call.input<std::int32_t>(i);
  require(given.size() == wanted, "Number of indices (", given.size(),
          ") doesn't match number of values (", wanted, ")");
  std::vector<std::size_t> indices;
  for (const std::int32_t index : given) {
    require(index >= 0 && static_cast<std::size_t>(index) < part_count, "Index '", index,
            "' was out of bounds '", part_count, "'.");
    require(indices.empty() || indices.back() < static_cast<std::size_t>(index),
            "Indices are not strictly ordered");
    indices.push_back(static_cast<std::size_t>(index));
  }
  return indices;
}

template <class Map>
void map_stage(KernelCall& call, Done done) {
  const auto map = map_of<Map>(call);
  const auto value_count = static_cast<std::size_t>(call.input_count() - 2);
  auto waiter = std::make_shared<StagingWaiter>(call, std::move(done), true);
  waiter->attempt = [map = map.get(), key = key_of(call),
                     indices = indices_of(call, 1, map->part_count(), value_count),
                     parts = tuple_of_inputs(call, 2)](auto&) {
    return map->put(key, indices, parts);
  };
  map->start(std::move(waiter));
}

template <class Map, bool removes>
void map_get(KernelCall& call, Done done) {
  const auto map = map_of<Map>(call);
  const auto count = static_cast<std::size_t>(call.output_count());
  auto waiter = std::make_shared<StagingWaiter>(call, std::move(done));
  waiter->attempt = [map = map.get(), key = key_of(call),
                     indices = indices_of(call, 1, map->part_count(), count)](StagingWaiter& w) {
    return map->get(key, indices, removes, w.results);
  };
  map->start(std::move(waiter));
}

template <class Map>
void map_unstage_any(KernelCall& call, Done done) {
  const auto map = map_of<Map>(call);
  const auto count = static_cast<std::size_t>(call.output_count() - 1);
  auto waiter = std::make_shared<StagingWaiter>(call, std::move(done));
  waiter->key = 0;
  waiter->attempt = [map = map.get(), indices = indices_of(call, 0, map->part_count(), count)](
                        StagingWaiter& w) { return map->get_any(indices, *w.key, w.results); };
  map->start(std::move(waiter));
}

template <class Map>
void map_size(KernelCall& call) {
  call.set_output(0, Tensor::scalar(static_cast<std::int32_t>(map_of<Map>(call)->size())));
}
template <class Map>
void map_incomplete_size(KernelCall& call) {
  const auto size = static_cast<std::int32_t>(map_of<Map>(call)->incomplete_size());
  call.set_output(0, Tensor::scalar(size));
}
template <class Map>
void map_clear(KernelCall& call) {
  map_of<Map>(call)->clear();
}

constexpr KernelEntry kEntries[] = {
    staging_kernel(kMapStage, map_stage<UnorderedStaging>),
    staging_kernel(kMapUnstage, map_get<UnorderedStaging, true>),
    staging_kernel(kMapUnstageNoKey, map_unstage_any<UnorderedStaging>),
    staging_kernel(kMapPeek, map_get<UnorderedStaging, false>),
    staging_kernel(kMapSize, map_size<UnorderedStaging>),
    staging_kernel(kMapIncompleteSize, map_incomplete_size<UnorderedStaging>),
    staging_kernel(kMapClear, map_clear<UnorderedStaging>),
    staging_kernel(kOrderedMapStage, map_stage<OrderedStaging>),
    staging_kernel(kOrderedMapUnstage, map_get<OrderedStaging, true>),
    staging_kernel(kOrderedMapUnstageNoKey, map_unstage_any<OrderedStaging>),
    staging_kernel(kOrderedMapPeek, map_get<OrderedStaging, false>),
    staging_kernel(kOrderedMapSize, map_size<OrderedStaging>),
    staging_kernel(kOrderedMapIncompleteSize, map_incomplete_size<OrderedStaging>),
    staging_kernel(kOrderedMapClear, map_clear<OrderedStaging>),
};

}  // namespace

extern const KernelTable kMapStageCpu{kEntries};

}  // namespace rill
