"""The documentation site: `make docs` builds it from these pages and the docstrings."""

from __future__ import annotations

import sys
from pathlib import Path

import restride

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "restride"
version = release = restride.__version__
copyright = "the restride authors"

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "live",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "_extensions"]
# A link that leads nowhere, within the site, is a warning, and warnings are errors.

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 3

autosummary_generate = False
autodoc_typehints = "none"  # the docstrings say what is taken, and shapes and units
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "furo"
html_title = "restride"
html_show_sphinx = False
html_theme_options = {
    "navigation_with_keys": True,
    "sidebar_hide_name": False,
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
