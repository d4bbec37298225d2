"""A browser that is offline and tells of everything that goes wrong on a page."""

import os
import shutil

import pytest

REQUIRED = os.environ.get("FEWEST_BROWSER") == "required"
PATIENCE = 300_000  # milliseconds, where all cores are busy
NAMES = ("chromium", "chromium-browser", "google-chrome")


def unavailable(reason):
    """Skip where a user's machine has no browser; where one is required, as in CI, that is a failure."""
    (pytest.fail if REQUIRED else pytest.skip)(reason)


@pytest.fixture(scope="session")
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        unavailable("playwright is not installed: pip install 'fewest[dev]'")
    program = os.environ.get("FEWEST_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        unavailable("there is no Chromium: apt-get install chromium, or name one in FEWEST_CHROMIUM")
    with sync_playwright() as playwright:
        # Containers have no user namespaces to build a sandbox of, and little shared memory; the pages are our own.
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        launched = playwright.chromium.launch(executable_path=program, args=arguments, timeout=PATIENCE)
        yield launched
        launched.close()


@pytest.fixture
def visit(browser):
    """Open a page in a window of some width; at the end, nothing may have gone wrong."""
    contexts, troubles = [], []

    def visit(path, width=1100, scheme="light"):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True, reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("requestfailed", lambda request: troubles.append(f"failed: {request.url}"))
        page.on("request", lambda request: request.url.startswith(("file:", "data:")) or troubles.append(request.url))
        page.goto(path.as_uri())
        return page

    yield visit
    for context in contexts:
        context.close()
    assert troubles == []
