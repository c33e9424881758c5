// tf.signal in C++: the nodes that Python's functions make, and their values.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "rill/rill.h"

namespace tf = rill;

namespace {

class Signal : public ::testing::Test {
 protected:
  template <class T = float>
  std::vector<T> values(tf::Output output) const {
    tf::Session session(graph_);
    const tf::Tensor tensor = session.run({}, {&output, 1})[0];
    const auto flat = tensor.flat<T>();
    return {flat.begin(), flat.end()};
  }
  static tf::Output wave(std::int64_t count) {
    tf::Tensor tensor(tf::float32, {count});
    for (std::int64_t i = 0; i < count; ++i)
      tensor.data<float>()[i] =
          std::sin(0.7F * static_cast<float>(i)) + 0.01F * static_cast<float>(i);
    return tf::constant(tf::Input(tensor));
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

using Floats = std::vector<float>;

TEST_F(Signal, windows) {
  const auto hann = values(tf::signal::hann_window(4));
  EXPECT_NEAR(hann[0], 0, 1e-6);
  EXPECT_NEAR(hann[2], 1, 1e-6);
  EXPECT_NEAR(values(tf::signal::hamming_window(5, {.periodic = false}))[0], 0.08, 1e-6);
}

TEST_F(Signal, frames_and_sums) {
  const auto x = tf::constant({1.0F, 2.0F, 3.0F, 4.0F, 5.0F});
  const auto frames = tf::signal::frame(x, 3, 1);
  EXPECT_EQ(frames.shape(), (tf::PartialShape{3, 3}));
  EXPECT_EQ(values(frames), (Floats{1, 2, 3, 2, 3, 4, 3, 4, 5}));
  EXPECT_EQ(values(tf::signal::frame(x, 2, 3, {.pad_end = true, .pad_value = 9})),
            (Floats{1, 2, 4, 5}));
  EXPECT_EQ(values(tf::signal::overlap_and_add(frames, 1)), (Floats{1, 4, 9, 8, 5}));
}

TEST_F(Signal, spectra_and_back) {
  const auto x = wave(40);
  const auto spectra = tf::signal::stft(x, 8, 4);
  EXPECT_EQ(spectra.shape(), (tf::PartialShape{9, 5}));
  const auto again =
      tf::signal::inverse_stft(spectra, 8, 4, {.window_fn = tf::signal::inverse_stft_window_fn(4)});
  const auto before = values(x), after = values(again);
  ASSERT_EQ(after.size(), 40U);
  for (int i = 4; i < 36; ++i) EXPECT_NEAR(before[i], after[i], 1e-5);
}

TEST_F(Signal, real_transforms) {
  const auto x = wave(8);
  const auto longer = tf::signal::rfft(x, {.fft_length = tf::ShapeInput{12}});
  EXPECT_EQ(longer.shape(), (tf::PartialShape{7}));
  const auto before = values(x), after = values(tf::signal::irfft(tf::spectral::rfft(x)));
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(before[i], after[i], 1e-6);
}

TEST_F(Signal, cosines) {
  const auto x = wave(8);
  for (int type = 1; type <= 4; ++type) {
    const auto there = tf::signal::dct(x, {.type = type});
    const float scale = type == 1 ? 14.0F : 16.0F;
    const auto before = values(x), after = values(tf::signal::idct(there, {.type = type}));
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(before[i], after[i] / scale, 1e-5) << type;
  }
}

TEST_F(Signal, shifts) {
  const auto x = tf::constant({0.0F, 1.0F, 2.0F, 3.0F, 4.0F});
  EXPECT_EQ(values(tf::signal::fftshift(x)), (Floats{3, 4, 0, 1, 2}));
  EXPECT_EQ(values(tf::signal::ifftshift(x, {.axes = {0}})), (Floats{2, 3, 4, 0, 1}));
}

TEST_F(Signal, mel_bands) {
  const auto matrix =
      tf::signal::linear_to_mel_weight_matrix({.num_mel_bins = 4, .num_spectrogram_bins = 9});
  EXPECT_EQ(matrix.shape(), (tf::PartialShape{9, 4}));
  EXPECT_EQ(values(matrix)[0], 0);
  EXPECT_EQ(values(tf::signal::mfccs_from_log_mel_spectrograms(wave(8))).size(), 8U);
}

TEST_F(Signal, what_makes_no_sense_throws) {
  EXPECT_THROW(tf::signal::dct(wave(8), {.type = 5}), tf::Error);
  EXPECT_THROW(tf::signal::linear_to_mel_weight_matrix({.lower_edge_hertz = 5000}), tf::Error);
}

}  // namespace
