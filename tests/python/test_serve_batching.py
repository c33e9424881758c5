"""Requests that the model server joins: whoever asks at the same time gets what he would get alone."""
import concurrent.futures

from test_serve import GOLDENS, MODELS, add_version, close, plain, run  # noqa: F401  (run is a fixture)


def ask_many(server, count=200):
    """Asks the same question from many threads and compares every answer with TensorFlow's."""
    question = GOLDENS["simple_save"]["question"]["calls"][0]
    inputs = {name: plain(tensor) for name, tensor in question["feeds"].items()}
    expected = {name: plain(value[0]) for name, value in
                GOLDENS["simple_save"]["answer"]["calls"][0].items()}

    def ask(_):
        got = server.post("/v1/models/m:predict", {"inputs": inputs})["outputs"]
        return all(close(got if len(expected) == 1 else got[name], value)
                   for name, value in expected.items())

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        return all(threads.map(ask, range(count)))


def test_without_parameters(run, tmp_path):  # noqa: F811
    add_version(tmp_path / "m", MODELS / "saved_models/simple_save/model")
    server = run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m", "--enable_batching")
    assert ask_many(server)
    assert server.stop() == 0


def test_parameters_of_a_version(run, tmp_path):  # noqa: F811
    model = tmp_path / "model"
    add_version(tmp_path, MODELS / "saved_models/simple_save/model", version=7)
    (tmp_path / "7").rename(model)
    (model / "batching_params.pbtxt").write_text(
        "max_batch_size { value: 64 }\nallowed_batch_sizes: 8\nallowed_batch_sizes: 64\n"
        "mixed_priority_batching_policy: LOW_PRIORITY_PADDING_WITH_MAX_BATCH_SIZE\n")
    add_version(tmp_path / "m", model)
    server = run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m", "--enable_batching",
                 "--enable_per_model_batching_parameters")
    assert ask_many(server, 50)
    assert server.stop() == 0
    assert "mixed_priority_batching_policy has no effect here" in server.log
