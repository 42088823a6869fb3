"""*Why this note?*: a panel that opens under the preview and shows the evidence of the selected hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui.icons import icon, pixmap
from ui.theme import flat_button_style
from ui.why import Why, why

if TYPE_CHECKING:
    from core.search.results import Hit, SearchResult
    from ui.theme import Look

_FACTS_COLUMN = 2


class WhyPanel(QWidget):
    """Closed at first; the button's arrow and its accessible state tell which."""

    toggled = Signal(bool)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[Hit, SearchResult] | None = None
        self._sentence = ""
        self.button = QToolButton(self)
        self.button.setText(self.tr("Why this note?"))
        self.button.setAccessibleName(self.tr("Why this note?"))
        self.button.setCheckable(True)
        self.button.setAutoRaise(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.toggled.connect(self._on_toggled)
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName(self.tr("Evidence"))
        self._area.viewport().setAutoFillBackground(False)
        self._area.setVisible(False)
        self._area.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.button)
        column.addWidget(self._area)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Wear another theme or type scale."""
        self._look = look
        self.button.setStyleSheet(flat_button_style(look))
        self.button.setFont(look.font(12, strong=True))
        side = look.px(12)
        self.button.setIconSize(QSize(side, side))
        self._column.setContentsMargins(look.px(8), look.px(4), look.px(8), look.px(4))
        self._renew_arrow()
        self._renew()

    def show_hit(self, hit: Hit, result: SearchResult) -> None:
        """Explain a hit of a result."""
        self._shown, self._sentence = (hit, result), ""
        self.button.setEnabled(True)
        self._renew()

    def show_sentence(self, sentence: str) -> None:
        """Say a sentence in place of the evidence."""
        self._shown, self._sentence = None, sentence
        self.button.setEnabled(True)
        self._renew()

    def show_nothing(self) -> None:
        """Explain nothing: no note is selected."""
        self._shown, self._sentence = None, ""
        self.button.setEnabled(False)
        self._renew()

    def texts(self) -> list[str]:
        """Return every text the open panel shows."""
        page = self._area.widget()
        return [label.text() for label in page.findChildren(QLabel) if label.text()] if page else []

    def _on_toggled(self, opened: bool) -> None:
        self._renew_arrow()
        self._renew()
        self._area.setVisible(opened)
        self.toggled.emit(opened)

    def _renew_arrow(self) -> None:
        name = "expand" if self.button.isChecked() else "next"
        self.button.setIcon(icon(name, self._look.theme.muted))

    def _renew(self) -> None:
        if not self.button.isChecked():
            return
        page = QWidget()
        if self._shown is not None:
            self._fill(page, why(*self._shown))
        elif self._sentence:
            self._fill(page, Why(self._sentence))
        self._area.setWidget(page)
        page.setAutoFillBackground(False)  # setWidget turns it on
        self._fit()

    def _fit(self) -> None:
        """As high as the explanation, but never more than the reading needs."""
        page = self._area.widget()
        layout = page.layout() if page is not None else None
        if page is None or layout is None:
            self._area.setFixedHeight(0)
            return
        width = max(1, self._area.viewport().width())
        wanted = layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else page.sizeHint().height()
        self._area.setFixedHeight(min(wanted, self._look.px(230)))

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        if self.button.isChecked():
            self._fit()

    def _fill(self, page: QWidget, told: Why) -> None:
        px, theme = self._look.px, self._look.theme
        grid = QGridLayout(page)
        grid.setContentsMargins(px(8), px(4), px(8), px(8))
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(4))
        ratio = self.devicePixelRatioF()
        grid.addWidget(self._label(told.headline, theme.text, strong=True), 0, 0, 1, 3)
        for leg in told.legs:
            row = grid.rowCount()
            sign = QLabel(page)
            sign.setPixmap(pixmap(leg.leg, theme.leg(leg.leg) if leg.found else theme.muted, px(12), ratio))
            sign.setAccessibleName(leg.name)
            grid.addWidget(sign, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self._label(leg.sentence, theme.text if leg.found else theme.muted), row, 1, 1, 2)
        for name, sentence in told.lines:
            self._add_named(grid, name, sentence, theme.text)
        if told.numbers:
            grid.setRowMinimumHeight(grid.rowCount(), px(4))
        for name, sentence in told.numbers:
            self._add_named(grid, name, sentence, theme.muted)
        grid.setColumnStretch(_FACTS_COLUMN, 1)

    def _add_named(self, grid: QGridLayout, name: str, sentence: str, colour: str) -> None:
        row = grid.rowCount()
        grid.addWidget(self._label(name, self._look.theme.muted), row, 0, 1, 2, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._label(sentence, colour), row, _FACTS_COLUMN)

    def _label(self, text: str, colour: str, *, strong: bool = False) -> QLabel:
        label = QLabel()
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setText(text)
        label.setFont(self._look.font(11, strong=strong))
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        palette = label.palette()
        palette.setColor(QPalette.ColorRole.WindowText, QColor(colour))
        label.setPalette(palette)
        return label
