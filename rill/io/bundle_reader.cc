#include "rill/io/bundle_reader.h"

#include <bit>
#include <mutex>
#include <set>

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/log.h"
#include "rill/io/bundle_blob.h"
#include "rill/io/bundle_format.h"
#include "rill/io/bundle_index.h"
#include "rill/io/slice_copy.h"
#include "rill/tensor/device_pieces.h"
#include "rill/tensor/tensor_proto.h"

namespace rill {
namespace {

StoredTensor stored_tensor(const tensorflow::BundleEntryProto& entry) {
  const DType dtype = dtype_from_proto(entry.dtype());
  require(!is_ref(dtype), "references cannot be stored");
  return {dtype, shape_from_proto(entry.shape()).full()};
}

std::vector<TensorSlice> slices_of(const tensorflow::BundleEntryProto& entry) {
  std::vector<TensorSlice> slices;
  for (const auto& slice : entry.slices()) slices.push_back(TensorSlice::from_proto(slice));
  return slices;
}

}  // namespace

struct BundleReader::State {
  std::string prefix;
  BundleIndex index;
  std::mutex mutex;
  std::map<int, std::unique_ptr<ReadableFile>> shards;  // those opened so far

  const ReadableFile& shard(int number) {
    const std::lock_guard lock(mutex);
    auto& file = shards[number];
    if (file == nullptr) {
      const std::string path = bundle_data_path(prefix, number, index.header.num_shards());
      file = file_system_of(path).open(path);
    }
    return *file;
  }

  BlobPlace place(const std::string& name, const tensorflow::BundleEntryProto& entry) {
    if (entry.shard_id() < 0 || entry.shard_id() >= index.header.num_shards() ||
        entry.offset() < 0 || entry.size() < 0)
      raise(Code::kDataLoss, "the entry of tensor ", name, " in ", bundle_index_path(prefix),
            " is broken: shard ", entry.shard_id(), ", offset ", entry.offset(), ", size ",
            entry.size());
    const bool is_big = index.header.endianness() == tensorflow::BundleHeaderProto::BIG;
    return {.file = shard(entry.shard_id()),
            .tensor = name,
            .offset = static_cast<std::uint64_t>(entry.offset()),
            .size = static_cast<std::uint64_t>(entry.size()),
            .masked_crc = entry.crc32c(),
            .swap_bytes = is_big != (std::endian::native == std::endian::big)};
  }

  const tensorflow::BundleEntryProto& part(const std::string& name, const TensorSlice& slice,
                                           const StoredTensor& whole) {
    const auto found = index.entries.find(slice_key(name, slice));
    if (found == index.entries.end())
      raise(Code::kDataLoss, "part ", slice, " of tensor ", name, " is missing in ",
            bundle_index_path(prefix));
    const StoredTensor stored = stored_tensor(found->second);
    if (stored.dtype != whole.dtype || stored.shape != slice.shape_in(whole.shape))
      raise(Code::kDataLoss, "part ", slice, " of tensor ", name, " in ", bundle_index_path(prefix),
            " is a ", stored.dtype, " of shape ", stored.shape);
    return found->second;
  }
};

BundleReader::BundleReader(const std::string& prefix) : state_(std::make_unique<State>()) {
  state_->prefix = prefix;
  state_->index = read_bundle_index(prefix);
  std::set<std::string> part_keys;
  for (const auto& [name, entry] : state_->index.entries) {
    try {
      for (const TensorSlice& slice : slices_of(entry)) part_keys.insert(slice_key(name, slice));
      tensors_[name] = stored_tensor(entry);
    } catch (const Error& error) {  // one that cannot be read need not spoil the others
      log(LogLevel::kWarning, "tensor ", name, " of checkpoint ", prefix,
          " is left out: ", error.message());
    }
  }
  for (const std::string& key : part_keys) tensors_.erase(key);
}

BundleReader::~BundleReader() = default;

Tensor BundleReader::read_in_pieces(const std::string& name, EachPiece each) const {
  const StoredTensor& whole = tensor(name);
  const tensorflow::BundleEntryProto& entry = state_->index.entries.at(name);
  if (entry.slices_size() > 0 || !is_trivial(whole.dtype)) return read(name);
  return read_blob_in_pieces(state_->place(name, entry), whole.dtype, whole.shape, each);
}

Tensor BundleReader::read_slice(const std::string& name, const TensorSlice& slice) const {
  const StoredTensor& whole = tensor(name);
  const tensorflow::BundleEntryProto& entry = state_->index.entries.at(name);
  const Region wanted = slice.region_in(whole.shape);
  const Shape shape = slice.shape_in(whole.shape);
  const bool is_partitioned = entry.slices_size() > 0;
  if (!is_partitioned && shape == whole.shape)
    return read_blob(state_->place(name, entry), whole.dtype, whole.shape);

  const auto stored =
      is_partitioned ? slices_of(entry) : std::vector{TensorSlice::whole(whole.shape.rank())};
  const auto parts = parts_for(name, whole.shape, stored, slice);
  if (is_partitioned && parts.size() == 1 && stored[parts[0]].shape_in(whole.shape) == shape) {
    const tensorflow::BundleEntryProto& part = state_->part(name, stored[parts[0]], whole);
    return read_blob(state_->place(name, part), whole.dtype, shape);
  }
  if (!is_trivial(whole.dtype))
    raise(Code::kUnimplemented, "tensor ", name, " of type ", whole.dtype,
          " can be read as it was stored, not in part ", slice);
  std::vector<BlobPlace> places;
  for (const std::size_t i : parts) {
    const tensorflow::BundleEntryProto& part =
        is_partitioned ? state_->part(name, stored[i], whole) : entry;
    places.push_back(state_->place(name, part));
    // Before memory is taken for it: it may not be there.
    check_blob(places.back(), whole.dtype, stored[i].shape_in(whole.shape));
  }
  Tensor result(whole.dtype, shape);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const TensorSlice& part = stored[parts[i]];
    SliceCopy copy(part.region_in(whole.shape), wanted, element_size(whole.dtype),
                   static_cast<char*>(result.raw_data()));
    read_pieces(
        places[i], whole.dtype, part.shape_in(whole.shape),
        [&](std::uint64_t offset, std::span<const char> bytes) { copy.feed(offset, bytes); });
  }
  return result;
}

bool BundleReader::is_plain(const std::string& name) const {
  return is_trivial(tensor(name).dtype) && state_->index.entries.at(name).slices_size() == 0;
}

void BundleReader::verify(const std::string& name) const {
  const StoredTensor& stored = tensor(name);
  verify_blob(state_->place(name, state_->index.entries.at(name)), stored.dtype, stored.shape);
}

Tensor BundleReader::read_into(const std::string& name, Allocator& memory) const {
  const StoredTensor& stored = tensor(name);
  const BlobPlace place = state_->place(name, state_->index.entries.at(name));
  check_blob(place, stored.dtype, stored.shape);  // before memory is taken for it
  Tensor there(stored.dtype, stored.shape, memory);
  PieceWriter writer(there);
  read_pieces(place, stored.dtype, stored.shape,
              [&](std::uint64_t, std::span<const char> bytes) { writer.put(bytes); });
  writer.finish();
  return there;
}

void BundleReader::fill(const std::string& name, std::span<char> memory) const {
  const StoredTensor& stored = tensor(name);
  require(memory.size() == stored.shape.byte_size(element_size(stored.dtype)), "tensor ", name,
          " does not fill ", memory.size(), " bytes");
  fill_from_blob(state_->place(name, state_->index.entries.at(name)), stored.dtype, memory);
}

}  // namespace rill
