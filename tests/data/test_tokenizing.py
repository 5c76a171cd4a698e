"""A corpus of text becomes files of tokens, from every kind of file and in every format."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.data import TokenStream, tokenize
from ffi_cookbook.data.tokens import tokenizing
from ffi_cookbook.tokenizer import Model
from support.backends import needs
from support.small_corpus import TEXTS, documents, expected


def test_every_document_and_its_end(corpus: list[Path], tmp_path: Path, model: Model) -> None:
    """Names of special tokens in a text are text."""
    reports: list[Any] = []
    done = tokenize(corpus, tmp_path / "out", model, progress=reports.append)
    assert documents(tmp_path / "out") == expected(model, TEXTS)
    n_tokens = sum(map(len, expected(model, TEXTS)))
    assert (done.shards, done.documents, done.tokens) == (1, 5, n_tokens)
    assert [report.documents for report in reports] == [3, 4, 5]
    assert reports[-1].path == str(corpus[2])
    assert TokenStream(tmp_path / "out/*.bin", 8).n_tokens == n_tokens


def test_ids_of_more_than_16_bits(tmp_path: Path) -> None:
    ranks = {bytes([byte]): byte for byte in range(256)}
    large = Model.from_ranks(ranks, pattern="gpt2", special_tokens={"<|endoftext|>": 70_000})
    tokenize(["ab", "c"], tmp_path / "out", large, texts=True)
    assert documents(tmp_path / "out") == [[97, 98, 70_000], [99, 70_000]]


def test_no_end(corpus: list[Path], tmp_path: Path, model: Model) -> None:
    tokenize(corpus, tmp_path / "out", model, end=None)
    texts = [text for text in TEXTS if text]  # an empty one leaves no trace
    assert documents(tmp_path / "out") == expected(model, texts, ())


def test_other_kinds_of_file(tmp_path: Path, model: Model) -> None:
    pyarrow, parquet = needs("pyarrow"), needs("pyarrow.parquet")
    records.write(tmp_path / "a.tfrecord", [{"body": text} for text in TEXTS])
    parquet.write_table(pyarrow.table({"body": TEXTS}), tmp_path / "b.parquet")
    tokenize(tmp_path / "[ab].*", tmp_path / "out", model, field="body")
    assert documents(tmp_path / "out") == expected(model, TEXTS + TEXTS)


def test_compressed_files(corpus: list[Path], tmp_path: Path, model: Model) -> None:
    """Their documents are those of the plain files; a damaged one is named."""
    tokenize(corpus, tmp_path / "plain", model)
    paths = [Path(f"{path}.gz") for path in corpus]
    for path in paths:
        path.write_bytes(gzip.compress(path.with_suffix("").read_bytes()))
    tokenize(paths, tmp_path / "out", model)
    assert documents(tmp_path / "out") == documents(tmp_path / "plain")
    records.write(tmp_path / "a.tfrecord.GZ", [{"text": "x"}], compression="gzip")
    tokenize(tmp_path / "a.tfrecord.GZ", tmp_path / "records", model)
    assert documents(tmp_path / "records") == expected(model, ["x"])
    whole = paths[0].read_bytes()
    wrong = whole[:-6] + bytes([whole[-6] ^ 255]) + whole[-5:]  # the CRC
    for data in (whole[:-9], whole[:5], wrong, b"plain"):
        paths[0].write_bytes(data)
        with pytest.raises(ValueError, match=r"0\.jsonl\.gz is damaged: "):
            tokenize(paths[0], tmp_path / "damaged", model)
    with pytest.raises(ValueError, match=r"with \.gz behind all but \.parquet"):
        tokenize(paths[0].rename(tmp_path / "a.parquet.gz"), tmp_path / "damaged", model)


def test_a_dataset_of_hugging_face(tmp_path: Path, model: Model) -> None:
    """Its rows are texts, also in the format of NumPy, and streamed."""
    rows = needs("datasets").Dataset.from_dict({"body": TEXTS, "n": list(range(5))})
    options: Any = {"field": "body", "texts": True}
    for kind, dataset in {
        "numpy": rows.with_format("numpy"),
        "streamed": rows.to_iterable_dataset(),
    }.items():
        assert tokenize(dataset, tmp_path / kind, model, **options).documents == 5
        assert documents(tmp_path / kind) == expected(model, TEXTS)
    with pytest.raises(ValueError, match="document 1: 'n' must be text, not int"):
        tokenize(rows, tmp_path / "none", model, field="n", texts=True)
    with pytest.raises(TypeError, match=r"not dict; to pass texts .* texts must be True"):
        tokenize(rows, tmp_path / "none", model)


def test_files_at_urls(corpus: list[Path], tmp_path: Path, model: Model) -> None:
    memory = needs("fsspec").filesystem("memory")
    parquet = needs("pyarrow.parquet")
    parquet.write_table(needs("pyarrow").table({"text": TEXTS}), tmp_path / "3.parquet")
    zipped = tmp_path / "4.jsonl.gz"
    zipped.write_bytes(gzip.compress(corpus[1].read_bytes()))
    paths = [*corpus, tmp_path / "3.parquet", zipped]
    for path in paths:
        memory.pipe(f"/corpus/{path.name}", path.read_bytes())
    tokenize("memory://corpus/*", tmp_path / "out", model)
    tokenize(paths, tmp_path / "plain", model)
    assert documents(tmp_path / "out") == documents(tmp_path / "plain")


def test_files_are_those_of_nanogpt_too(corpus: list[Path], tmp_path: Path, model: Model) -> None:
    """They are read as uint16, and the indices may be removed."""
    out, wanted = tmp_path / "out", expected(model, TEXTS)
    done = tokenize(corpus, out, model, shard_tokens=30)
    assert done.tokens == sum(map(len, wanted))
    ids = [np.fromfile(path, "<u2") for path in sorted(out.glob("*.bin"))]
    assert np.concatenate(ids).tolist() == [one for ids in wanted for one in ids]
    assert TokenStream(out / "*.bin", 8).n_tokens == done.tokens
    for path in out.glob("*.idx"):
        path.unlink()
    assert TokenStream(out / "*.bin", 8).n_tokens == done.tokens


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.jsonl", b"[" * 200_000, "line 1, is not JSON"),
        ("a.parquet", b"PAR1 and no more", "is damaged"),
        ("a.jsonl", b'{"text": "x"}\n\n{"text": 1}\n', "line 3: 'text' must be text, not int"),
        ("a.jsonl", b'{"text": "x"}\n{"text": \n', "line 2, is not JSON"),
        ("a.jsonl", b"[]\n", "line 1: must be an object with 'text', not list"),
        (
            "a.jsonl",
            b'{"body": "x", "id": 1}\n',
            "line 1: has no 'text': field must be one of 'body', 'id'",
        ),
        ("a.jsonl", b'{"text": [{"role": "user"}]}\n', "not list: apply the model's chat template"),
        ("a.json", b'{\n"text": "x"}\n', "line 1, is not JSON"),
        ("a.json", b'[{"text": "x"}', "is not a JSON array"),
        ("a.json", b'["x", {"body": 1}]', "document 2: has no 'text': field must be one of 'body'"),
        ("a.txt", b"abc\xff", "document 1"),
        ("a.csv", b"", "must end in one of .json, .jsonl, .ndjson, .parquet, .tfrecord, .txt"),
        ("a.parquet.zst", b"", r"\.zst behind text and JSON"),
        ("a.tfrecord.zst", b"", r"\.zst behind text and JSON"),
    ],
)
def test_what_is_not_text(tmp_path: Path, model: Model, name: str, data: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=words) as raised:
        tokenize(tmp_path / name, tmp_path / "out", model)
    assert name in str(raised.value)
    assert not list(tmp_path.glob("out/*"))


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_json_as_it_is_published(tmp_path: Path, model: Model, suffix: str) -> None:
    """Objects in lines (Dolma's .json.gz, the Pile's .jsonl.zst), or one array."""
    pyarrow = needs("pyarrow")
    rows = [{"text": text, "id": i} for i, text in enumerate(TEXTS)]
    lines = "\n".join(map(json.dumps, rows))
    for name, text in (
        ("lines.json", lines),
        ("lines.jsonl", lines),
        ("array.json", "\n " + json.dumps(rows, indent=1)),
        ("texts.json", json.dumps(TEXTS)),
    ):
        path, half = tmp_path / f"{name}{suffix}", len(text) // 2
        parts = [text[:half].encode(), text[half:].encode()]
        pack: Any = {"": bytes, ".gz": gzip.compress}.get(suffix) or (
            lambda data: pyarrow.Codec("zstd").compress(data, asbytes=True)
        )
        path.write_bytes(b"".join(map(pack, parts)))  # several frames, as some tools write
        tokenize(path, tmp_path / f"out-{name}", model)
        assert documents(tmp_path / f"out-{name}") == expected(model, TEXTS)
    if suffix:
        whole = path.read_bytes()
        for data in (whole[:-5], whole[:3], bytes(4) + whole[4:]):
            path.write_bytes(data)
            with pytest.raises(ValueError, match=rf"texts\.json\{suffix} is damaged: "):
                tokenize(path, tmp_path / "damaged", model)


def test_texts_that_the_caller_has(tmp_path: Path, model: Model) -> None:
    rows = [*TEXTS[:2], TEXTS[2].encode(), *({"text": text, "id": 1} for text in TEXTS[3:])]
    for number, texts in enumerate((rows, tuple(rows), iter(rows))):
        done = tokenize(texts, tmp_path / f"{number}", model, texts=True)
        assert (done.documents, done.path) == (5, "texts")
        assert documents(tmp_path / f"{number}") == expected(model, TEXTS)
    for wrong, kind in (("text", "str"), ({"a"}, "set"), (5, "int"), (tmp_path, "PosixPath")):
        with pytest.raises(
            TypeError, match=f"paths must be an ordered iterable of texts, not {kind}"
        ):
            tokenize(wrong, tmp_path / "none", model, texts=True)
    with pytest.raises(
        ValueError, match=r"texts, document 2: must be an object with 'text', not int"
    ):
        tokenize(["a", 5], tmp_path / "none", model, texts=True)


def test_a_run_on_texts_goes_on_with_the_same(
    tmp_path: Path, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Any:
        yield from TEXTS[:3]
        raise OSError("the network is down")

    out, options = tmp_path / "out", {"texts": True, "shard_tokens": 1}
    with monkeypatch.context() as patched:
        patched.setattr(tokenizing, "_AT_ONCE", 1)
        with pytest.raises(OSError, match="the network is down"):
            tokenize(broken(), out, model, **options)
    assert documents(out) == expected(model, TEXTS[:3])
    for others in (["x", *TEXTS[1:]], TEXTS[:2], [*TEXTS[:2], "x"]):
        with pytest.raises(ValueError, match="paths must have the 3 texts first that a run has"):
            tokenize(others, out, model, **options)
    assert tokenize(iter(TEXTS), out, model, **options).documents == 5
    assert documents(out) == expected(model, TEXTS)
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(ValueError, match="another run: corpus was"):
        tokenize(tmp_path / "a.txt", out, model, shard_tokens=1)


@pytest.mark.parametrize(
    "text", ["How are you?", "see https://example.org/* [a]\n", "x" * 5000, ""]
)
def test_texts_are_not_paths(tmp_path: Path, model: Model, text: str) -> None:
    for paths in ([text, "Another one."], text):
        with pytest.raises((ValueError, OSError), match="texts must be True") as raised:
            tokenize(paths, tmp_path / "out", model)
        assert len(str(raised.value)) < 600
    with pytest.raises(
        (ValueError, OSError), match=r"must end in \.bin|No file matches|is not a URL"
    ):
        TokenStream([text], 8)


def test_a_pattern_of_token_files_leaves_out_their_indices(
    corpus: list[Path], tmp_path: Path, model: Model
) -> None:
    done = tokenize(corpus, tmp_path / "out", model)
    with pytest.raises(ValueError, match=r"progress\.json must end in \.bin"):
        TokenStream(tmp_path / "out/*", 8)
    (tmp_path / "out/progress.json").unlink()
    assert TokenStream(tmp_path / "out/*", 8).n_tokens == done.tokens


def test_what_is_refused_at_once(tmp_path: Path, model: Model) -> None:
    (tmp_path / "a.txt").write_text("x")
    os.mkfifo(tmp_path / "pipe.txt")
    folder = re.escape(f"{tmp_path} is a folder: pass a pattern such as {tmp_path}/*.jsonl")
    one, no_order = {"paths": tmp_path / "a.txt"}, "^paths must be .* ordered iterable, not "
    wrong: list[tuple[Any, type[Exception], str]] = [
        ({"paths": tmp_path / "none*.txt"}, FileNotFoundError, "none"),
        ({"paths": tmp_path}, ValueError, folder),
        ({"paths": tmp_path / "pipe.txt"}, ValueError, r"pipe\.txt: not a regular file"),
        ({"paths": {"a.txt"}}, TypeError, no_order),
        ({"paths": {"a.txt": 1}}, TypeError, no_order),
        ({"paths": io.StringIO("a.txt\n")}, TypeError, no_order),
        ({"paths": 5}, TypeError, no_order),
        ({"end": "<end>"}, ValueError, r"special token of the model \(<\|endoftext\|>\), not"),
        ({"model": None}, TypeError, "model must be a Model, not NoneType"),
        ({"backend": "numpy"}, ValueError, "backend must be one with a tokenizer, not 'numpy'"),
        ({"shard_tokens": 0}, ValueError, "shard_tokens must be at least 1"),
    ]
    for options, error, words in wrong:
        with pytest.raises(error, match=words):
            tokenize(**{**one, "out": tmp_path / "out", "model": model, **options})
        assert not list(tmp_path.glob("out/*"))


# Runs of `tokenize` into a folder that has shards, of a run that was interrupted or another.


class Stop(Exception):
    pass


def test_an_interrupted_run_goes_on(
    corpus: list[Path], tmp_path: Path, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever it stops, the shards are those of one run, and no complete one is written again."""
    monkeypatch.setattr(tokenizing, "_AT_ONCE", 0)  # a call for each document
    options: Any = {"shard_tokens": 30}
    tokenize(corpus, tmp_path / "whole", model, **options)
    whole = {path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()}
    assert len(whole) == 2 * 3 + 1
    for stop in range(1, 6):
        out = tmp_path / f"out{stop}"

        def report(progress: Any, stop: int = stop) -> None:
            if progress.documents == stop:
                raise Stop

        with pytest.raises(Stop):
            tokenize(corpus, out, model, progress=report, **options)
        before = {path: path.stat().st_mtime_ns for path in out.glob("*.bin")}
        done = tokenize(corpus, out, model, **options)
        assert {path.name: path.read_bytes() for path in out.iterdir()} == whole
        assert before == {path: path.stat().st_mtime_ns for path in before}
        assert done.documents == 5
        assert tokenize(corpus, out, model, **options) == done


