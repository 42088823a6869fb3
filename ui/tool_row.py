"""The top row: folder, query box, export, look for changes, more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from ui.icons import icon
from ui.plain_text import menu_text, one_line, tooltip_of
from ui.query_box import QueryBox
from ui.theme import flat_button_style

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from ui.actions import Actions
    from ui.theme import Look

_FOLDER_WIDTH = 160
_MORE = (
    "choose_folder",
    "sample",
    "",
    "open",
    "back",
    "forward",
    "why",
    "preview",
    "",
    "reindex",
    "pause",
    "cancel",
    "accept_empty",
    "problems",
    "",
    "reveal",
    "",
    "keys",
    "quit",
)


class ToolRow(QWidget):
    """Buttons take no focus from a click, so the cursor stays in the box; Tab reaches them all."""

    def __init__(self, look: Look, actions: Actions, export_menu: QMenu, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self._folder: str | None = None
        self._folder_hint = ""
        self.folder = _button(self, self.tr("Notes folder"))
        self.folder.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.folder.clicked.connect(actions["choose_folder"].trigger)
        self.box = QueryBox(look, self)
        self.export = _button(self, self.tr("Export"))
        self.export.setText(self.tr("Export"))
        self.export.setToolTip(self.tr("Save or copy the results"))
        self.export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.export.setMenu(export_menu)
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.reindex = _button(self, actions["reindex"].text())
        self.reindex.setDefaultAction(actions["reindex"])
        self.reindex.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.more_menu = QMenu(self)
        for key in _MORE:
            if key:
                self.more_menu.addAction(actions[key])
            else:
                self.more_menu.addSeparator()
        self.more = _button(self, self.tr("More"))
        self.more.setToolTip(self.tr("More"))
        self.more.setMenu(self.more_menu)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._row = QHBoxLayout(self)
        for widget in (self.folder, self.box, self.export, self.reindex, self.more):
            self._row.addWidget(widget)
        self._row.setStretch(1, 1)
        self.setAutoFillBackground(True)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Wear another theme or type scale."""
        px, theme = look.px, look.theme
        self._look = look
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(theme.side))
        self.setPalette(palette)
        self.folder.setIcon(icon("folder", theme.text))
        self.export.setIcon(icon("export", theme.text, theme.muted))
        self.more.setIcon(icon("more", theme.text))
        for button in (self.folder, self.export, self.reindex, self.more):
            button.setFont(look.font(12))
            button.setIconSize(QSize(px(16), px(16)))
            button.setMinimumHeight(px(30))
            button.setStyleSheet(flat_button_style(look))
        self.box.set_look(look)
        self._row.setContentsMargins(px(8), px(8), px(8), px(8))
        self._row.setSpacing(px(4))
        self._name_folder()
        self._fit_buttons()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the box its room in a narrow window: buttons then show their signs alone, and keep their names."""
        super().resizeEvent(event)
        self._fit_buttons()

    def _fit_buttons(self) -> None:
        styles = Qt.ToolButtonStyle
        for button, needed in ((self.export, 560), (self.folder, 480)):
            wide = self.width() >= self._look.px(needed)
            button.setToolButtonStyle(styles.ToolButtonTextBesideIcon if wide else styles.ToolButtonIconOnly)

    def show_folder(self, name: str | None, path: str) -> None:
        """Name the folder on its button, the whole path in the tooltip."""
        self._folder, self._folder_hint = name, path
        self._name_folder()

    def _name_folder(self) -> None:
        name = one_line(self._folder) if self._folder is not None else self.tr("Choose folder")
        shown = self.folder.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, self._look.px(_FOLDER_WIDTH))
        self.folder.setText(menu_text(shown))
        self.folder.setAccessibleName(self.tr("Notes folder: {}").format(name))
        choose = self._actions["choose_folder"].text().rstrip("…")
        self.folder.setToolTip(tooltip_of(f"{self._folder_hint or name}\n{choose} (Ctrl+O)"))


def _button(parent: QWidget, name: str) -> QToolButton:
    button = QToolButton(parent)
    button.setAccessibleName(name)
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return button
