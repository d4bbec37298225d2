"""Results to look at, in two steps: summarise them as a plain dictionary, then render that as one HTML file.

`summarize` and `comparison_page` return pages, made of ``sections``; each section names the template in
``templates/sections`` that draws it. `render` knows how a page looks and nothing of what it is about.
"""

from fewest.lazy import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
