"""Fourier transforms and CTC, as speech recognition uses them."""
import numpy as np

from op_cases import Case, Input, floats


def waves(*shape):
    rng = np.random.default_rng(sum(shape))
    return Input((rng.uniform(-1, 1, shape) + 1j * rng.uniform(-1, 1, shape)).astype(np.complex64))


def transform(name, op, torch, shape, repeat):
    return Case(name, {"x": waves(*shape)}, lambda r, x: getattr(r, op)(input=x), torch, repeat)


def ctc(name, frames, batch, classes, labels, repeat):
    """Every sequence has as many frames and labels; PyTorch computes the gradient apart."""
    rng = np.random.default_rng(frames)
    indices = np.stack(np.meshgrid(np.arange(batch), np.arange(labels), indexing="ij"), -1)
    values = rng.integers(0, classes - 1, batch * labels, np.int32)
    lengths = np.full(batch, frames, np.int32)
    return Case(name, {"x": floats(frames, batch, classes, low=-3.0, high=3.0)},
                lambda r, x: r.CTCLoss(
                    inputs=x, labels_indices=indices.reshape(-1, 2).astype(np.int64),
                    labels_values=values, sequence_length=lengths,
                    ignore_longer_outputs_than_inputs=False), None, repeat)


CASES = [
    transform("fft_4096", "FFT", lambda t, x: t.fft.fft(x), (4096,), 20),
    transform("fft_64x4096", "FFT", lambda t, x: t.fft.fft(x), (64, 4096), 2),
    transform("fft_1024x256", "FFT", lambda t, x: t.fft.fft(x), (1024, 256), 2),
    transform("fft_1000x60", "FFT", lambda t, x: t.fft.fft(x), (1000, 60), 4),
    transform("fft_16x1009", "FFT", lambda t, x: t.fft.fft(x), (16, 1009), 4),
    transform("ifft_64x4096", "IFFT", lambda t, x: t.fft.ifft(x), (64, 4096), 2),
    transform("fft2d_512x512", "FFT2D", lambda t, x: t.fft.fft2(x), (512, 512), 2),
    transform("fft3d_64x64x64", "FFT3D", lambda t, x: t.fft.fftn(x), (64, 64, 64), 2),
    Case("rfft_500x512", {"x": floats(500, 512)},
         lambda r, x: r.RFFT(input=x, fft_length=[512]), lambda t, x: t.fft.rfft(x), 4),
    Case("irfft_500x512", {"x": waves(500, 257)},
         lambda r, x: r.IRFFT(input=x, fft_length=[512]), lambda t, x: t.fft.irfft(x), 4),
    ctc("ctc_loss_150x32x29", 150, 32, 29, 40, 1),
    ctc("ctc_loss_800x8x100", 800, 8, 100, 150, 1),
    Case("ctc_greedy_150x32x29", {"x": floats(150, 32, 29)},
         lambda r, x: r.CTCGreedyDecoder(inputs=x, sequence_length=[150] * 32), None, 4),
    Case("ctc_beam_150x4x29", {"x": floats(150, 4, 29, low=-5.0, high=5.0)},
         lambda r, x: r.CTCBeamSearchDecoder(inputs=x, sequence_length=[150] * 4, beam_width=50,
                                             top_paths=1), None, 1),
]
