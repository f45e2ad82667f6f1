#!/bin/sh
# Sets up what a command needs; does nothing, in a moment, when all is there.
# Prints nothing when it works. On a terminal a line names each step that takes time.
# A step that fails prints all that its command said (.cache/setup.log).
#
#   tools/setup.sh bench     compilers, cargo, a virtual environment, the simulator
#   tools/setup.sh test      the same, and what the tests and lints need
#   tools/setup.sh release   the same, and what compiles for other systems (400 MB)
#
# Missing programs come from the distribution's packages (apt-get) when this user may install;
# otherwise the packages are named in one line.
# Exit code 3: something is missing that could not be installed.
set -eu
cd "$(dirname "$0")/.."
mode=${1:-bench}

say() { [ ! -t 2 ] || echo "setup: $*" >&2; }
fail() { echo "setup: $*" >&2; exit 3; }
have() { command -v "$1" >/dev/null 2>&1; }

quietly() { "$@" > .cache/setup.log 2>&1 || { cat .cache/setup.log >&2; return 1; }; }

digest() { { sha256sum 2>/dev/null || shasum -a 256; } | cut -c1-16; }

# Whether a compiler ($1) finds one of its own files ($2).
finds() { have "$1" && [ -f "$("$1" -print-file-name="$2")" ]; }

# Prints the names of the packages whose programs are missing, on one line.
missing_packages() {
    {
        have arm-none-eabi-gcc || echo gcc-arm-none-eabi
        finds arm-none-eabi-gcc libc_nano.a || echo libnewlib-arm-none-eabi
        have cc || echo gcc libc6-dev
        { have python3 && python3 -c 'import ensurepip, venv' 2>/dev/null; } ||
            [ -x .venv/bin/python ] || echo python3 python3-venv
        have cargo || echo cargo
        ! have apt-get || [ -f /etc/ssl/certs/ca-certificates.crt ] || echo ca-certificates
        [ "$mode" = bench ] || missing_for_tests
    } | xargs
}

missing_for_tests() {
    have clang || echo clang
    have clang-19 || echo clang-19 # tests/cli/test_ct.py, test_ct_compilers.py
    have clang-22 || echo clang-22
    have ld.lld-19 || echo lld-19 # tests/cli/test_measure_others.py
    have g++ || echo g++ # amalgams and the library of Arduino, as C++ takes them
    have pkg-config || echo pkgconf
    have ctags || echo universal-ctags # tools/checks/house.py
    have cmake || echo cmake # tests/packages/test_cmake.py
    for library in libcrypto:libssl-dev libsodium:libsodium-dev libsecp256k1:libsecp256k1-dev; do
        pkg-config --exists "${library%:*}" 2>/dev/null || echo "${library#*:}"
    done
    runtime=libclang_rt.asan-$(uname -m).so # of the sanitizers; named by clang's version
    ! have clang || finds clang "$runtime" ||
        echo "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
    have valgrind || echo valgrind
    have chromium || have chromium-browser || echo chromium # tests/cli/test_report.py
    have openssl || echo openssl
    have gnutls-serv || echo gnutls-bin # tests/unit/tls
    have avr-gcc || echo gcc-avr # tests/lib/test_machines.py
    [ -f /usr/lib/avr/include/avr/io.h ] || echo avr-libc
    have simavr || echo simavr
    [ -f /usr/include/simavr/sim_avr.h ] || echo libsimavr-dev # tests/sim/test_avr.py
    have xtensa-lx106-elf-gcc || echo gcc-xtensa-lx106 # tests/board/test_esp8266.py
    finds xtensa-lx106-elf-gcc libc.a || echo picolibc-xtensa-lx106-elf
    have qemu-system-xtensa || echo qemu-system-misc
    have qemu-mips || echo qemu-user
    finds mips-linux-gnu-gcc libc.a || echo gcc-mips-linux-gnu libc6-dev-mips-cross
    finds s390x-linux-gnu-gcc libc.a || echo gcc-s390x-linux-gnu libc6-dev-s390x-cross
    have qemu-system-arm || echo qemu-system-arm
    have coap-client || have coap-client-notls || echo libcoap3-bin # tests/board/test_sensor.py
    [ -f /usr/include/openssl/ec.h ] || echo libssl-dev # what fuzz targets compare with
    [ -n "$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" ] ||
        echo postgresql # workshop/devices/pg_cluster.py
    have verilator || echo verilator # tests/sim/test_rtl.py
    have riscv64-unknown-elf-gcc || echo gcc-riscv64-unknown-elf
    finds riscv64-unknown-elf-gcc picolibc.specs || echo picolibc-riscv64-unknown-elf
}

