"""A panel below the note that opens and closes by its own button, and is as high as what it says, up to a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ui.icons import icon
from ui.theme import flat_button_style

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from ui.theme import Look

_HIGHEST = 230  # pixels at 100 %; the note above is what is read


class FoldingPanel(QWidget):
    """Closed at first; the button's arrow and its accessible state tell which. `page` makes what is shown when open."""

    toggled = Signal(bool)

    def __init__(self, title: str, inside: str, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.button = QToolButton(self)
        self.button.setText(title)
        self.button.setAccessibleName(title)
        self.button.setCheckable(True)
        self.button.setAutoRaise(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.toggled.connect(self._on_toggled)
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName(inside)
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
        self.renew()

    def page(self) -> QWidget:
        """Return what the open panel shows; made anew for each note and look."""
        return QWidget()

    def renew(self) -> None:
        """Show what there is now; nothing is made while the panel is closed."""
        if not self.button.isChecked():
            return
        page = self.page()
        self._area.setWidget(page)
        page.setAutoFillBackground(False)  # setWidget turns it on
        self._fit()

    def texts(self) -> list[str]:
        """Return every text the open panel shows."""
        page = self._area.widget()
        return [label.text() for label in page.findChildren(QLabel) if label.text()] if page else []

    def label(self, text: str, colour: str, *, strong: bool = False) -> QLabel:
        """Return a text of the panel, which can be selected; nothing in it is markup."""
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

    def _on_toggled(self, opened: bool) -> None:
        self._renew_arrow()
        self.renew()
        self._area.setVisible(opened)
        self.toggled.emit(opened)

    def _renew_arrow(self) -> None:
        name = "expand" if self.button.isChecked() else "next"
        self.button.setIcon(icon(name, self._look.theme.muted))

    def _fit(self) -> None:
        """As high as the explanation, but never more than the reading needs."""
        page = self._area.widget()
        layout = page.layout() if page is not None else None
        if page is None or layout is None:
            self._area.setFixedHeight(0)
            return
        width = max(1, self._area.viewport().width())
        wanted = layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else page.sizeHint().height()
        self._area.setFixedHeight(min(wanted, self._look.px(_HIGHEST)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.button.isChecked():
            self._fit()
