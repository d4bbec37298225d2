from fewest.mistakes import ConceptClass, largest_mistake_tree
from fewest.mistakes.plots import write_mistake_tree
from fewest.plot import plot_mistake_tree

TREE = largest_mistake_tree(ConceptClass.monotone_disjunctions(3))


def test_a_drawing_shows_every_node(tmp_path):
    ax = plot_mistake_tree(TREE)
    assert len(ax.texts) == len(TREE) == 15
    write_mistake_tree(TREE, tmp_path / "tree.svg")
    assert "<svg" in (tmp_path / "tree.svg").read_text()
    write_mistake_tree(TREE, tmp_path / "tree.txt")
    assert (tmp_path / "tree.txt").read_text() == TREE.to_text() + "\n"