def test_a_run_that_was_killed(corpus: list[Path], tmp_path: Path, model: Model) -> None:
    """What it leaves behind is removed."""
    out = tmp_path / "out"
    child = """
import os, signal, sys
from ffi_cookbook.data import tokenize
from ffi_cookbook.tokenizer import Model, save_tiktoken
ranks = {bytes([byte]): byte for byte in range(256)} | {b"th": 256, b"the": 257, b"an": 258}
model = Model.from_ranks(ranks, pattern="gpt2", special_tokens={"<|endoftext|>": 300})
tokenize(sys.argv[2:], sys.argv[1], model, progress=lambda _: os.kill(os.getpid(), signal.SIGKILL))
"""
    command = [sys.executable, "-P", "-c", child, str(out), *map(str, corpus)]
    assert subprocess.run(command, check=False).returncode == -9
    assert [name.endswith(".part") for name in os.listdir(out)] == [True]
    tokenize(corpus, out, model)
    assert sorted(os.listdir(out)) == ["00000.bin", "00000.idx", "progress.json"]
    assert documents(out) == expected(model, TEXTS)


def test_the_shards_of_another_run(corpus: list[Path], tmp_path: Path, model: Model) -> None:
    tokenize(corpus, tmp_path / "out", model)
    with pytest.raises(ValueError, match="out has the shards of another run: corpus was"):
        tokenize(corpus[:2], tmp_path / "out", model)
    with pytest.raises(ValueError, match="out has the shards of another run: end was"):
        tokenize(corpus, tmp_path / "out", model, end=None)
    strange = '{"done": {"shards": "1", "documents": 0, "tokens": 0, "path": ""}, '
    strange += '"place": {"file": -1, "documents": 0}}'
    for damaged in ("", "[]", '{"done": {}, "place": {}}', strange, strange.replace('"1"', "1")):
        (tmp_path / "out" / "progress.json").write_text(damaged)
        with pytest.raises(ValueError, match=r"progress\.json is damaged"):
            tokenize(corpus, tmp_path / "out", model)


