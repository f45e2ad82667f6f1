"""Other users of this machine: what they can write is neither loaded, nor measured, nor followed.

As root, what belongs to another user is made with chown; other users skip these tests.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from ecfit.model import Image, Segment
from ecfit.paths import ROOT
from ecfit_lab.message.algorithms import ALGORITHMS
from workshop.cli.run import ADAPTER, PEER, Ecfit

ANOTHER = 65534  # nobody
QUICK = ("bench", "--target", "samd20", "--preset", "tiny", "--op", "verify", "--quiet")
MICRO = ("size", "--lib", "micro-ecc", "--op", "verify", "--target", "samd20", "--quiet")


def give_away(*paths: Path) -> None:
    """Makes paths another user's, links themselves among them."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a file to another user")
    for path in paths:
        os.chown(path, ANOTHER, ANOTHER, follow_symlinks=False)


def opened(path: Path, mode: int = 0o777) -> Path:
    """A folder of that mode, whatever the umask says."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(mode)
    return path


STUBS = "\n".join(
    f"int ecfit_{one.curve}_{'ecdsa_verify' if one.hash else 'verify'}(void) {{ return 0; }}"
    for one in ALGORITHMS
)
LOADS = """
import sys
from ecfit_lab.gateway import library
from ecfit_lab.message.algorithms import Key
from ecfit.oracle.keygen import generate
from ecfit.choices.curves import CURVES
verify = library.load()
for curve in sys.argv[1:]:
    key = Key(curve, generate(CURVES[curve]).public)
    assert verify.takes(key)
    print(curve, verify(key, b"forged", b"\\1" * key.algorithm.signature_bytes))
