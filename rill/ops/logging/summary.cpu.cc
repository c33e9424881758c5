#include <cmath>
#include <mutex>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/logging/summary_parts.h"
#include "rill/tensor/dtype_visit.h"

namespace rill {

extern const OpDecl kScalarSummary, kHistogramSummary, kAudioSummary, kAudioSummaryV2,
    kTensorSummary, kTensorSummaryV2, kMergeSummary;

namespace {

void set_output(const KernelCall& call, const SummaryMessage& message) {
  call.output<std::string>(0)[0] = message.serialized();
}

// Any real number as a C; half and bfloat16 by way of float.
template <class C, class T>
C real_as(T value) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16>) {
    return static_cast<C>(static_cast<float>(value));
  } else {
    return static_cast<C>(value);
  }
}

template <class T>
inline constexpr bool kIsReal = kRealTypes.contains(dtype_of<T>);

void scalar_summary(KernelCall& call) {
  const Tensor &tags = call.input_tensor(0), &values = call.input_tensor(1);
  require(tags.shape() == values.shape(), "tags and values not the same shape: ", tags.shape(),
          " != ", values.shape(),
          tags.element_count() == 1 ? str_cat(" (tag '", *tags.data<std::string>(), "')")
                                    : std::string());
  SummaryMessage message;
  visit_dtype(values.dtype(), [&]<class T>() {
    if constexpr (kIsReal<T>)
      for (std::int64_t i = 0; i < values.element_count(); ++i)
        message.add_scalar(tags.data<std::string>()[i], real_as<float>(values.data<T>()[i]));
  });
  set_output(call, message);
}

// The moments in the order of the values, so that they are TensorFlow's to the last bit; the counts
// are exact in any order.
template <class T>
Histogram histogram_of(const KernelCall& call, std::span<const T> values) {
  Histogram histogram;
  for (const T value : values) {
    const auto number = real_as<double>(value);
    require(!std::isnan(number), "Nan in summary histogram for: ", call.node().name);
    require(!std::isinf(number), "Infinity in Histogram for: ", call.node().name);
    histogram.add_to_moments(number);
  }
  std::mutex mutex;
  call.parallel_for(values.size(), 30, [&](std::size_t begin, std::size_t end) {
    std::vector<double> counts(histogram.counts.size());
    for (std::size_t i = begin; i < end; ++i)
      counts[histogram_bucket(real_as<double>(values[i]))] += 1;
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < counts.size(); ++i) histogram.counts[i] += counts[i];
  });
  return histogram;
}

void histogram_summary(KernelCall& call) {
  const Tensor& tag = call.input_tensor(0);
  require(tag.rank() == 0, "tags must be scalar");
  SummaryMessage message;
  add_histogram(call, tag.scalar_value<std::string>(), call.input_tensor(1), message);
  set_output(call, message);
}

float sample_rate_of(const KernelCall& call) {
  if (call.input_count() < 3) return call.node().attr<float>("sample_rate");
  const Tensor& rate = call.input_tensor(2);
  require(rate.rank() == 0, "sample_rate must be a scalar, but has shape ", rate.shape());
  return rate.scalar_value<float>();
}

void audio_summary(KernelCall& call) {
  const Tensor& tag = call.input_tensor(0);
  require(tag.rank() == 0, "Tag must be a scalar");
  SummaryMessage message;
  add_sounds(call, tag.scalar_value<std::string>(), call.input_tensor(1), sample_rate_of(call),
             message);
  set_output(call, message);
}

void tensor_summary(KernelCall& call) {
  SummaryMessage message;
  message.add_tensor_of(call.node().name, call.input_tensor(0));
  set_output(call, message);
}

void tensor_summary_v2(KernelCall& call) {
  const Tensor &tag = call.input_tensor(0), &metadata = call.input_tensor(2);
  require(tag.rank() == 0, "tag must be scalar");
  require(metadata.rank() == 0, "serialized_summary_metadata must be scalar");
  SummaryMessage message;
  message.add_tensor(tag.scalar_value<std::string>(), call.input_tensor(1),
                     &metadata.scalar_value<std::string>());
  set_output(call, message);
}

void merge_summary(KernelCall& call) {
  SummaryMessage message;
  for (int i = 0; i < call.input_count(); ++i)
    for (const std::string& part : call.input<std::string>(i)) message.merge(part);
  message.check_tags_differ();
  set_output(call, message);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kScalarSummary, .types = kRealTypes, .run = scalar_summary, .expensive = false},
    {.op = &kHistogramSummary, .types = kRealTypes, .run = histogram_summary},
    {.op = &kAudioSummary, .run = audio_summary},
    {.op = &kAudioSummaryV2, .run = audio_summary},
    {.op = &kTensorSummary, .run = tensor_summary},
    {.op = &kTensorSummaryV2, .run = tensor_summary_v2},
    {.op = &kMergeSummary, .run = merge_summary, .expensive = false},
};

}  // namespace

extern const KernelTable kSummaryCpu{kEntries};

float number_as_float(const Tensor& value) {
  require(value.element_count() > 0, "a scalar is wanted, but the shape is ", value.shape());
  float number = 0;
  visit_dtype(value.dtype(), [&]<class T>() {
    if constexpr (kIsReal<T>) number = real_as<float>(value.data<T>()[0]);
  });
  return number;
}

void add_histogram(const KernelCall& call, const std::string& tag, const Tensor& values,
                   SummaryMessage& message) {
  visit_dtype(values.dtype(), [&]<class T>() {
    if constexpr (kIsReal<T>)
      message.add_histogram(tag, histogram_of<T>(call, std::span<const T>(values.flat<T>())));
  });
}

void add_sounds(const KernelCall& call, const std::string& tag, const Tensor& tensor,
                float sample_rate, SummaryMessage& message) {
  require(tensor.rank() == 2 || tensor.rank() == 3,
          "Tensor must be 3-D or 2-D, got: ", tensor.shape());
  require(sample_rate > 0, "sample_rate must be > 0");
  require(sample_rate < 4e9F, "sample_rate ", sample_rate, " does not fit into a WAV");
  const auto most = call.node().attr<std::int64_t>("max_outputs");
  const std::int64_t channels = tensor.rank() == 2 ? 1 : tensor.dim(2), frames = tensor.dim(1);
  const auto size = static_cast<std::size_t>(frames * channels);
  for (std::int64_t i = 0; i < std::min(most, tensor.dim(0)); ++i) {
    const Sound sound{frames, channels, std::lrint(sample_rate),
                      std::span<const float>(tensor.data<float>() + i * frames * channels, size)};
    const std::string base = tag + "/audio";
    message.add_audio(most > 1 ? str_cat(base, "/", i) : base, sample_rate, sound);
  }
}

}  // namespace rill
