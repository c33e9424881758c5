#include <mutex>
#include <unordered_map>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/sparse/sparse_batch.h"
#include "rill/ops/update/variable_input.h"

namespace rill {

extern const OpDecl kAddSparseToTensorsMap, kAddManySparseToTensorsMap,
    kTakeManySparseFromTensorsMap;

namespace {

// Sparse tensors by handle.
class SparseTensorsMap : public Resource {
 public:
  static constexpr const char* kTypeName = "SparseTensorsMap";

  explicit SparseTensorsMap(std::string name) : name_(std::move(name)) {}

  std::string describe() const override { return "A SparseTensorsMap"; }

  Index add(SparseInput sparse) {
    const std::lock_guard lock(mutex_);
    tensors_.emplace(next_, std::move(sparse));
    return next_++;
  }

  SparseInput take(Index handle) {
    const std::lock_guard lock(mutex_);
    const auto found = tensors_.find(handle);
    require(found != tensors_.end(), "Unable to find SparseTensor: ", handle, " in map: ", name_);
    SparseInput sparse = std::move(found->second);
    tensors_.erase(found);
    return sparse;
  }

 private:
  const std::string name_;
  std::mutex mutex_;
  Index next_ = 0;
  std::unordered_map<Index, SparseInput> tensors_;
};

// The map of the op, which is made when it is missing.
std::shared_ptr<SparseTensorsMap> map_of(const KernelCall& call) {
  const auto& shared = call.node().attr<std::string>("shared_name");
  const std::string& name = shared.empty() ? call.node().name : shared;
  auto map = call.step().resources->find_or_make<SparseTensorsMap>(
      call.node().attr<std::string>("container"), name,
      [&] { return std::make_shared<SparseTensorsMap>(name); });
  require(map != nullptr, "resource ", name, " is no SparseTensorsMap");
  return map;
}

void add_sparse(KernelCall& call) {
  SparseInput sparse = sparse_input(call, 0);
  (void)sparse.dense_shape();  // refuses what overflows
  sparse.indices = kept(sparse.indices);
  sparse.values = kept(sparse.values);
  call.output<Index>(0)[0] = map_of(call)->add(std::move(sparse));
}

void add_many_sparse(KernelCall& call) {
  SparseRows rows(sparse_input(call, 0));
  const auto map = map_of(call);
  const auto handles = call.allocate_output(0, {rows.count()}).flat<Index>();
  // Rows may be many more than elements: the allocator knows whether there is room for them.
  (void)Tensor(DType::u8, {rows.count(), sizeof(SparseInput) + 128});
  // As in TensorFlow, rows without elements get their handles last.
  SparseInput empty;
  for (Index& handle : handles) {
    SparseInput row = rows.next();
    handle = row.count() > 0 ? map->add(row) : -1;
    if (handle < 0) empty = std::move(row);
  }
  for (Index& handle : handles)
    if (handle < 0) handle = map->add(empty);
}

void take_many_sparse(KernelCall& call) {
  const Tensor& handles = call.input_tensor(0);
  require(handles.rank() == 1, "sparse_handles should be a vector but received shape ",
          handles.shape());
  const auto map = map_of(call);
  std::vector<SparseInput> parts;
  for (const Index handle : call.input<Index>(0)) parts.push_back(map->take(handle));
  const Index batch[] = {handles.dim(0)};
  output_batch(call, parts, Dims(batch), call.node().attr<DType>("dtype"));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kAddSparseToTensorsMap, .run = add_sparse},
    {.op = &kAddManySparseToTensorsMap, .run = add_many_sparse, .allocates = true},
    {.op = &kTakeManySparseFromTensorsMap, .run = take_many_sparse, .allocates = true},
};

}  // namespace

extern const KernelTable kSparseTensorsMapCpu{kEntries};

}  // namespace rill
