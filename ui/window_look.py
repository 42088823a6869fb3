"""What the window wears: the theme that was chosen or else the system's, in the application's font."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QToolTip

from ui.theme import Look, Theme, TypeScale, theme_for, wants_high_contrast

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class WindowLook(QObject):
    """Follows the system; `changed` tells the Look to wear from now on."""

    changed = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._chosen: Theme | None = None
        self.look = self._current()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.renew)

    def use_theme(self, theme: Theme | None) -> None:
        """Wear this theme whatever the system says; None follows the system again."""
        self._chosen = theme
        self.renew()

    def renew(self) -> None:
        """Look again at what the system says and at the application's font."""
        self.look = self._current()
        self.changed.emit(self.look)

    def dress_application(self) -> None:
        """Give menus, dialogs and native controls the theme's colours."""
        palette = self.look.theme.palette()
        QApplication.setPalette(palette)
        QToolTip.setPalette(palette)

    def _current(self) -> Look:
        hints = QGuiApplication.styleHints()
        theme = self._chosen or theme_for(hints.colorScheme(), high_contrast=wants_high_contrast(hints))
        return Look(theme, TypeScale.of(QApplication.font()))
