#include "rill/io/record_writer.h"
#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/step_pipeline.h"

namespace rill {

extern const OpDecl kDatasetCardinality, kExperimentalDatasetCardinality, kDatasetToTFRecord,
    kExperimentalDatasetToTFRecord;

namespace {

void dataset_cardinality(KernelCall& call) {
  call.set_output(0, Tensor::scalar(dataset_input(call, 0)->size()));
}

void check_strings(const ElementSpec& spec) {
  require(spec.types.size() == 1,
          "ToTFRecordOp currently only support datasets of 1 single column, but got ",
          spec.types.size());
  require(spec.types[0] == DType::string,
          "ToTFRecordOp currently only supports DT_STRING dataypes, but got ", spec.types[0]);
}

void write_records(const KernelCall& call, const PipelineRef& pipeline) {
  const DatasetRef dataset = dataset_input(call, 0);
  check_strings(dataset->spec());
  const RecordWriterOptions options{
      .compression = compression_named(scalar_input<std::string>(call, 2, "compression_type"))};
  RecordWriter writer(scalar_input<std::string>(call, 1, "filename"), options);
  const auto iterator = dataset->iterate(pipeline);
  Element element;
  while (iterator->next(element)) {
    require(element.size() == 1 && element[0].rank() == 0,
            "ToTFRecordOp currently only supports scalars");
    writer.write(element[0].scalar_value<std::string>());
  }
  writer.close();
}

void dataset_to_tf_record(KernelCall& call, Done done) {
  run_with_pipeline(call, std::move(done), write_records);
}

constexpr KernelEntry to_tf_record(const OpDecl& op) {
  return {.op = &op, .run_async = dataset_to_tf_record, .allocates = true};
}

constexpr KernelEntry kEntries[] = {
    quick_kernel(kDatasetCardinality, dataset_cardinality),
    quick_kernel(kExperimentalDatasetCardinality, dataset_cardinality),
    to_tf_record(kDatasetToTFRecord),
    to_tf_record(kExperimentalDatasetToTFRecord),
};

}  // namespace

extern const KernelTable kDatasetReadingCpu{kEntries};

}  // namespace rill