def test_shards_that_are_gone_or_cut(corpus: list[Path], tmp_path: Path, model: Model) -> None:
    out, left = tmp_path / "out", tmp_path / "out" / ".progress.json.0123456789abcdef.part"
    tokenize(corpus, out, model, shard_tokens=1)
    left.touch()
    done = tokenize(corpus, out, model, shard_tokens=1)
    assert done.shards > 1
    assert not left.exists()
    with (out / "00001.bin").open("r+b") as file:
        file.truncate(2)
    with pytest.raises(ValueError, match=r"00001\.bin is not as it was written: it must have"):
        tokenize(corpus, out, model, shard_tokens=1)
    (out / "00000.bin").unlink()
    with pytest.raises(ValueError, match=r"00000\.bin is not as it was written: it must have"):
        tokenize(corpus, out, model, shard_tokens=1)


@pytest.mark.parametrize(
    ("changed", "what"),
    [(b"a" * 200_000, "corpus_bytes"), (b"b" + b"a" * 299_999, "corpus_crc32")],
)
def test_a_corpus_that_has_changed(tmp_path: Path, model: Model, changed: bytes, what: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"a" * 300_000)
    done = tokenize(path, tmp_path / "out", model)
    os.utime(path, (1, 1))  # a copy has another time
    assert tokenize(path, tmp_path / "out", model) == done
    path.write_bytes(changed)
    with pytest.raises(ValueError, match=f"the shards of another run: {what} was another"):
        tokenize(path, tmp_path / "out", model)
