"""What estimators do to be exported."""

from rill import _rill


def _text(path):
    return path.decode() if isinstance(path, bytes) else str(path)


class ExportMixin:
    """The methods of Estimator that write SavedModels."""

    def export_saved_model(self, export_dir_base, serving_input_receiver_fn, assets_extra=None, as_text=False,
                           checkpoint_path=None, experimental_mode="infer"):
        """Writes the model for one mode below `export_dir_base`; returns the new directory."""
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        return self._export_all_saved_models(export_dir_base, {experimental_mode: serving_input_receiver_fn},
                                             assets_extra, as_text, checkpoint_path)

    def export_savedmodel(self, export_dir_base, serving_input_receiver_fn, assets_extra=None, as_text=False,
                          checkpoint_path=None, strip_default_attrs=False):
        """The same under its old name."""
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        return self._export_all_saved_models(export_dir_base, {"infer": serving_input_receiver_fn}, assets_extra,
                                             as_text, checkpoint_path, strip_default_attrs)

    def experimental_export_all_saved_models(self, export_dir_base, input_receiver_fn_map, assets_extra=None,
                                             as_text=False, checkpoint_path=None):
        """Writes the model for several modes, each with where it is fed."""
        return self._export_all_saved_models(export_dir_base, input_receiver_fn_map, assets_extra, as_text,
                                             checkpoint_path)

    def _export_all_saved_models(self, export_dir_base, input_receiver_fn_map, assets_extra=None, as_text=False,
                                 checkpoint_path=None, strip_default_attrs=True):
        receivers = {mode: receiver for mode, receiver in input_receiver_fn_map.items() if receiver}
        extra = {_text(to): _text(source) for to, source in (assets_extra or {}).items()}
        path = _rill.export_saved_models(self._core, _text(export_dir_base), receivers, extra, bool(as_text),
                                         _text(checkpoint_path or ""), bool(strip_default_attrs))
        return path.encode()
