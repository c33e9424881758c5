#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/audio/mel_filters.h"

namespace rill {

extern const OpDecl kMfcc;

namespace {

constexpr double kQuietest = 1e-12;  // what filters pass at least, before the logarithm

// The first rows of the cosine transform (II) of `size` numbers.
std::vector<double> cosine_rows(std::int64_t rows, std::int64_t size) {
  const double norm = std::sqrt(2.0 / static_cast<double>(size));
  const double angle = std::numbers::pi / static_cast<double>(size);
  std::vector<double> cosines;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < size; ++j)
      cosines.push_back(norm *
                        std::cos(static_cast<double>(i) * angle * (static_cast<double>(j) + 0.5)));
  return cosines;
}

struct Settings {
  std::int64_t bins, rate, filters, coefficients;
  MelFilters::Range range;

  void check() const {
    const auto fits = [&](bool ok, const char* why) {
      require(ok, "Mfcc initialization failed for channel count ", bins, ", sample rate ", rate,
              " and filterbank_channel_count ", filters, ": ", why);
    };
    constexpr std::int64_t kMaxFilters = 1 << 20;
    fits(filters > 0 && filters <= kMaxFilters, "filters must be at least 1 and at most 2^20");
    fits(rate > 0, "the sample rate must be positive");
    fits(bins > 1, "there must be at least 2 bins");
    fits(range.lower >= 0, "lower_frequency_limit must not be negative");
    fits(range.upper > range.lower, "upper_frequency_limit must be above lower_frequency_limit");
    fits(coefficients > 0, "dct_coefficient_count must be at least 1");
    fits(coefficients <= filters, "there cannot be more coefficients than filters");
  }
};

Settings settings_of(const KernelCall& call) {
  const KernelNode& node = call.node();
  return {call.input_tensor(0).dim(2),
          call.input<std::int32_t>(1)[0],
          node.attr<std::int64_t>("filterbank_channel_count"),
          node.attr<std::int64_t>("dct_coefficient_count"),
          {node.attr<float>("lower_frequency_limit"), node.attr<float>("upper_frequency_limit")}};
}

void mfcc(KernelCall& call) {
  const Settings settings = settings_of(call);
  settings.check();
  const Tensor& out = call.output_tensor(0);
  if (out.element_count() == 0) return;
  const MelFilters filters(settings.bins, static_cast<double>(settings.rate), settings.filters,
                           settings.range);
  if (filters.is_out_of_range()) return void(std::ranges::fill(out.flat<float>(), 0.0F));
  const std::vector<double> cosines = cosine_rows(settings.coefficients, settings.filters);
  const auto rows = static_cast<std::size_t>(out.dim(0) * out.dim(1));
  const double cost = 4.0 * static_cast<double>(settings.bins) +
                      static_cast<double>((settings.coefficients + 10) * settings.filters);
  call.parallel_for(rows, cost, [&](std::size_t begin, std::size_t end) {
    std::vector<double> passed(static_cast<std::size_t>(settings.filters));
    const float* squares =
        call.input<float>(0).data() + static_cast<std::int64_t>(begin) * settings.bins;
    auto* to = out.data<float>() + static_cast<std::int64_t>(begin) * settings.coefficients;
    for (std::size_t row = begin; row < end; ++row, squares += settings.bins) {
      std::ranges::fill(passed, 0.0);
      filters.apply(squares, passed);
      for (double& value : passed) value = std::log(value < kQuietest ? kQuietest : value);
      for (std::int64_t i = 0; i < settings.coefficients; ++i) {
        const double* cosine = cosines.data() + i * settings.filters;
        double sum = 0;
        for (std::size_t j = 0; j < passed.size(); ++j) sum += cosine[j] * passed[j];
        *to++ = static_cast<float>(sum);
      }
    }
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kMfcc, .run = mfcc},
};

}  // namespace

extern const KernelTable kMfccCpu{kEntries};

}  // namespace rill
