"""The limits of time, threads, processes and memory, and what a submission may compile."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path

import pytest

from ffi_cookbook_lessons.building.job import LONGEST_OUTPUT, Job, run
from ffi_cookbook_lessons.catalogue import Exercise, find
from ffi_cookbook_lessons.grading import LONGEST_FILE, grade, steers_sanitizer
from ffi_cookbook_lessons.process import MOST_TASKS, Child, Died, Limits, Place
from ffi_cookbook_lessons.verdict import Verdict

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits are read from /proc")
ADD = find("c_api/add")
FORK = find("patterns/fork")
INDEX = find("ctypes_and_cffi/index")
LOADED = "__attribute__((constructor)) static void at_start(void)"


def graded(exercise: Exercise, folder: Path, code: str, limits: Limits | None = None) -> Verdict:
    """Return the verdict on our solution with code that runs when it is loaded."""
    path = folder / exercise.file
    path.write_text(f"{exercise.solution}\n\n{code}\n", "utf-8")
    return grade(exercise, path, limits)


def rule(verdict: Verdict) -> str:
    """Return the rule that was broken, or nothing."""
    return verdict.finding.rule if verdict.finding else ""


def test_waiting_threads_stretch_no_limit(tmp_path: Path) -> None:
    """Threads that are woken together wait for a processor, and the first one sleeps."""
    code = f"""#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long turn;
static void *work(void *unused) {{
  pthread_mutex_lock(&lock);
  for (long seen = 0;; seen = turn) {{
    while (turn == seen)
      pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    for (volatile int i = 0; i < 3000; i++) {{}}
    pthread_mutex_lock(&lock);
  }}
  return unused;
}}
{LOADED} {{
  for (int i = 0; i < 300; i++)
    pthread_create(&(pthread_t){{0}}, NULL, work, NULL);
  for (int i = 0; i < 80; i++, usleep(100000)) {{
    pthread_mutex_lock(&lock);
    turn++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }}
}}"""
    assert rule(graded(ADD, tmp_path, code, Limits(seconds=1))) == "too-long"


def test_children_stretch_no_limit(tmp_path: Path) -> None:
    code = """import time
end = time.monotonic() + 9
for _ in range(8):
    if os.fork() == 0:
        while time.monotonic() < end:
            pass
        os._exit(0)
while time.monotonic() < end:
    pass"""
    assert rule(graded(FORK, tmp_path, code, Limits(seconds=1))) == "too-long"


def test_the_time_of_all_cases_is_limited(tmp_path: Path) -> None:
    code = "_index = index_records\n\n\ndef index_records(*args, **kwargs):\n"
    code += "    import time\n    time.sleep(0.04)\n    return _index(*args, **kwargs)\n"
    assert rule(graded(INDEX, tmp_path, code, Limits(seconds=60, processor=1))) == "too-long"


def test_threads_are_limited(tmp_path: Path) -> None:
    code = "import threading\nthreading.stack_size(1 << 16)\nfor _ in range(MOST):\n"
    code += "    threading.Thread(target=threading.Event().wait, args=(2,), daemon=True).start()\n"
    code += "threading.Event().wait(1)"
    finding = graded(INDEX, tmp_path, code.replace("MOST", str(MOST_TASKS))).finding
    assert finding is not None
    assert finding.rule == "forbidden-call"
    assert f"more than {MOST_TASKS} threads" in finding.message


@pytest.mark.parametrize(
    ("children", "work", "broken"),
    [(600, "pass", "forbidden-call"), (4, "x = b'x' * (300 << 20)", "too-much-memory")],
)
def test_children_are_limited_together(
    children: int, work: str, broken: str, tmp_path: Path
) -> None:
    code = f"""import time
for _ in range({children}):
    if os.fork() == 0:
        {work}
        time.sleep(3)
        os._exit(0)
