"""A PostgreSQL server of one's own for a test: in a scratch folder, on a socket there alone."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote


def programs() -> Path | None:
    """The folder with initdb; None where the distribution's package postgresql is missing."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def _user() -> dict[str, Any]:
    """The server does not run as root: then as the package's own user."""
    if os.getuid() != 0:
        return {}
    found = pwd.getpwnam("postgres")
    return {"user": found.pw_uid, "group": found.pw_gid}


@contextmanager
def running() -> Iterator[str]:
    """Its URL."""
    where = programs()
    assert where is not None, "PostgreSQL is missing: apt-get install postgresql"
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="ecfit-pg-", dir="/tmp"))
    if user:
        os.chown(folder, user["user"], user["group"])

    def run(*command: str) -> None:
        subprocess.run(
            command, check=True, cwd=folder, stdout=subprocess.DEVNULL, timeout=120, **user
        )

    data = str(folder / "data")
    settings = f"-k {folder} -c listen_addresses= -c max_connections=30"
    control = [str(where / "pg_ctl"), "-D", data, "-l", str(folder / "log"), "-w"]
    try:
        run(str(where / "initdb"), "-D", data, "-U", "ecfit", "-A", "trust", "-N")
        run(*control, "-o", settings, "start")
        try:
            yield f"postgresql://ecfit@/postgres?host={quote(str(folder))}"
        finally:
            run(*control, "-m", "fast", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def connect(url: str) -> Any:
    """A connection."""
    import psycopg

    return psycopg.connect(url, autocommit=True)


@contextmanager
def clock(url: str, schema: str = "shifted") -> Iterator[tuple[str, Callable[[float], None]]]:
    """A URL under which the server's now() can be moved, and what moves it: seconds ahead of the
    true time. Tables that are made under this URL are in that schema.
    """
    now = (
        f"CREATE FUNCTION {schema}.now() RETURNS timestamptz LANGUAGE sql STABLE AS "
        f"'SELECT pg_catalog.now() + ahead FROM {schema}.clock'"
    )
    with connect(url) as base:
        base.execute(f"CREATE SCHEMA {schema}")
        base.execute(f"CREATE TABLE {schema}.clock AS SELECT interval '0' AS ahead")
        base.execute(now)

        def move(seconds: float) -> None:
            base.execute(f"UPDATE {schema}.clock SET ahead = %s * interval '1 s'", (seconds,))

        yield f"{url}&options=-csearch_path%3D{schema},pg_catalog", move
