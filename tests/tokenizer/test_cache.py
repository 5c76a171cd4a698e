"""Models on disk and in pickles: they are found again, checked, and never required."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from ffi_cookbook import wire
from ffi_cookbook.tokenizer import Model, cache, formats
from support.rank_files import BYTES, EOT, Formats, RankFile, tiktoken_file


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a cache folder that no other test has written to."""
    monkeypatch.setenv("COOKBOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def no_building(*arguments: object) -> None:
    raise AssertionError("the model was built again")


def test_a_second_load_reads_the_first(
    every_format: Formats, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = every_format.tiktoken()
    first = Model.load(path, pattern="gpt2")
    assert [file.suffix for file in own_cache.iterdir()] == [".ckbpe"]
    monkeypatch.setattr(formats, "build", no_building)
    assert Model.load(path, pattern="p50k").blob.tobytes() == first.blob.tobytes()
    for other in ({"pattern": "o200k"}, {"pattern": "gpt2", "special_tokens": {EOT: 9999}}):
        with pytest.raises(AssertionError):
            Model.load(path, **other)


def test_a_file_that_did_not_change_is_not_read_again(
    every_format: Formats, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = every_format.tiktoken()
    monkeypatch.setattr(cache, "SETTLED", -(10**9))
    first = Model.load(path, pattern="gpt2")
    assert sorted(file.suffix for file in own_cache.iterdir()) == [".ckbpe", ".key"]
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", no_building)
        again = Model.load(path, pattern="gpt2")
        assert (again.sha256, again.blob.tobytes()) == (first.sha256, first.blob.tobytes())
        with pytest.raises(AssertionError):
            Model.load(path, pattern="o200k")
    (known,) = own_cache.glob("*.key")
    known.write_text("no key")
    assert Model.load(path, pattern="gpt2").sha256 == first.sha256
    was = path.stat()
    lines = path.read_text().splitlines(keepends=True)
    swapped = lines[-1].split()[0], lines[-2].split()[0]
    tail = [f"{swapped[0]} {len(lines) - 2}\n", f"{swapped[1]} {len(lines) - 1}\n"]
    path.write_text("".join([*lines[:-2], *tail]))
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert path.stat().st_size == was.st_size
    assert Model.load(path, pattern="gpt2").sha256 != first.sha256


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut short": lambda data: data[:100],
    "without its end": lambda data: data[:-8],
    "a bit flipped": lambda data: data[:5000] + bytes([data[5000] ^ 1]) + data[5001:],
    "a bit of the end flipped": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "words swapped": lambda data: data[:4096] + data[4104:4112] + data[4096:4104] + data[4112:],
    "pages swapped": lambda data: data[:4096] + data[8192:12288] + data[4096:8192] + data[12288:],
    "longer": lambda data: data + bytes(8),
    "zeros": lambda data: bytes(len(data)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_cache_file_is_built_anew(
    every_format: Formats, own_cache: Path, damage: str
) -> None:
    path = every_format.tiktoken()
    good = Model.load(path, pattern="gpt2").blob.tobytes()
    (file,) = own_cache.iterdir()
    whole = file.read_bytes()
    file.write_bytes(DAMAGES[damage](whole))
    assert Model.load(path, pattern="gpt2").blob.tobytes() == good
    assert file.read_bytes() == whole


def test_the_file_of_another_model_is_not_taken(every_format: Formats, own_cache: Path) -> None:
    path = every_format.tiktoken()
    models = [Model.load(path, pattern=name) for name in ("gpt2", "o200k")]
    files = [own_cache / f"{model.sha256}.ckbpe" for model in models]
    files[0].write_bytes(files[1].read_bytes())
    assert Model.load(path, pattern="gpt2").blob.tobytes() == models[0].blob.tobytes()


def test_without_a_cache(
    every_format: Formats, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = every_format.tiktoken()
    for folder in ("", str(path / "below a file")):
        monkeypatch.setenv("COOKBOOK_CACHE", folder)
        assert Model.load(path, pattern="gpt2").ranks == every_format.ranks
    assert not own_cache.exists()
    monkeypatch.delenv("COOKBOOK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "elsewhere")
    folder_now = cache.folder()
    assert folder_now is not None
    assert folder_now.name == "ffi-cookbook"


def test_a_pickle_is_small_and_comes_back(rank_file: RankFile) -> None:
    model = rank_file.load()
    pickled = pickle.dumps(model)
    assert len(pickled) < 1024
    again = pickle.loads(pickled)
    assert again.sha256 == model.sha256
    assert again.blob.tobytes() == model.blob.tobytes()
    assert again.special_names == model.special_names


def test_a_pickle_notices_another_file(every_format: Formats) -> None:
    path = every_format.tiktoken()
    pickled = pickle.dumps(Model.load(path, pattern="gpt2"))
    path.write_text(tiktoken_file(BYTES))
    with pytest.raises(ValueError, match="changed since"):
        pickle.loads(pickled)


def test_a_model_survives_its_cache_file(every_format: Formats, own_cache: Path) -> None:
    """Another program overwrites or truncates the file, but the model has a copy in memory."""
    path = every_format.tiktoken()
    good = Model.load(path, pattern="gpt2").blob.tobytes()
    (file,) = own_cache.iterdir()
    again = Model.load(path, pattern="gpt2")
    with open(file, "r+b") as opened:
        opened.write(bytes(4096))
        assert again.blob.tobytes() == good
        opened.truncate(4096)
    file.unlink()
    assert again.blob.tobytes() == good
    with pytest.raises(ValueError, match="WRITEABLE"):
        again.blob.flags.writeable = True


@pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are POSIX's")
@pytest.mark.parametrize("what", ["folder", "file", "link", "fifo", "owner"])
def test_what_others_could_have_written_is_not_taken(
    every_format: Formats, own_cache: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """A forged file with a correct checksum would give other ids under the true SHA-256."""
    path = every_format.tiktoken()
    good = Model.load(path, pattern="gpt2")
    (file,) = own_cache.iterdir()
    assert (own_cache.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
    forged = Model.from_ranks({bytes([i]): 255 - i for i in range(256)}, pattern="gpt2").blob
    file.write_bytes(forged.tobytes() + cache._seal(forged, good.sha256))
    assert Model.load(path, pattern="gpt2").blob.tobytes() == forged.tobytes()  # we own it
    if what == "folder":
        own_cache.chmod(0o777)
    elif what == "file":
        file.chmod(0o666)
    elif what == "link":
        file.rename(other := own_cache / "other")
        file.symlink_to(other)
    elif what == "fifo":
        file.unlink()
        os.mkfifo(file)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    refused = what in ("folder", "owner")
    with pytest.warns(RuntimeWarning, match="not cached") if refused else nullcontext():
        assert Model.load(path, pattern="gpt2").blob.tobytes() == good.blob.tobytes()


def test_a_relative_folder_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path would be another folder wherever a program is started."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COOKBOOK_CACHE", "cache")
    with pytest.warns(RuntimeWarning, match="relative"):
        assert cache.folder() is None
    monkeypatch.delenv("COOKBOOK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "elsewhere")
    monkeypatch.setenv("HOME", str(tmp_path))
    if sys.platform == "linux":
        assert cache.folder() == tmp_path / ".cache" / "ffi-cookbook"


def test_a_cached_model_is_found_with_and_without_the_c_library(
    every_format: Formats, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = every_format.tiktoken()
    good = Model.load(path, pattern="gpt2").blob.tobytes()
    monkeypatch.setattr(formats, "build", no_building)
    monkeypatch.setattr(wire, "_library", lambda: None)
    assert Model.load(path, pattern="gpt2").blob.tobytes() == good
