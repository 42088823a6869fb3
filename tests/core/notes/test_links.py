"""What a link that was clicked may mean."""

import pytest

from core.notes.links import targets_of


@pytest.mark.parametrize(
    ("source", "targets"),
    [
        ("[[note]]", ("note",)),
        ("[[note#heading]]", ("note",)),
        ("[[note|label]]", ("note", "label")),
        ("[[label|dendron://vault/topic.links#part]]", ("topic.links",)),
        ("[[#only a heading]]", ()),
        ("a%20b.md#x", ("a b.md",)),
        ("../up.md", ("../up.md",)),
        ("https://example.org/a.md", ()),
        ("mailto:someone@example.org", ()),
        ("#heading", ()),
        ("", ()),
    ],
)
def test_a_clicked_link_gives_the_targets_it_may_mean(source, targets):
    assert targets_of(source) == targets
