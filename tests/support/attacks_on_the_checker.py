"""Code that tries to make the checker accept a wrong solution or reject a right one.

An attack runs when the solution is loaded. It is added to our solution, which would pass without
it, so that the attack alone decides.
"""

from __future__ import annotations

from ffi_cookbook_lessons.catalogue import CHAPTERS, Exercise

READ = CHAPTERS.parent / "rules.toml"

C = {
    "ends the process": "_exit(0);",
    "sleeps for ever": "for (;;) pause();",
    "forks": "fork();",
    "starts a program": 'execl("/bin/true", "true", (char *)0);',
    "opens a socket": "socket(2, 1, 0);",
    "kills the checker": "kill(getppid(), 15);",
    "fills the disk": 'FILE *f = fopen("big", "w"); for (;;) putc(0, f);',
    "fills the output": 'for (;;) puts("status: pass");',
    "reads the checker's memory": 'char path[64]; snprintf(path, 64, "/proc/%d/mem", getppid()); '
    'fclose(fopen(path, "r"));',
    "answers itself": 'for (int i = 3; i < 64; i++) (void)!write(i, "\\2\\0\\0\\0{}", 6);',
    "reads the checker": f'fclose(fopen("{READ}", "r"));',
}

PYTHON = {
    "ends the process": "import os; os._exit(0)",
    "leaves by SystemExit": "raise SystemExit(0)",
    "sleeps for ever": "import time\nwhile True: time.sleep(1)",
    "forks": "import os; os.fork()",
    "starts a program": "import os; os.execv('/bin/true', ['true'])",
    "opens a socket": "import socket; socket.socket()",
    "fills the disk": "with open('big', 'wb') as f:\n while True: f.write(bytes(1 << 20))",
    "fills the output": "while True: print('status: pass')",
    "answers itself": "import os\nfor i in range(3, 64):\n"
    " try: os.write(i, b'\\2\\0\\0\\0{}')\n except OSError: pass",
    "reads the checker": f"open({str(READ)!r})",
    "reads the checker's memory": "import os; open(f'/proc/{os.getppid()}/mem', 'rb')",
}

RUST = {
    "ends the process": "std::process::exit(0)",
    "aborts": "std::process::abort()",
    "sleeps for ever": "loop { std::thread::park() }",
    "computes for ever": "let mut n = 1u32; while n != 0 { n = std::hint::black_box(n | 1) }",
    "starts a program": 'let _ = std::process::Command::new("true").spawn();',
    "opens a socket": 'let _ = std::net::UdpSocket::bind("127.0.0.1:0");',
    "kills the checker": 'unsafe extern "C" { fn getppid() -> i32; fn kill(pid: i32, signal: i32) '
    "-> i32; } unsafe { kill(getppid(), 15); }",
    "fills the disk": 'std::fs::write("big", vec![0u8; 1 << 22]).unwrap()',
    "fills the output": 'loop { println!("status: pass") }',
    "fills the memory": "let mut all = Vec::new(); loop { all.push(vec![1u8; 1 << 26]) }",
    "answers itself": 'unsafe extern "C" { fn write(file: i32, data: *const u8, n: usize) '
    "-> isize; } "
    'for file in 3..64 { unsafe { write(file, b"\\x02\\0\\0\\0{}".as_ptr(), 6); } }',
    "reads the checker": f'std::fs::read("{READ}").unwrap();',
}


INCLUDE = {
    ".c": '#include "{}"',
    ".cpp": '#include "{}"',
    ".cu": '#include "{}"',
    ".rs": 'include!("{}");',
    ".pyx": 'include "{}"',
    ".py": "exec(open('{}').read())",
}


def attacked(exercise: Exercise) -> list[tuple[str, str]]:
    """Return the names and texts of attacks on an exercise."""
    text, kind = exercise.solution, exercise.kind
    taken = INCLUDE[exercise.source.suffix].format(exercise.source)
    added = _added(kind, text)
    if exercise.about.get("forks"):
        added = [attack for attack in added if attack[0] != "forks"]
    return [("takes our solution", taken), *added]


def _added(kind: str, text: str) -> list[tuple[str, str]]:
    if kind in ("python", "cffi_api", "cython"):
        return [(name, f"{text}\n\n{code}\n") for name, code in PYTHON.items()]
    if kind in ("rust", "pyo3"):
        return [(name, f"{text}\n{_rust(code)}") for name, code in RUST.items()]
    head = "#include <signal.h>\n#include <stdio.h>\n#include <sys/socket.h>\n#include <unistd.h>\n"
    start = "__attribute__((constructor)) static void attack(void)"
    return [(name, f"{text}\n{head}{start} {{ {code} }}\n") for name, code in C.items()]


def _rust(code: str) -> str:
    """Return Rust that runs the code when the library is loaded."""
    return (
        '#[used]\n#[unsafe(link_section = ".init_array")]\n'
        'static ATTACK: extern "C" fn() = attack;\n'
        f'extern "C" fn attack() {{ {code} }}\n'
    )
