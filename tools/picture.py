"""Take the picture of a report page that README shows: python tools/picture.py docs/images/report.png.

It needs Chromium, as the tests of pages do.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# What fits README without scrolling, and shows the answer and the methods.
WIDTH, HEIGHT = 1100, 1500
NAMES = ("chromium", "chromium-browser", "google-chrome")


def main() -> None:
    """Make the page of the votes, and photograph its beginning."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", type=Path)
    arguments = parser.parse_args()
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, NAMES)))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder, "votes.html")
        command = ["report", "fewest:votes", "--target", "party", "-o", str(page), "--time-limit", "none"]
        subprocess.run([sys.executable, "-m", "fewest", *command], check=True)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"])
        window = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        window.goto(page.as_uri())
        window.screenshot(path=arguments.picture)
        browser.close()


if __name__ == "__main__":
    main()
