"""tf.signal: signals and their spectra."""

from rill import _surface
from rill._rill.functions.signal import hann_window
from rill._rill.functions.signal import inverse_stft_of as _inverse_stft
from rill._rill.functions.signal import inverse_window as _inverse_window
from rill._rill.functions.signal import stft_of as _stft


def stft(signals, frame_length, frame_step, fft_length=None, window_fn=hann_window, pad_end=False,
         name=None):
    """The spectra of the frames of signals, weighed by a window."""
    return _stft(signals, frame_length, frame_step, fft_length, window_fn, pad_end, name)


def inverse_stft(stfts, frame_length, frame_step, fft_length=None, window_fn=hann_window, name=None):
    """The signals whose frames have these spectra."""
    return _inverse_stft(stfts, frame_length, frame_step, fft_length, window_fn, name)


def inverse_stft_window_fn(frame_step, forward_window_fn=hann_window, name=None):
    """A window for inverse_stft that undoes the one that stft used."""
    def inverse_window(frame_length, dtype):
        return _inverse_window(frame_step, forward_window_fn, name, frame_length, dtype)
    return inverse_window


__getattr__, __dir__ = _surface.members_of(__name__)