"""


def test_a_poisoned_verifier_is_not_loaded(tmp_path: Path) -> None:
    """Whatever the first start has left in the cache, and who may write there, the second start
    accepts no forgery and runs no code of another.
    """
    ran, source, stub = tmp_path / "ran", tmp_path / "stub.c", tmp_path / "stub.so"
    told = f'__attribute__((constructor)) static void run(void) {{ creat("{ran}", 0666); }}'
    source.write_text(f"#include <fcntl.h>\n{told}\n{STUBS}\n", encoding="utf-8")
    subprocess.run(["gcc", "-shared", "-fPIC", "-w", source, "-o", stub], check=True)
    cache = opened(tmp_path / "cache", 0o700)
    environment = {**os.environ, "ECFIT_CACHE": str(cache), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", LOADS, "secp256r1", "ed25519"]

    def start() -> str:
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout

    refused = "secp256r1 False\ned25519 False\n"
    assert start() == refused
    for path in (path for path in cache.rglob("*") if path.is_file()):
        data = path.read_bytes()
        if path.parent.name == "images":
            image = msgspec.structs.replace(
                msgspec.msgpack.decode(data[32:], type=Image),
                segments=(Segment(0, stub.read_bytes()),),
            )
            payload = msgspec.msgpack.encode(image)
            path.write_bytes(hashlib.sha256(payload).digest() + payload)
        elif data[:4] == b"\x7fELF":
            path.write_bytes(stub.read_bytes())
    assert start() == refused
    assert not ran.exists()
    assert not list(tmp_path.glob("ecfit-*"))


def shared_itself(cache: Path) -> Path:
    opened(cache)
    return cache


def shared_parent(cache: Path) -> Path:
    opened(cache, 0o700)
    return opened(cache.parent)


def shared_room(cache: Path) -> Path:
    opened(cache, 0o700)
    return opened(cache / "images")


def of_a_group(cache: Path) -> Path:
    opened(cache, 0o770)
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to another group")
    os.chown(cache, 0, ANOTHER)
    return cache


def of_another(cache: Path) -> Path:
    opened(cache, 0o700)
    give_away(cache)
    return cache


def room_of_another(cache: Path) -> Path:
    opened(cache, 0o700)
    give_away(opened(cache / "measurements", 0o700))
    return cache / "measurements"


def linked_room(cache: Path) -> Path:
    opened(cache, 0o700)
    (cache / "packages").symlink_to(opened(cache.parent / "elsewhere", 0o700))
    return cache / "packages"


def link_of_another(cache: Path) -> Path:
    opened(cache.parent / "mine", 0o700)
    cache.symlink_to("mine")
    give_away(cache)
    return cache


@pytest.mark.parametrize(
    "share",
    [
        shared_itself, shared_parent, shared_room, of_a_group, of_another, room_of_another,
        linked_room, link_of_another,
    ],
)  # fmt: skip
def test_a_cache_that_others_can_write_is_refused(
    ecfit: Ecfit, tmp_path: Path, share: Callable[[Path], Path]
) -> None:
    """One line says which folder, and how to mend it; nothing is written there."""
    blamed = share(tmp_path / "deep" / "cache")
    before = sorted((tmp_path / "deep").rglob("*"))
    done = ecfit(*QUICK, env={"ECFIT_CACHE": str(tmp_path / "deep" / "cache")})
    assert done.code == 2, done.err
    assert f"{blamed}" in done.error
    assert any(word in done.error for word in ("chmod", "chown", "rm "))
    assert sorted((tmp_path / "deep").rglob("*")) == before


def test_mending_as_the_line_says_is_enough(ecfit: Ecfit, tmp_path: Path) -> None:
    cache = opened(tmp_path / "cache")
    environment = {"ECFIT_CACHE": str(cache)}
    assert f"chmod -R go-w {cache}" in ecfit(*QUICK, env=environment).error
    subprocess.run(["chmod", "-R", "go-w", cache], check=True)
    assert ecfit(*QUICK, env=environment).code == 0


def test_a_folder_below_a_sticky_one_is_good(ecfit: Ecfit, tmp_path: Path) -> None:
    """As /tmp: others can write there, and not rename what is ours."""
    sticky = opened(tmp_path / "sticky", 0o1777)
    assert ecfit(*QUICK, env={"ECFIT_CACHE": str(sticky / "cache")}).code == 0
    assert (sticky / "cache").stat().st_mode & 0o777 == 0o755
    done = ecfit(*QUICK, env={"ECFIT_CACHE": str(sticky)})  # but not itself, and it is left alone
    assert done.code == 2
    assert "name a folder in it, or set ECFIT_CACHE" in done.error


def test_an_entry_of_another_counts_as_absent(ecfit: Ecfit, tmp_path: Path) -> None:
    """It was planted while the folder was open to all, and stays there when that is mended."""
    environment = {"ECFIT_CACHE": str(opened(tmp_path / "cache", 0o700))}
    first = ecfit(*QUICK, "--format", "json", env=environment)
    (kept,) = (tmp_path / "cache" / "measurements").iterdir()
    payload = kept.read_bytes()[32:].replace(b"\xa2ok", b"\xa2no")
    kept.write_bytes(hashlib.sha256(payload).digest() + payload)
    assert ecfit(*QUICK, "--format", "json", env=environment).out != first.out
    kept.chmod(0o666)
    assert ecfit(*QUICK, "--format", "json", env=environment).out == first.out
    kept.write_bytes(hashlib.sha256(payload).digest() + payload)
    give_away(kept)
    assert ecfit(*QUICK, "--format", "json", env=environment).out == first.out
    assert kept.stat().st_uid == os.geteuid()


def edited(path: Path) -> None:
    """Verification returns 1; size and time of the file are as they were."""
    text, times = path.read_text(encoding="utf-8"), path.stat()
    right = "return (int)(uECC_vli_equal(rx, r, num_words));"
    assert text.count(right) == 1
    path.write_text(text.replace(right, "return 1;".ljust(len(right))), encoding="utf-8")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert path.stat().st_size == times.st_size


def added(path: Path) -> None:
    """A header that is looked for in this folder first."""
    (path.parent / "stdint.h").write_text("#include_next <stdint.h>\n", encoding="utf-8")


def linked(path: Path) -> None:
    path.rename(path.parent.parent / "moved.c")
    path.symlink_to("../moved.c")


@pytest.mark.parametrize("change", [edited, added, linked, Path.unlink])
def test_a_peer_that_was_changed_in_the_cache_is_not_measured(
    ecfit: Ecfit, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    """Neither built, nor answered from what is kept, and what was changed is not thrown away."""
    cache = tmp_path / "cache"
    environment = {"ECFIT_CACHE": str(cache)}
    assert ecfit(*MICRO, env=environment).code == 0
    (source,) = cache.rglob("uECC.c")
    change(source)
    for option in ((), ("--no-cache",)):
        done = ecfit(*MICRO, *option, "--format", "json", env=environment)
        assert done.code == 3
        (row,) = msgspec.json.decode(done.out)
        assert row["status"] == "package hash mismatch"
        assert f"{source.parent}".startswith(row["detail"].partition("remove ")[2].split(",")[0])
        assert "package unpacked" not in done.err
    folder = next((cache / "packages").iterdir())
    subprocess.run(["rm", "-r", folder], check=True)
    assert ecfit(*MICRO, env=environment).code == 0


def test_a_peer_unpacked_by_an_old_version_is_unpacked_again(ecfit: Ecfit, tmp_path: Path) -> None:
    """It has no list of what is in it; a damaged list is none."""
    cache = tmp_path / "cache"
    environment = {"ECFIT_CACHE": str(cache)}
    assert ecfit(*MICRO, env=environment).code == 0
    (source,) = cache.rglob("uECC.c")
    whole = source.read_text(encoding="utf-8")
    (mark,) = cache.rglob(".complete")
    for text in (b"", b"[", mark.read_bytes()[:-9]):
        source.write_text("#error", encoding="utf-8")
        mark.write_bytes(text)
        assert ecfit(*MICRO, "--no-cache", env=environment).code == 0
        assert source.read_text(encoding="utf-8") == whole


def made_peer(folder: Path) -> str:
    """A peer whose code is elsewhere: in a folder beside it, behind a link, in a header."""
    for name in ("mine", "beside", "linked", "headers"):
        (folder / name).mkdir()
    more = '[build]\nsources = ["../beside/a.c", "behind/b.c"]\ninclude = ["../headers"]'
    texts = {
        "mine/peer.toml": PEER.format(more=more),
        "mine/adapter.c": ADAPTER.format(
            head="int a(void);\nint b(void);", body="out[0] = in[0]; return a() + b();"
        ),
        "beside/a.c": '#include "size.h"\nint a(void) { return SIZE; }\n',
        "linked/b.c": "int b(void) { return 1; }\n",
        "headers/size.h": "#define SIZE 1\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "mine" / "behind").symlink_to("../linked")
    return f"mine={folder / 'mine'}"


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("beside/a.c", "SIZE; ", "77777;"),
        ("headers/size.h", "1\n", "77777\n"),
        ("linked/b.c", "return 1;", "return 77777;"),
    ],
)
def test_an_edit_of_a_peer_of_ones_own_is_noticed(
    ecfit: Ecfit, tmp_path: Path, name: str, old: str, new: str
) -> None:
    """Wherever the file is that is compiled: the figures of the second run are the new ones."""
    peer = made_peer(tmp_path)
    asked = ("size", "--lib", "mine", "--peer-dir", peer, "--op", "ecdh", "--target", "samd20")

    def flash() -> int:
        done = ecfit(*asked, "--quiet", "--format", "json")
        assert done.code == 0, done.err
        (row,) = msgspec.json.decode(done.out)
        assert row["library"] == "mine"
        return int(row["flash_bytes"])

    before, path = flash(), tmp_path / name
    times, text = path.stat(), path.read_text(encoding="utf-8")
    path.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert flash() > before


def test_a_peer_of_ones_own_has_a_name_of_its_own(ecfit: Ecfit, tmp_path: Path) -> None:
    """Rows called micro-ecc are of the package that the repository pins."""
    for name, known in (
        ("micro-ecc", ROOT / "peers" / "micro-ecc"),
        ("c25519", ROOT / "peers" / "outside" / "c25519"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        for file in ("peer.toml", "adapter.c"):
            (folder / file).write_bytes((known / file).read_bytes())
        arguments = ("list", "libs", name, "--peer-dir", f"{name}={folder}")
        assert ecfit(*arguments).code == 0  # a copy
        with (folder / "adapter.c").open("a", encoding="utf-8") as adapter:
            adapter.write("/* mine */\n")
        done = ecfit(*arguments)
        assert done.code == 2
        assert f"--peer-dir: the name '{name}' is taken" in done.error


def planted_file(folder: Path) -> Path:
    """A link that another user has put where the output is to be."""
    (folder / "out").symlink_to("../home/precious")
    give_away(folder / "out")
    return folder / "out"


def planted_folder(folder: Path) -> Path:
    (folder / "results").symlink_to("../home")
    give_away(folder / "results")
    return folder / "results" / "precious"


def planted_far(folder: Path) -> Path:
    """A link of ours that leads by way of another's."""
    (folder / "theirs").symlink_to("../home")
    (folder.parent / "mine").symlink_to("open/theirs/precious")
    give_away(folder / "theirs")
    return folder.parent / "mine"


