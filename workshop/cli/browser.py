"""A page in headless Chromium that the distribution brings: what it asks for, and complains of."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
READY = "html[data-ready]"


class Seen:
    """A page that has been opened. `asked`: what it wanted from elsewhere, all of it refused;
    `complaints`: of the console, warnings too.
    """

    def __init__(self, browser: Browser, path: Path, **context: Any) -> None:
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.context = browser.new_context(**{"viewport": WIDE, **context})
        self.context.route("**/*", self._route)
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda m: self.complaints.append(f"{m.type}: {m.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.url = path.as_uri()
        self.seconds = self.open()

    def open(self) -> float:
        """Opens it anew; how long it takes until everything is drawn, in seconds."""
        begin = time.monotonic()
        self.page.goto(self.url)
        self.page.wait_for_selector(READY)
        return time.monotonic() - begin

    def _route(self, route: Any) -> None:
        if route.request.url.partition("#")[0] == self.url:
            route.continue_()
        else:
            self.asked.append(route.request.url)
            route.abort()

    def slide(self, name: str, step: int) -> None:
        """Moves a slider as a hand does."""
        self.page.locator(f"#limit-{name}").evaluate(
            "(slider, step) => { slider.value = step; slider.dispatchEvent(new Event('input')); }",
            step,
        )

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements of that kind."""
        return self.page.locator(selector).all_inner_texts()


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser. Its own sandbox is left out: containers of CI do not allow it."""
    assert CHROMIUM, "chromium is missing: tools/setup.sh test installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()
