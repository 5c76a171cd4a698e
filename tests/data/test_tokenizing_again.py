"""Runs of `tokenize` into a folder that has shards, of a run that was interrupted or another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ffi_cookbook.data import tokenize
from ffi_cookbook.data.tokens import tokenizing
from ffi_cookbook.tokenizer import Model
from support.small_corpus import TEXTS, documents, expected


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


def test_a_corpus_that_has_changed(tmp_path: Path, model: Model) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "x"}\n' * 3)
    tokenize(path, tmp_path / "out", model, shard_tokens=1)
    path.write_text('{"text": "x"}\n' * 2)
    with pytest.raises(ValueError, match="the shards of another run: corpus_bytes was another"):
        tokenize(path, tmp_path / "out", model, shard_tokens=1)


@pytest.mark.parametrize("at", [0, 300_000 - 1])
def test_a_corpus_that_has_changed_and_kept_its_size(tmp_path: Path, model: Model, at: int) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"a" * 300_000)
    done = tokenize(path, tmp_path / "out", model)
    os.utime(path, (1, 1))  # a copy has another time
    assert tokenize(path, tmp_path / "out", model) == done
    with path.open("r+b") as file:
        file.seek(at)
        file.write(b"b")
    with pytest.raises(ValueError, match="the shards of another run: corpus_crc32 was another"):
        tokenize(path, tmp_path / "out", model)
