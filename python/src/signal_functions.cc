#include "array_functions.h"
#include "call.h"
#include "dtypes.h"
#include "errors.h"
#include "image_functions.h"
#include "inputs.h"
#include "rill/api/signal/signal.h"

namespace rill::python {
namespace {

// A program's window: called with the length, and the type by its name.
signal::WindowFn window_of(nb::handle function) {
  if (function.is_none()) return {};
  return [fn = nb::borrow(function)](const Input& length, DType dtype) {
    nb::object window = fn(give(as_tensor(length)), nb::arg("dtype") = dtype_object(dtype));
    return as_tensor(input_of(window, DType::invalid, "", "window"));
  };
}

template <class Window>
nb::object make_window(Window make, const Call& c) {
  return give(make(c.input("window_length", DType::i32),
                   signal::WindowOptions{.periodic = c.input("periodic", DType::boolean),
                                         .dtype = c.dtype("dtype"),
                                         .name = c.name()},
                   std::source_location::current()));
}

signal::RealFftOptions real_fft_options(const Call& c) {
  return {.fft_length = c.optional_input("fft_length", DType::i32), .name = c.name()};
}
using RealFft = Output (*)(const Input&, const signal::RealFftOptions&, std::source_location);
template <RealFft kFft>
nb::object real_fft(const Call& c) {
  return give(kFft(c.input("input_tensor"), real_fft_options(c), std::source_location::current()));
}

signal::FftShiftOptions shift_options(const Call& c) {
  signal::FftShiftOptions options{.axes = integers(c["axes"]), .single = false, .name = c.name()};
  options.single = is_count(c["axes"]);
  return options;
}

signal::DctOptions dct_options(const Call& c) {
  if (c.integer("axis") != -1)
    throw_python(PyExc_NotImplementedError, str_cat("axis must be -1. Got: ", c.integer("axis")));
  return {.type = static_cast<int>(c.integer("type")),
          .n = c.optional_integer("n"),
          .axis = c.integer("axis"),
          .norm = c.text("norm"),
          .name = c.name()};
}

nb::object stft(const Call& c) {
  return give(signal::stft(c.input("signals"), c.input("frame_length"), c.input("frame_step"),
                           {.fft_length = c.optional_input("fft_length"),
                            .window_fn = window_of(c["window_fn"]),
                            .pad_end = c.flag("pad_end"),
                            .name = c.name()}));
}

nb::object inverse_stft(const Call& c) {
  return give(signal::inverse_stft(c.input("stfts"), c.input("frame_length"), c.input("frame_step"),
                                   {.fft_length = c.optional_input("fft_length"),
                                    .window_fn = window_of(c["window_fn"]),
                                    .name = c.name()}));
}

// The window that inverse_stft_window_fn's result makes when it is called.
nb::object inverse_window(const Call& c) {
  const signal::WindowFn made = signal::inverse_stft_window_fn(
      c.input("frame_step"),
      {.forward_window_fn = window_of(c["forward_window_fn"]), .name = c.name()});
  return give(made(c.input("frame_length"), c.dtype("dtype")));
}

nb::object mel_matrix(const Call& c) {
  return give(
      signal::linear_to_mel_weight_matrix({.num_mel_bins = c.integer("num_mel_bins"),
                                           .num_spectrogram_bins = c.input("num_spectrogram_bins"),
                                           .sample_rate = c.input("sample_rate"),
                                           .lower_edge_hertz = c.number("lower_edge_hertz"),
                                           .upper_edge_hertz = c.number("upper_edge_hertz"),
                                           .dtype = c.dtype("dtype"),
                                           .name = c.name()}));
}

constexpr Function kFunctions[] = {
    {"signal.hann_window(window_length, periodic=True, dtype=tf.float32, name=None)",
     [](const Call& c) { return make_window(signal::hann_window, c); }, "Hann's window."},
    {"signal.hamming_window(window_length, periodic=True, dtype=tf.float32, name=None)",
     [](const Call& c) { return make_window(signal::hamming_window, c); }, "Hamming's window."},
    {"signal.frame(signal, frame_length, frame_step, pad_end=False, pad_value=0, axis=-1, "
     "name=None)",
     [](const Call& c) {
       return give(signal::frame(c.input("signal"), c.input("frame_length"), c.input("frame_step"),
                                 {.pad_end = c.flag("pad_end"),
                                  .pad_value = c.input("pad_value"),
                                  .axis = c.input("axis"),
                                  .name = c.name()}));
     },
     "The windows that a signal is seen through."},
    {"signal.overlap_and_add(signal, frame_step, name=None)",
     [](const Call& c) {
       return give(
           signal::overlap_and_add(c.input("signal"), c.input("frame_step"), {.name = c.name()}));
     },
     "The sum of overlapping frames."},
    {"signal.rfft(input_tensor, fft_length=None, name=None)", real_fft<signal::rfft>,
     "The Fourier transform of real signals."},
    {"signal.rfft2d(input_tensor, fft_length=None, name=None)", real_fft<signal::rfft2d>,
     "The Fourier transform of real signals over two dimensions."},
    {"signal.rfft3d(input_tensor, fft_length=None, name=None)", real_fft<signal::rfft3d>,
     "The Fourier transform of real signals over three dimensions."},
    {"signal.irfft(input_tensor, fft_length=None, name=None)", real_fft<signal::irfft>,
     "The real signals of spectra."},
    {"signal.irfft2d(input_tensor, fft_length=None, name=None)", real_fft<signal::irfft2d>,
     "The real signals of spectra over two dimensions."},
    {"signal.irfft3d(input_tensor, fft_length=None, name=None)", real_fft<signal::irfft3d>,
     "The real signals of spectra over three dimensions."},
    {"signal.fftshift(x, axes=None, name=None)",
     [](const Call& c) { return give(signal::fftshift(c.input("x"), shift_options(c))); },
     "Spectra with the frequency zero in the middle."},
    {"signal.ifftshift(x, axes=None, name=None)",
     [](const Call& c) { return give(signal::ifftshift(c.input("x"), shift_options(c))); },
     "Spectra with the frequency zero in front again."},
    {"signal.dct(input, type=2, n=None, axis=-1, norm=None, name=None)",
     [](const Call& c) { return give(signal::dct(c.input("input"), dct_options(c))); },
     "A discrete cosine transform."},
    {"signal.idct(input, type=2, n=None, axis=-1, norm=None, name=None)",
     [](const Call& c) { return give(signal::idct(c.input("input"), dct_options(c))); },
     "The inverse of a discrete cosine transform."},
    {"signal.linear_to_mel_weight_matrix(num_mel_bins=20, num_spectrogram_bins=129, "
     "sample_rate=8000, lower_edge_hertz=125.0, upper_edge_hertz=3800.0, dtype=tf.float32, "
     "name=None)",
     mel_matrix, "The matrix that takes spectra to bands as wide as ears hear them."},
    {"signal.mfccs_from_log_mel_spectrograms(log_mel_spectrograms, name=None)",
     [](const Call& c) {
       return give(signal::mfccs_from_log_mel_spectrograms(c.input("log_mel_spectrograms"),
                                                           {.name = c.name()}));
     },
     "Cosine transforms of the logarithms of mel bands."},
    // Python has functions with windows for defaults in front of these.
    {"signal.stft_of(signals, frame_length, frame_step, fft_length, window_fn, pad_end, name)",
     stft, "Spectra of the frames of signals."},
    {"signal.inverse_stft_of(stfts, frame_length, frame_step, fft_length, window_fn, name)",
     inverse_stft, "The signals of spectra of frames."},
    {"signal.inverse_window(frame_step, forward_window_fn, name, frame_length, dtype)",
     inverse_window, "The window that undoes another one."},
};

}  // namespace

void bind_signal_functions() { add_functions(kFunctions); }

}  // namespace rill::python
