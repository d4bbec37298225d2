"""What the build needs to know beyond pyproject.toml: the README as a package index can show it."""

import sys
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface


class ReadmeHook(MetadataHookInterface):
    """Rewrites the README's relative links."""

    def update(self, metadata: dict) -> None:
        """Set the long description."""
        sys.path.insert(0, str(Path(self.root) / "tools"))
        from readme import for_an_index

        text = (Path(self.root) / "README.md").read_text("utf-8")
        source = metadata.get("urls", {}).get("Source")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_an_index(text, source)}