install_packages() {
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086  # words: an empty prefix, several packages
    { quietly $root apt-get update -qq &&
        quietly $root apt-get install -y -qq --no-install-recommends $1; } ||
        fail "apt-get could not install: $1"
}

# What a package of Debian ($1) is called by dnf, pacman and brew ($2: 2, 3, 4).
called() {
    awk -v name="$1" -v column="$2" '
        $1 == name { found = $column }
        END { print found ? found : name }' <<END
gcc-arm-none-eabi arm-none-eabi-gcc-cs arm-none-eabi-gcc gcc-arm-embedded
libnewlib-arm-none-eabi arm-none-eabi-newlib arm-none-eabi-newlib gcc-arm-embedded
gcc gcc gcc llvm
libc6-dev glibc-devel glibc llvm
python3 python3 python python
python3-venv python3 python python
cargo cargo rust rust
END
}

# The command that installs the packages $* of Debian on this system, or their names.
installs() {
    column=2
    for command in "dnf install" "pacman -S" "brew install"; do
        if have "${command%% *}"; then
            echo "$command $(for name; do called "$name" $column; done | sort -u | xargs)"
            return
        fi
        column=$((column + 1))
    done
    echo "with this system's package manager; Debian calls them so"
}

packages() {
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086  # words: several packages
    have apt-get || fail "missing packages: $missing (install them: $(installs $missing))"
    if [ "$(id -u)" = 0 ]; then
        root=""
    elif have sudo && sudo -n true 2>/dev/null; then
        root="sudo -n"
    else
        fail "missing packages: $missing (for instance: apt-get install $missing)"
    fi
    for round in 1 2; do # what a compiler lacks shows when the compiler is there
        [ -n "$missing" ] || break
        say "installing packages, round $round: $missing"
        install_packages "$missing"
        missing=$(missing_packages)
    done
    [ -z "$missing" ] || fail "still missing after the installation: $missing"
}

# Where Python finds what lies beside the package: workshop, prove and tools; gen and ref; the boot
# loader's rig.
houses() {
    for folder in .venv/lib/python3*/site-packages; do
        [ ! -d "$folder" ] ||
            printf '%s\n' "$PWD" "$PWD/lib" "$PWD/examples/secure-boot" > "$folder/ecfit.pth"
    done
}

# The environment is made again when pyproject.toml changes;
# a stamp in it says for what it was made.
environment() {
    if [ ! -x .venv/bin/python ]; then
        python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
            fail "Python 3.11 or later is needed"
        say "making the virtual environment .venv"
        rm -rf .venv
        quietly python3 -m venv .venv ||
            fail "the virtual environment could not be made (package python3-venv)"
    fi
    extra="[page,post-quantum]"
    [ "$mode" != test ] || extra="[test]"
    [ "$mode" != release ] || extra="[test,release]"
    stamp=".venv/ecfit-$mode-$(digest < pyproject.toml)"
    [ -e "$stamp" ] && [ -x .venv/bin/ecfit ] && houses && return 0
    say "installing the Python packages of ecfit$extra into .venv"
    quietly .venv/bin/python -m pip install --quiet --disable-pip-version-check -e ".$extra" ||
        fail "the Python packages could not be installed: see above"
    houses
    touch "$stamp"
}

simulator() {
    make --question -C sim all >/dev/null 2>&1 || say "building the simulator, sim/libecsim.so"
    quietly make --silent --jobs="$(getconf _NPROCESSORS_ONLN || echo 1)" -C sim all ||
        fail "the simulator does not build: see above"
}

case $mode in
bench | test | release) ;;
*) echo "usage: tools/setup.sh bench|test|release" >&2; exit 2 ;;
esac
mkdir -p .cache build # what the pages write
if have flock && [ -z "${ECFIT_SETUP_LOCKED:-}" ]; then # two at once would trip over each other
    ECFIT_SETUP_LOCKED=1 exec flock .cache/setup.lock "$0" "$mode"
fi
packages
environment
simulator
