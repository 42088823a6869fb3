"""*Why this note?*: a panel that opens under the preview and shows the evidence of the selected hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from ui.folding_panel import FoldingPanel
from ui.icons import pixmap
from ui.why import Why, why

if TYPE_CHECKING:
    from core.search.results import Hit, SearchResult
    from ui.theme import Look

_FACTS_COLUMN = 2


class WhyPanel(FoldingPanel):
    """Explains a hit, or says a sentence in its place."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        self._shown: tuple[Hit, SearchResult] | None = None
        self._sentence = ""
        super().__init__(self.tr("Why this note?"), self.tr("Evidence"), look, parent)

    def show_hit(self, hit: Hit, result: SearchResult) -> None:
        """Explain a hit of a result."""
        self._shown, self._sentence = (hit, result), ""
        self.button.setEnabled(True)
        self.renew()

    def show_sentence(self, sentence: str) -> None:
        """Say a sentence in place of the evidence."""
        self._shown, self._sentence = None, sentence
        self.button.setEnabled(True)
        self.renew()

    def show_nothing(self) -> None:
        """Explain nothing: no note is selected."""
        self._shown, self._sentence = None, ""
        self.button.setEnabled(False)
        self.renew()

    def page(self) -> QWidget:
        page = QWidget()
        if self._shown is not None:
            self._fill(page, why(*self._shown))
        elif self._sentence:
            self._fill(page, Why(self._sentence))
        return page

    def _fill(self, page: QWidget, told: Why) -> None:
        px, theme = self._look.px, self._look.theme
        grid = QGridLayout(page)
        grid.setContentsMargins(px(8), px(4), px(8), px(8))
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(4))
        ratio = self.devicePixelRatioF()
        grid.addWidget(self.label(told.headline, theme.text, strong=True), 0, 0, 1, 3)
        for leg in told.legs:
            row = grid.rowCount()
            sign = QLabel(page)
            sign.setPixmap(pixmap(leg.leg, theme.leg(leg.leg) if leg.found else theme.muted, px(12), ratio))
            sign.setAccessibleName(leg.name)
            grid.addWidget(sign, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self.label(leg.sentence, theme.text if leg.found else theme.muted), row, 1, 1, 2)
        for name, sentence in told.lines:
            self._add_named(grid, name, sentence, theme.text)
        if told.numbers:
            grid.setRowMinimumHeight(grid.rowCount(), px(4))
        for name, sentence in told.numbers:
            self._add_named(grid, name, sentence, theme.muted)
        grid.setColumnStretch(_FACTS_COLUMN, 1)

    def _add_named(self, grid: QGridLayout, name: str, sentence: str, colour: str) -> None:
        row = grid.rowCount()
        grid.addWidget(self.label(name, self._look.theme.muted), row, 0, 1, 2, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.label(sentence, colour), row, _FACTS_COLUMN)
