"""The left side: the count and what the legs have to say, over the list or what stands in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from core.notes.suffixes import NOTE_SUFFIXES
from core.search.reporting import NOTHING_MATCHES
from core.search.results import LegState, SearchResult
from ui.elided_label import ElidedLabel
from ui.empty_state import EmptyState
from ui.icons import icon
from ui.result_list import ResultList
from ui.status_text import count_text, leg_notes
from ui.theme import flat_button_style

if TYPE_CHECKING:
    from ui.theme import Look


class ResultPane(QWidget):
    """The head keeps its height whatever it says and offers, so the list never shifts."""

    refresh_requested = Signal()

    def __init__(self, look: Look, choose_folder: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._indexing = False
        self._folder_empty: bool | None = None
        self._empty_box = True
        self.count = QLabel(self)
        self.notes = ElidedLabel(self)
        self._head = QWidget(self)
        self._row = QHBoxLayout(self._head)
        self._row.addWidget(self.count)
        self._row.addWidget(self.notes, 1)
        self.refresh = QToolButton(self)
        self.refresh.setText(self.tr("Results have changed · Refresh (F5)"))
        self.refresh.setAccessibleName(self.tr("Refresh the results, which have changed"))
        self.refresh.setToolTip(self.tr("Notes have changed since this search. Show its results as they are now"))
        self.refresh.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.refresh.setAutoRaise(True)
        self.refresh.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.refresh.setVisible(False)
        self.refresh.clicked.connect(self.refresh_requested)
        self._row.addWidget(self.refresh)
        self._rule = QFrame(self)
        self._rule.setAutoFillBackground(True)
        self.list = ResultList(look, self)
        self.empty = EmptyState(look, (choose_folder,), self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self._head, self._rule, self._stack):
            column.addWidget(widget)
        column.setStretch(2, 1)
        self.setAutoFillBackground(True)
        self.set_look(look)
        self.clear()

    def set_look(self, look: Look) -> None:
        """Wear another theme or type scale."""
        px, theme = look.px, look.theme
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(theme.ground))
        self.setPalette(palette)
        rule = self._rule.palette()
        rule.setColor(QPalette.ColorRole.Window, QColor(theme.line))
        self._rule.setPalette(rule)
        self._rule.setFixedHeight(1)
        self.count.setFont(look.font(11, strong=True))
        self.notes.setFont(look.font(11))
        self.notes.set_colour(theme.muted)
        self._row.setContentsMargins(px(16), 0, px(16), 0)
        self._row.setSpacing(px(12))
        self.refresh.setFont(look.font(11))
        self.refresh.setIcon(icon("reindex", theme.text))
        self.refresh.setIconSize(QSize(px(12), px(12)))
        self.refresh.setStyleSheet(flat_button_style(look))
        self._head.setFixedHeight(max(self.count.fontMetrics().height() + px(12), self.refresh.sizeHint().height()))
        self.setMinimumWidth(px(300))
        self.list.set_look(look)
        self.empty.set_look(look)

    def show_result(self, result: SearchResult) -> None:
        """Show a result, or in words that it is empty."""
        self._empty_box = False
        self._show_head(True)
        self.list.show_result(result)
        self.count.setText(count_text(result))
        self.notes.set_text(leg_notes(result) if result.hits else "")  # an empty list says it in its place
        if result.hits:
            self._stack.setCurrentWidget(self.list)
        else:
            self._show_nothing_found(result)

    def clear(self, message: str | None = None) -> None:
        """Show the hint of an empty box, or a sentence about the query."""
        self._empty_box = message is None
        self.list.clear()
        self.count.setText("")
        self.notes.set_text("")
        self._show_head(False)
        if message is None:
            self._show_hint()
        else:
            self._say("info", "", message)

    def offer_refresh(self, offered: bool) -> None:
        """Offer a newer list beside the count, or no longer."""
        self.refresh.setVisible(offered)

    def is_refresh_offered(self) -> bool:
        """Return whether a newer list is offered."""
        return self.refresh.isVisibleTo(self)

    def set_indexing(self, indexing: bool) -> None:
        """Say whether notes are being read: an empty box then tells that searching works all the same."""
        if indexing == self._indexing:
            return
        self._indexing = indexing
        if self._empty_box:
            self._show_hint()

    def set_folder_empty(self, unreadable: bool | None) -> None:
        """Say that the folder holds no notes, or with True none that can be read; None where it does."""
        self._folder_empty = unreadable
        if self._empty_box or (unreadable is not None and not self.list.result_model.hits):
            self._show_hint()

    def _show_head(self, shown: bool) -> None:
        # Comes and goes together with the list, which so never shifts.
        self._head.setVisible(shown)
        self._rule.setVisible(shown)

    def _say(self, sign: str, headline: str, sentence: str, *, buttons: bool = False) -> None:
        self.empty.show_text(sign, headline, sentence, buttons=buttons)
        self._stack.setCurrentWidget(self.empty)

    def _show_hint(self) -> None:
        if self._indexing:
            headline = self.tr("Reading your notes")
            sentence = self.tr("You can search at once: what is read is found, and meanings follow while you work.")
        elif self._folder_empty is not None:
            self._say_empty_folder()
            return
        else:
            headline = self.tr("Type what you remember")
            sentence = self.tr("A word, a name or a question. Up and Down choose a note, Enter opens it.")
        self._say("triskel", headline, sentence)

    def _say_empty_folder(self) -> None:
        if self._folder_empty:
            sentence = self.tr("No note of this folder can be read; Problems, below, says why.")
        else:
            sentence = self.tr("This folder holds no notes ({}).").format(", ".join(NOTE_SUFFIXES))
        self._say("folder", "", sentence, buttons=True)

    def _show_nothing_found(self, result: SearchResult) -> None:
        if result.interim:
            self._say("search", "", self.tr("Still searching…"))
        elif self._folder_empty is not None:
            self._say_empty_folder()
        elif (result.message or "").startswith(NOTHING_MATCHES):
            self._say("search", self.tr("Nothing matches"), self.tr("Try other words, or fewer of them."))
        elif result.message and _has_no_text(result):
            # What was made of the query stands under the box already.
            sentence = result.message.removesuffix(result.remark or "").strip()
            self._say("search", self.tr("Nothing found"), sentence)
        else:
            # Nothing matches may be said only where every leg had its say.
            headline = self.tr("Nothing found so far") if self._indexing else self.tr("Nothing found")
            self._say("search", headline, leg_notes(result))


def _has_no_text(result: SearchResult) -> bool:
    """Say whether no leg had anything to look for: the query holds filters alone, or nothing that was understood."""
    return bool(result.legs) and all(report.state == LegState.SKIPPED for report in result.legs.values())
