"""Draw the pictures that open the pages of the methods, while the documentation is built.

    python docs/methods/pictures.py

Each is the answer of the method itself on a few rows, not a sketch of one.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
import matplotlib.pyplot as plt

PICTURES = Path(__file__).parent / "_pictures"
BLUE, RED, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#bbbbbb"
# The worked example of Almuallim and Dietterich (1994), section 5.3.
ROWS = np.array([[int(bit) for bit in row] for row in ("010100", "110010", "101111", "011000", "101001", "100101")])
CLASSES = np.array([1, 1, 1, 0, 0, 0])


def min_features():
    """Draw the conflicts of the worked example, and the features that cover them all."""
    from fewest import MinFeatures

    chosen = set(MinFeatures().fit(ROWS, CLASSES).get_support(indices=True).tolist())
    fig, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    conflicts = [(i, j) for i in range(3) for j in range(3, 6)]
    for y, (i, j) in enumerate(conflicts):
        for feature in range(6):
            differs = ROWS[i, feature] != ROWS[j, feature]
            colour = BLUE if differs and feature in chosen else "#dddddd" if differs else "white"
            ax.add_patch(plt.Rectangle((feature, y), 0.92, 0.86, facecolor=colour, edgecolor="#999999", linewidth=0.6))
    ax.set_xlim(-0.2, 6.1)
    ax.set_ylim(9.1, -0.2)
    ax.set_xticks(np.arange(6) + 0.46, [f"$x_{{{f + 1}}}$" for f in range(6)])
    for f, label in enumerate(ax.get_xticklabels()):
        label.set_color(BLUE if f in chosen else "0.3")
        label.set_fontweight("bold" if f in chosen else "normal")
    ax.xaxis.tick_top()
    ax.set_yticks(np.arange(9) + 0.43, [f"rows {i + 1} and {j + 1}" for i, j in conflicts], fontsize=8)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    names = ", ".join(f"$x_{{{f + 1}}}$" for f in sorted(chosen))
    ax.set_xlabel(f"Every line is a conflict, every box a feature that differs: {names} cover all nine.", fontsize=9)
    return fig


def min_description():
    """Draw how long the classes of 300 rows take to describe, with ever more features."""
    from fewest import MinDescription

    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 20))
    y = X[:, 3] ^ X[:, 17] ^ (rng.random(300) < 0.05)
    best = MinDescription().fit(X, y)
    subsets = [(), (3,), (3, 17), (3, 8, 17), (3, 8, 11, 17)]
    lengths = [_description(X, y, subset) for subset in subsets]
    fig, ax = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
    places = range(len(subsets))
    names, classes = ([pair[k] for pair in lengths] for k in (0, 1))
    ax.bar(places, names, color=RED, label="to name the features")
    ax.bar(places, classes, bottom=names, color=BLUE, label="to list the classes")
    ax.set_xticks(places, ["{" + ", ".join(f"x{f}" for f in subset) + "}" for subset in subsets])
    chosen = "{" + ", ".join(f"x{f}" for f in best.get_support(indices=True)) + "}"
    ax.set_ylabel("bits")
    ax.set_title(f"MinDescription chooses {chosen}", fontsize=10)
    ax.legend(frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return fig


def _description(X, y, subset):
    """Return the bits to name a subset of the features, and to list the classes cell by cell, each by those before."""
    from math import comb, log2

    names = log2(X.shape[1] + 1) + log2(comb(X.shape[1], len(subset)))
    seen, bits = {}, 0.0
    for row, label in zip(X[:, list(subset)].tolist(), y.tolist(), strict=True):
        counts = seen.setdefault(tuple(row), [0.5, 0.5])
        bits -= log2(counts[int(label)] / sum(counts))
        counts[int(label)] += 1
    return names, bits


def focus():
    """Draw the tree that FOCUS-2 searches on the worked example: Figure 3 of the paper."""
    from fewest import Focus2
    from fewest.plot import plot_search_tree

    return plot_search_tree(Focus2(keep_trace=True).fit(ROWS, CLASSES).trace_).figure


def greedy():
    """Draw how many pairs of members are left after each vote that the three algorithms choose."""
    from fewest import MutualInformationGreedy, SimpleGreedy, WeightedGreedy
    from fewest.datasets import load_votes

    votes, party = load_votes(return_X_y=True)
    columns = np.array([votes.column(k).to_pylist() for k in range(votes.num_columns)], dtype=object)
    label = np.array(party)
    fig, ax = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
    for selector, colour, dashes in (
        (WeightedGreedy(), BLUE, "-"), (SimpleGreedy(), RED, "--"), (MutualInformationGreedy(), GREEN, ":"),
    ):  # fmt: skip
        order = selector.fit(votes, party).selection_order_
        left = [_pairs_left(columns[order[:k]], label) for k in range(len(order) + 1)]
        ax.plot(left, color=colour, linestyle=dashes, marker="o", markersize=3, label=type(selector).__name__)
    ax.set_yscale("symlog", linthresh=1)
    ax.set_xlabel("votes chosen")
    ax.set_ylabel("pairs not told apart")
    ax.legend(frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return fig


def _pairs_left(columns, label):
    """Return the pairs of different class that agree on all columns."""
    groups = {}
    for key, one in zip(map(tuple, columns.T.tolist()) if len(columns) else [()] * len(label), label, strict=True):
        groups.setdefault(key, {}).setdefault(one, 0)
        groups[key][one] += 1
    return sum(np.prod(list(counts.values())) for counts in groups.values() if len(counts) == 2)


def relief():
    """Draw a row, its near-hit and its near-miss, and the relevance of the two axes."""
    from fewest import Relief

    rng = np.random.default_rng(3)
    X = rng.random((60, 2))
    y = (X[:, 0] > 0.5).astype(int)
    scores = Relief(random_state=0, n_features_to_select=1).fit(X, y).scores_
    row = int(np.argmin(np.abs(X - [0.42, 0.5]).sum(axis=1)))
    distance = np.linalg.norm(X - X[row], axis=1)
    distance[row] = np.inf
    hit, miss = (int(np.where(y == c, distance, np.inf).argmin()) for c in (y[row], 1 - y[row]))
    fig, (ax, right) = plt.subplots(1, 2, figsize=(7.2, 3.3), layout="constrained", width_ratios=[1.5, 1])
    for c, mark, colour in ((0, "o", BLUE), (1, "s", RED)):
        ax.scatter(*X[y == c].T, marker=mark, facecolor="none", edgecolor=colour, s=22)
    for other, colour, name in ((hit, BLUE, "near-hit"), (miss, RED, "near-miss")):
        ax.annotate("", X[other], X[row], arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 1.8})
        ax.annotate(name, X[other], xytext=(4, 6), textcoords="offset points", color=colour, fontsize=9)
    ax.scatter(*X[row], color="black", s=45, zorder=5)
    ax.set_xlabel("$f_1$, which decides the class")
    ax.set_ylabel("$f_2$, which does not")
    right.bar(["$f_1$", "$f_2$"], scores, color=[BLUE, GREY])
    right.axhline(0, color="black", linewidth=0.8)
    right.set_title("relevance over all rows", fontsize=10)
    for each in (ax, right):
        each.spines[["top", "right"]].set_visible(False)
    return fig


def relief_then_cover():
    """Draw relevance, where two features come twice, and what the cover keeps of the relevant ones."""
    from fewest import Relief, ReliefThenCover

    X = np.random.default_rng(0).integers(0, 2, (300, 10))
    X[:, 8:] = X[:, :2]
    selector = ReliefThenCover(Relief(threshold=0.1, random_state=0)).fit(X, X[:, 0] ^ X[:, 1])
    scores = Relief(threshold=0.1, random_state=0).fit(X, X[:, 0] ^ X[:, 1]).scores_
    kept, relevant = set(selector.get_support(indices=True)), set(selector.relevant_)
    colours = [BLUE if f in kept else "#7fb8d8" if f in relevant else GREY for f in range(10)]
    fig, ax = plt.subplots(figsize=(6.4, 2.8), layout="constrained")
    ax.bar([f"x{f}" for f in range(10)], scores, color=colours)
    ax.axhline(0.1, color="0.4", linestyle="--", linewidth=1)
    ax.text(4.5, 0.12, "threshold", ha="center", fontsize=8)
    ax.set_ylabel("relevance")
    ax.set_title("x8 and x9 are copies of x0 and x1: relevant (light), and not needed", fontsize=10)
    ax.spines[["top", "right"]].set_visible(False)
    return fig


def wrappers():
    """Draw the errors that ORDERED-FS sees, by the number of features: which subset, and how many."""
    from sklearn.linear_model import LogisticRegression

    from fewest import OrderedFS
    from fewest.datasets import make_linear_threshold
    from fewest.plot import plot_history

    X, y, _ = make_linear_threshold(120, relevant=2, irrelevant=10, noise=0.2, random_state=1)
    fig, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
    plot_history(OrderedFS(LogisticRegression(), beam_width=5, random_state=0).fit(X, y), ax)
    return fig


def id3():
    """Draw a tree over two votes."""
    from fewest import ID3Classifier, MinFeatures
    from fewest.datasets import load_votes
    from fewest.plot import plot_tree

    votes, party = load_votes(return_X_y=True)
    several = MinFeatures(tolerance=0.01).fit(votes, party).get_feature_names_out()
    fig, ax = plt.subplots(figsize=(10, 4.8), layout="constrained")
    plot_tree(ID3Classifier().fit(votes.select(list(several[1:])), party), ax)
    return fig


def fringe():
    """Draw the tree of ID3 and that of FRINGE for the same concept."""
    from fewest import FringeClassifier, ID3Classifier
    from fewest.plot import plot_tree

    X = np.random.default_rng(0).integers(0, 2, (150, 4))
    y = (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])
    fig, panels = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    for ax, learner in zip(panels, (ID3Classifier(), FringeClassifier()), strict=True):
        plot_tree(learner.fit(X, y), ax)
        ax.set_title(type(learner).__name__.removesuffix("Classifier"), fontsize=10)
    return fig


def winnow():
    """Draw the weights of Winnow2 over the trials."""
    from fewest import Winnow2

    X = np.random.default_rng(0).random((400, 60)) < 0.15
    y = X[:, :3].any(axis=1)
    learner, weights = Winnow2(), []
    for row in range(len(X)):
        learner.partial_fit(X[row : row + 1], y[row : row + 1], classes=[False, True])
        weights.append(learner.coef_.ravel().copy())
    weights = np.array(weights)
    fig, ax = plt.subplots(figsize=(6.4, 3.3), layout="constrained")
    ax.plot(weights[:, 3:], color=GREY, linewidth=0.7)
    ax.plot(weights[:, :3], color=BLUE, linewidth=1.8)
    ax.plot([], [], color=BLUE, label="the three that decide")
    ax.plot([], [], color=GREY, label="57 irrelevant features")
    ax.set_yscale("log", base=2)
    ax.set_xlabel(f"trials ({learner.n_mistakes_} mistakes)")
    ax.set_ylabel("weight")
    ax.legend(frameon=False, fontsize=8, loc="center right")
    ax.spines[["top", "right"]].set_visible(False)
    return fig


def version_space():
    """Draw a largest mistake tree: whatever is predicted at a node, the truth can be the other."""
    from fewest.mistakes import ConceptClass, largest_mistake_tree
    from fewest.plot import plot_mistake_tree

    return plot_mistake_tree(largest_mistake_tree(ConceptClass.monotone_disjunctions(3, at_most=1))).figure


def cfp():
    """Draw the partitions of the four measurements of iris flowers."""
    from sklearn.datasets import load_iris
    from sklearn.utils import shuffle

    from fewest import CFPClassifier
    from fewest.plot import plot_partitions

    iris = load_iris(as_frame=True)
    X, y = shuffle(iris.data, iris.target_names[iris.target], random_state=0)
    return plot_partitions(CFPClassifier(limit="5%").fit(X[:100], y[:100])).figure


DRAWINGS = (
    min_features, min_description, focus, greedy, relief, relief_then_cover, wrappers, id3, fringe, winnow,
    version_space, cfp,
)  # fmt: skip


def write_all():
    """Draw what is not there yet; `make clean` removes it."""
    PICTURES.mkdir(exist_ok=True)
    for drawing in DRAWINGS:
        path = PICTURES / f"{drawing.__name__}.svg"
        if path.exists() and path.stat().st_mtime > Path(__file__).stat().st_mtime:
            continue
        with warnings.catch_warnings(), mpl.rc_context({"svg.hashsalt": "fewest", "font.size": 9}):
            warnings.simplefilter("ignore")
            figure = drawing()
            figure.savefig(path, metadata={"Date": None, "Creator": None})
        plt.close("all")


if __name__ == "__main__":
    write_all()
