"""`ecfit profile --stack`: where the stack of an operation is deepest."""

from __future__ import annotations

import json

from workshop.cli.run import Ecfit


def test_the_path_ends_where_the_run_was_deepest(ecfit: Ecfit) -> None:
    question = "--target samd20 --preset lowram --curve secp384r1 --op ecdh,verify"
    done = ecfit("profile", "--stack", *question.split(), "--format", "json")
    assert done.code == 0, done.err
    rows = json.loads(done.out)
    for op in ("ecdh", "verify"):
        frames = [row for row in rows if row["op"] == op]
        assert frames[0]["function"] == f"bench_{op}"
        assert sum(row["frame_bytes"] for row in frames) == frames[-1]["depth_bytes"]
        # nothing is called through a pointer there, and no call of the path is its function's last
        assert frames[-1]["depth_bytes"] == frames[-1]["stack_bytes"]


def test_a_picture_of_it_is_refused_in_one_line(ecfit: Ecfit) -> None:
    done = ecfit("profile", "--stack", "--target", "samd20", "--format", "svg")
    assert done.code == 2
    assert done.error == "ecfit: error: --stack has no picture: leave out --format svg"
