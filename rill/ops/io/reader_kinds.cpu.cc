#include "rill/kernel/kernel_registry.h"
#include "rill/ops/io/reader.h"
#include "rill/ops/resource/shared_handle.h"

namespace rill {

extern const OpDecl kWholeFileReader, kTextLineReader, kFixedLengthRecordReader, kTFRecordReader,
    kIdentityReader, kLMDBReader;
extern const OpDecl kWholeFileReaderV2, kTextLineReaderV2, kFixedLengthRecordReaderV2,
    kTFRecordReaderV2, kIdentityReaderV2;

namespace {

using MakeSource = std::unique_ptr<RecordSource> (*)(const KernelNode&);

template <MakeSource make_source>
void make_reader(KernelCall& call) {
  const KernelNode& node = call.node();
  call.state<SharedHandle>().set_output(
      call, Reader::kTypeName,
      [&] { return std::make_shared<Reader>(node.name, make_source(node)); },
      [](const Resource& found) {
        require(dynamic_cast<const Reader*>(&found) != nullptr, found.describe(),
                " is not a reader");
      });
}

std::unique_ptr<RecordSource> whole(const KernelNode&) { return whole_files(); }
std::unique_ptr<RecordSource> itself(const KernelNode&) { return works_themselves(); }
std::unique_ptr<RecordSource> entries(const KernelNode&) { return lmdb_entries(); }
std::unique_ptr<RecordSource> lines(const KernelNode& node) {
  return text_lines(node.attr<std::int64_t>("skip_header_lines"));
}
std::unique_ptr<RecordSource> records(const KernelNode& node) {
  return tf_records(node.attr<std::string>("compression_type"));
}
std::unique_ptr<RecordSource> fixed(const KernelNode& node) {
  const auto encoding = node.attrs.find("encoding");  // the older op has none
  return fixed_length_records({
      .header = node.attr<std::int64_t>("header_bytes"),
      .record = node.attr<std::int64_t>("record_bytes"),
      .footer = node.attr<std::int64_t>("footer_bytes"),
      .hop = node.attr<std::int64_t>("hop_bytes"),
      .encoding = encoding == node.attrs.end() ? "" : encoding->second.get<std::string>(),
  });
}

constexpr KernelEntry kEntries[] = {
    shared_handle_kernel(kWholeFileReader, make_reader<whole>),
    shared_handle_kernel(kWholeFileReaderV2, make_reader<whole>),
    shared_handle_kernel(kTextLineReader, make_reader<lines>),
    shared_handle_kernel(kTextLineReaderV2, make_reader<lines>),
    shared_handle_kernel(kFixedLengthRecordReader, make_reader<fixed>),
    shared_handle_kernel(kFixedLengthRecordReaderV2, make_reader<fixed>),
    shared_handle_kernel(kTFRecordReader, make_reader<records>),
    shared_handle_kernel(kTFRecordReaderV2, make_reader<records>),
    shared_handle_kernel(kIdentityReader, make_reader<itself>),
    shared_handle_kernel(kIdentityReaderV2, make_reader<itself>),
    shared_handle_kernel(kLMDBReader, make_reader<entries>),
};

}  // namespace

extern const KernelTable kReaderKindsCpu{kEntries};

}  // namespace rill
