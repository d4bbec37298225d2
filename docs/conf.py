"""How the documentation is built: `make docs`."""

import runpy
from pathlib import Path

from sphinx_gallery.sorting import FileNameSortKey

from fewest import __version__

project = "fewest"
author = "The fewest developers"
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = [
    "gallery/*.ipynb",
    "sg_execution_times.rst",
    "gallery/sg_execution_times.rst",
    "papers/_shown/*.md",  # included by the pages of the papers
]
myst_enable_extensions = ["attrs_inline", "deflist", "dollarmath"]
myst_heading_anchors = 3
suppress_warnings = [
    "config.cache",  # the gallery's settings hold a class, which cannot be stored
    "myst.xref_missing",  # pages of the repository link to files that are no part of the site
]

default_role = "py:obj"  # `MinFeatures` in a docstring links to it
autosummary_generate = True
templates_path = ["_templates"]
autodoc_typehints = "none"  # docstrings say what parameters are
napoleon_use_rtype = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"fewest {__version__}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_scaled_image_link = False  # a thumbnail leads to its section, not to the picture
html_theme_options = {"source_edit_link": ""}
html_show_sphinx = html_show_copyright = html_copy_source = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "within_subsection_order": FileNameSortKey,
    "download_all_examples": False,
    "show_signature": False,
    "remove_config_comments": True,
    "min_reported_time": 5,
    "abort_on_example_error": True,
}


def skip_what_is_not_ours(app, what, name, obj, skip, options):  # noqa: ARG001 (the signature is Sphinx's)
    """Leave out what scikit-learn and Python bring along: they document it themselves."""
    home = getattr(obj, "__module__", None) or getattr(getattr(obj, "fget", None), "__module__", None) or "fewest"
    return skip or not home.startswith("fewest") or (name.startswith("set_") and name.endswith("_request"))


def draw_pictures(app):  # noqa: ARG001 (the signature is Sphinx's)
    """Make the figures and tables that pages show from what is kept in the repository."""
    for script in ("papers/pages.py", "methods/pictures.py"):
        runpy.run_path(str(Path(__file__).parent / script))["write_all"]()


def setup(app):
    """Connect it."""
    app.connect("builder-inited", draw_pictures, priority=100)  # before the gallery
    app.connect("autodoc-skip-member", skip_what_is_not_ours)