def planted_new(folder: Path) -> Path:
    """A link to what is not there yet."""
    (folder / "out").symlink_to("../home/new")
    give_away(folder / "out")
    return folder / "out"


@pytest.mark.parametrize("plant", [planted_file, planted_folder, planted_far, planted_new])
def test_an_output_does_not_follow_a_link_of_another(
    ecfit: Ecfit, tmp_path: Path, plant: Callable[[Path], Path]
) -> None:
    home, folder = opened(tmp_path / "home", 0o700), opened(tmp_path / "open", 0o1777)
    (home / "precious").write_text("as it was", encoding="utf-8")
    output = plant(folder)
    for command in (("list", "targets", "samd20", "--format", "json"), ("keys", "--force")):
        if command[0] == "keys" and plant is not planted_folder:
            continue  # keys never follow the last link
        done = ecfit(*command, "-o", str(output))
        assert done.code == 2, done.err
        assert "another user's" in done.error
    assert [path.name for path in home.iterdir()] == ["precious"]
    assert (home / "precious").read_text(encoding="utf-8") == "as it was"


@pytest.mark.parametrize("command", ["config", "amalgamate"])
def test_a_folder_of_outputs_does_not_either(ecfit: Ecfit, tmp_path: Path, command: str) -> None:
    home, folder = opened(tmp_path / "home", 0o700), opened(tmp_path / "open", 0o1777)
    (folder / "build").symlink_to("../home")
    give_away(folder / "build")
    asked = (command, "--target", "samd20", "--op", "verify", "--preset", "tiny")
    done = ecfit(*asked, "-o", str(folder / "build"))
    assert done.code == 2, done.err
    assert "another user's" in done.error
    (folder / "build").unlink()
    opened(folder / "build", 0o700)
    (folder / "build" / "ecfit_config.h").symlink_to("../../home/precious")
    give_away(folder / "build" / "ecfit_config.h")
    assert ecfit(*asked, "-o", str(folder / "build")).code == 2
    assert not list(home.iterdir())


