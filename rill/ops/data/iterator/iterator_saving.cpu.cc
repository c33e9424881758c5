#include "rill/ops/data/iterator/iterator_resource.h"
#include "rill/ops/resource/shared_handle.h"
#include "rill/tensor/list_value.h"

namespace rill {

extern const OpDecl kSerializeIterator, kDeserializeIterator;

namespace {

// Lists are variants that checkpoints can hold: the first one has the keys, then one per value.
Variant as_list(const Tensor& value) {
  auto list = std::make_shared<ListValue>(value.dtype(), PartialShape());
  list->push_back(value);
  return to_variant(std::shared_ptr<const ListValue>(std::move(list)));
}

const Tensor& from_list(const Variant& variant) {
  const auto* list = variant.get<ListValue>();
  require(list != nullptr && list->elements.size() == 1 && list->elements[0].has_value(),
          "this is not the position of an iterator");
  return list->elements[0];
}

void serialize(KernelCall& call) {
  const IteratorState state = shared_input_as<IteratorResource>(call)->save();
  const auto count = static_cast<std::int64_t>(state.size());
  Tensor keys(DType::string, {count}), written(DType::variant, {count + 1});
  std::size_t i = 0;
  for (const auto& [key, value] : state) {
    keys.flat<std::string>()[i++] = key;
    written.flat<Variant>()[i] = as_list(value);
  }
  written.flat<Variant>()[0] = as_list(keys);
  call.set_output(0, std::move(written));
}

void deserialize(KernelCall& call) {
  const Tensor& written = call.input_tensor(1);
  const auto parts = written.flat<Variant>();
  require(written.rank() == 1 && !parts.empty(), "this is not the position of an iterator");
  const Tensor& keys = from_list(parts[0]);
  require(keys.dtype() == DType::string && keys.element_count() + 1 == written.element_count(),
          "the position of the iterator names ", keys.element_count(), " values and has ",
          written.element_count() - 1);
  IteratorState state;
  for (std::size_t i = 1; i < parts.size(); ++i)
    state[keys.flat<std::string>()[i - 1]] = from_list(parts[i]);
  shared_input_as<IteratorResource>(call)->restore(state, call.step());
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSerializeIterator, .run = serialize, .allocates = true},
    {.op = &kDeserializeIterator, .run = deserialize, .allocates = true},
};

}  // namespace

extern const KernelTable kIteratorSavingCpu{kEntries};

}  // namespace rill
