"""Tables of papers measured again, questions answered by a sweep, and pages of both."""

from pathlib import Path

DATA = Path(__file__).resolve().parent / "data"