def test_links_of_ones_own_are_followed(ecfit: Ecfit, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "link").symlink_to("results")
    assert ecfit("list", "targets", "samd20", "-o", str(tmp_path / "link" / "a.txt")).code == 0
    (tmp_path / "b.txt").symlink_to("results/b.txt")
    assert ecfit("list", "targets", "samd20", "-o", str(tmp_path / "b.txt")).code == 0
    assert (tmp_path / "b.txt").is_symlink()
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == ["a.txt", "b.txt"]


def test_an_output_does_not_take_the_mode_of_another_users_file(
    ecfit: Ecfit, tmp_path: Path
) -> None:
    """Who put a file there first, open to all, could change the result."""
    output = tmp_path / "out.txt"
    output.write_text("theirs", encoding="utf-8")
    output.chmod(0o4666)
    give_away(output)
    assert ecfit("list", "targets", "samd20", "-o", str(output)).code == 0
    info = output.stat()
    assert (info.st_uid, info.st_mode & 0o7022) == (os.geteuid(), 0)


def test_an_edited_revision_is_not_compared(tmp_path: Path) -> None:
    """`ecfit compare REVISION .` runs the code of the revision, whatever the cache has."""
    from ecfit.run import checkout

    repository = tmp_path / "repository"
    for part in checkout.PARTS:
        (repository / part).parent.mkdir(parents=True, exist_ok=True)
        (repository / part).write_text("as committed", encoding="utf-8")
    (repository / ".gitignore").write_text("*.so\n", encoding="utf-8")
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for step in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "first"]):
        subprocess.run(["git", *step], cwd=repository, check=True)
    code = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from ecfit.run.checkout import checkout
        print(checkout("HEAD", Path(sys.argv[1])))
        """
    )
    environment = {**os.environ, "ECFIT_CACHE": str(tmp_path / "cache")}

    def folder() -> Path:
        command = [sys.executable, "-c", code, str(repository)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return Path(done.stdout.strip())

    built = folder() / "sim" / "libecsim.so"
    built.write_bytes(b"made there")
    assert folder() == built.parent.parent
    assert built.exists()  # what was built stays as long as nothing has changed
    for part in checkout.PARTS:
        (folder() / part).write_text("as edited", encoding="utf-8")
        assert (folder() / part).read_text(encoding="utf-8") == "as committed"
    (folder() / part).unlink()
    assert (folder() / part).is_file()
    (folder() / "lib" / "more.h").write_text("added", encoding="utf-8")
    assert not (folder() / "lib" / "more.h").exists()


def test_what_is_timed_imports_nothing_from_the_current_folder(
    ecfit: Ecfit, tmp_path: Path
) -> None:
    """Where somebody else may have put a module of that name, as in /tmp."""
    for name in ("statistics", "ctypes", "msgspec"):
        text = f"open({str(tmp_path / 'ran')!r}, 'w')\n"
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    program = str(Path(sys.executable).with_name("ecfit"))
    command = [program, "bench", "--target", "host", "--preset", "tiny", "--op", "verify"]
    environment = {**os.environ, "ECFIT_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, (tmp_path / "ran").exists()) == (0, False), done.stderr