time.sleep(3)"""
    limits = Limits(memory=1 << 30 if broken == "too-much-memory" else 1 << 40)
    assert rule(graded(FORK, tmp_path, code, limits)) == broken


def test_a_process_that_reads_no_request_stops_nobody(tmp_path: Path) -> None:
    code = "import os, sys, time\nos.write(int(sys.argv[2]), b'\\2\\0\\0\\0{}')\ntime.sleep(60)"
    (tmp_path / "exercise.py").write_text(code)
    with Child(Place(tmp_path, limits=Limits(seconds=1))) as child:
        child.start()
        with pytest.raises(Died) as died:
            child.ask({"call": "f", "arguments": "x" * (1 << 20)})
    assert died.value.how == "time"


def test_a_signal_without_a_name_is_a_crash(tmp_path: Path) -> None:
    verdict = graded(INDEX, tmp_path, "import os\nos.kill(os.getpid(), 40)")
    assert rule(verdict) == "crashed"


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/urandom", "/proc/self/environ", "/dev/stdout"])
def test_a_compiler_opens_no_special_file(path: str, tmp_path: Path) -> None:
    verdict = graded(ADD, tmp_path, f'#include "{path}"')
    assert rule(verdict) == "does-not-compile"
    assert verdict.finding is not None
    assert path in verdict.finding.message


def test_a_compiler_reads_no_home_and_none_of_our_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, packages = tmp_path / "home", tmp_path / "site-packages"
    for path in (home / "bin", packages / "ffi_cookbook_torch", packages / "another"):
        path.mkdir(parents=True)
    (home / "bin" / "cc").symlink_to("/usr/bin/cc")
    secrets = [home / "secret.h", packages / "ffi_cookbook_torch" / "ours.h"]
    plain = packages / "another" / "plain.h"
    for path in (*secrets, plain, secrets[1].with_name("__init__.py")):
        path.touch()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{home / 'bin'}:{os.environ['PATH']}")
    monkeypatch.syspath_prepend(packages)
    for path in secrets:
        verdict = graded(ADD, tmp_path, f'#include "{path}"')
        assert rule(verdict) == "does-not-compile", path
    verdict = graded(ADD, tmp_path, f'#include "{plain}"')
    assert rule(verdict) != "does-not-compile", verdict.finding


def job(folder: Path) -> Job:
    """Return a job in a folder."""
    return Job(folder / "exercise.c", (), folder, False)


def test_a_compiler_has_limits_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "x")
    code = "import os, resource as r; assert 'SECRET' not in os.environ\n"
    code += "print(r.getrlimit(r.RLIMIT_AS)[0], r.getrlimit(r.RLIMIT_CPU)[0], os.environ['HOME'])"
    printed = run(job(tmp_path), sys.executable, "-c", code).split()
    assert printed == [str(3 << 30), "60", str(tmp_path)]


def test_what_a_compiler_starts_ends_with_it(tmp_path: Path) -> None:
    process = int(run(job(tmp_path), "sh", "-c", "sleep 300 >&- 2>&- & echo $!"))
    for _ in range(200):  # until the signal has been delivered
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if Path(f"/proc/{process}/stat").read_text("ascii").split()[2] != "Z":
                time.sleep(0.01)
                continue
        return
    raise AssertionError("it still runs")


def test_what_a_compiler_prints_is_limited(tmp_path: Path) -> None:
    printed = run(job(tmp_path), "sh", "-c", "yes | head -c 10000000")
    assert len(printed) == LONGEST_OUTPUT


def test_a_long_word_is_searched_in_linear_time() -> None:
    assert steers_sanitizer("a" * LONGEST_FILE) is None


@pytest.mark.parametrize("text", ["-" * 200_000 + "1", "a" + ".b" * 100_000])
def test_what_python_cannot_parse_does_not_compile(text: str, tmp_path: Path) -> None:
    assert rule(graded(INDEX, tmp_path, text)) == "does-not-compile"
