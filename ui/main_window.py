"""The window: puts its parts together, turns what the user does into signals, and shows what the app gives it.

Knows core's result types and nothing below them; whoever creates it connects the signals and calls the methods.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QCloseEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from ui.actions import Actions
from ui.cheat_sheet import CheatSheet
from ui.chips import ChipRow, text_without
from ui.empty_state import EmptyState
from ui.enter_key import EnterKey
from ui.export_menu import ExportMenu, row_menu
from ui.icons import icon
from ui.notice import Notice, NoticeKind
from ui.panes import NARROW, Panes
from ui.preview_pane import PreviewPane
from ui.problems_dialog import ProblemsDialog
from ui.query_box import QueryBox
from ui.reading import Reading
from ui.result_list import ResultList
from ui.result_pane import ResultPane
from ui.status import StatusLine
from ui.tool_row import ToolRow
from ui.window_look import WindowLook

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.index.progress import IndexProgress, IndexReport, Problem
    from core.search.query import Clause
    from core.search.results import Hit, SearchResult
    from ui.theme import Look, Theme
    from ui.upkeep import Upkeep


class MainWindow(QMainWindow):
    """See the signals and methods; `find_marks(text, words)` gives spans in code points for the preview."""

    query_changed = Signal(str)
    open_requested = Signal(object)
    preview_requested = Signal(object)
    choose_folder_requested = Signal()
    sample_requested = Signal()
    reindex_requested = Signal()
    refresh_requested = Signal()
    cancel_indexing_requested = Signal()
    pause_requested = Signal(bool)
    accept_empty_requested = Signal()
    export_requested = Signal(str, object, object)
    copy_requested = Signal(str, object)
    link_activated = Signal(str)
    go_requested = Signal(int)
    closing = Signal()

    def __init__(
        self, *, find_marks: Callable[[str, Sequence[str]], list[tuple[int, int]]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._result: SearchResult | None = None
        self._problems: tuple[Problem, ...] = ()
        self._closed = False
        self._wardrobe = WindowLook(self)
        self._look = self._wardrobe.look

        self._actions = Actions(self)
        self._export = ExportMenu(self._actions, self.selected_rows, self)
        self._tools = ToolRow(self._look, self._actions, self._export.menu, self)
        self._chips = ChipRow(self._look, self._tools.box, self)
        self._notice = Notice(self._look, self)
        self._results = ResultPane(self._look, self._actions["choose_folder"], self)
        self._preview = PreviewPane(self._look, self._actions, find_marks, self)
        self._welcome = EmptyState(self._look, (self._actions["choose_folder"], self._actions["sample"]), self)
        self._status = StatusLine(self._look, self)
        self._reading = Reading(self._results.list, self._preview, self)
        self._enter = EnterKey(self._tools.box, self._results.list, self)
        self._assemble()
        self._connect()
        self._wear(self._look)
        self.show_folder(None)
        self.resize(self._look.px(1120), self._look.px(720))
        self.query_box.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- what the app gives ------------------------------------------------------------------------------------------

    def show_folder(self, name: str | None, path: str = "") -> None:
        """Name the folder that is searched; None shows the welcome page instead."""
        self._tools.show_folder(name, path)
        self.result_list.result_model.set_folder(Path(path) if name is not None and path else None)
        self.setWindowTitle(self.tr("Triskel") if name is None else f"{name} – {self.tr('Triskel')}")
        self._pages.setCurrentWidget(self._welcome if name is None else self._panes)
        self._actions["reindex"].setEnabled(name is not None)
        self._problems = ()
        self._actions["problems"].setEnabled(False)
        self._status.clear_report()
        self._results.set_folder_empty(None)
        self.clear_result()

    def show_result(self, result: SearchResult) -> None:
        """Show the answer to a query; the selected note stays selected when a later one to the same query comes."""
        self._result = result
        self._enter.take_answer()
        self._reading.take(result)
        self._chips.show_query(result.clauses, result.remark)
        self._results.show_result(result)
        self._reading.settle()
        self._status.show_result(result)
        self._renew_export()
        if not result.interim:
            self._announce(" ".join(filter(None, (self._results.count.text(), result.message))))
            self._enter.open_if_waiting()

    def show_coverage(self, result: SearchResult) -> None:
        """Tell what the legs can see by now, of a query whose list looks as it did."""
        self._status.show_result(result)

    def offer_refresh(self, offered: bool) -> None:
        """Offer a newer list, or no longer; the one that is shown stays as it is."""
        if offered and not self._results.is_refresh_offered():
            self._announce(self.tr("The results have changed. F5 shows them."))
        self._results.offer_refresh(offered)

    def clear_result(self, message: str | None = None) -> None:
        """Show the hint of an empty box, or a sentence about the query."""
        self._result = None
        self._enter.forget()
        self._reading.take(None)
        self._chips.show_query((), None)
        self._results.clear(message)
        self._status.clear_result()
        self._renew_export()
        if message:
            self._announce(message)

    def show_preview(self, hit: Hit, markdown: str, words: Sequence[str], *, other: str = "") -> None:
        """Render a note, centred on the hit's best passage, with `words` marked.

        One no longer selected is dropped, unless `other` says why one is shown that the list does not hold.
        """
        self._reading.show_note(hit, markdown, words, other=other)

    def renew_preview(self, hit: Hit, markdown: str) -> None:
        """Show the text of the note in the preview as it is now, where the reader is; another note stays as it is."""
        self._reading.renew_note(hit, markdown)

    def show_preview_error(self, hit: Hit, sentence: str) -> None:
        """Say in place of a note why it cannot be shown."""
        self._reading.show_error(hit, sentence)

    def select_note(self, path: str) -> bool:
        """Select a note and ask for it to be shown; return whether the list holds it."""
        return self._reading.select(path)

    def show_ways(self, *, back: bool, forward: bool) -> None:
        """Say whether the preview can go back, and forward again."""
        self._actions["back"].setEnabled(back)
        self._actions["forward"].setEnabled(forward)

    def go_to_box(self) -> None:
        """Put the cursor into the box, its text selected."""
        self._focus_box()
        self.query_box.selectAll()

    def show_progress(self, progress: IndexProgress | None) -> None:
        """Show how far indexing is, with a button that stops it; None is idle."""
        self._status.show_progress(progress)
        self._results.set_indexing(progress is not None)
        self._actions["cancel"].setEnabled(progress is not None)

    def show_report(self, report: IndexReport) -> None:
        """Show how a run ended, and the problems it met behind a button."""
        self._problems = report.problems
        self._actions["problems"].setEnabled(bool(report.problems))
        self._status.show_report(report)
        self._results.set_folder_empty(None if report.notes or report.cancelled else bool(report.skipped))

    def show_upkeep(self, upkeep: Upkeep) -> None:
        """Show how the index is kept up to date: paused, offline, late."""
        self._status.show_upkeep(upkeep)
        self._actions["pause"].setChecked(upkeep.paused)
        self._actions["accept_empty"].setEnabled(upkeep.emptied)

    def show_stopped(self) -> None:
        """Show that a run was stopped before it could say how far it came."""
        self._status.show_stopped()

    def show_notice(self, sentence: str | None, kind: NoticeKind = NoticeKind.PROBLEM) -> None:
        """Show a sentence in a quiet line that can be dismissed; None takes it away."""
        self._notice.show_sentence(sentence, kind)
        if sentence:
            self._announce(sentence)

    def selected_rows(self) -> tuple[int, ...]:
        """Return the selected rows of the list, from 0, in its order."""
        return self.result_list.selected_rows()

    def use_theme(self, theme: Theme | None) -> None:
        """Wear this theme whatever the system says; None follows the system again."""
        self._wardrobe.use_theme(theme)

    @property
    def query_box(self) -> QueryBox:
        """The box where the cursor starts."""
        return self._tools.box

    @property
    def chip_row(self) -> ChipRow:
        """How the query was understood, under the box."""
        return self._chips

    @property
    def result_list(self) -> ResultList:
        """The list of results."""
        return self._results.list

    @property
    def preview_pane(self) -> PreviewPane:
        """The preview with its head and *Why this note?*."""
        return self._preview

    @property
    def status_line(self) -> StatusLine:
        """The status line."""
        return self._status

    @property
    def actions_by_key(self) -> Actions:
        """The actions of the table in `ui.actions`."""
        return self._actions

    @property
    def export_menu(self) -> ExportMenu:
        """The export menu; its `choose_file` may be replaced in tests."""
        return self._export

    def open_problems(self) -> ProblemsDialog:
        """Open the list of problems and return its dialog."""
        dialog = ProblemsDialog(self._problems, self._look, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        return dialog

    # -- assembly ----------------------------------------------------------------------------------------------------

    def _assemble(self) -> None:
        self._panes = Panes(self._results, self._preview, self)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self._welcome)
        self._pages.addWidget(self._panes)
        self._welcome.show_text(
            "triskel",
            self.tr("Find the note you mean"),
            self.tr(
                "Triskel searches a folder of notes by words, by meaning and by links. "
                "Nothing leaves this machine, and nothing is written into the folder."
            ),
        )
        centre = QWidget(self)
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self._tools, self._chips, self._notice, self._pages, self._status):
            column.addWidget(widget)
        column.setStretchFactor(self._pages, 1)
        self.setCentralWidget(centre)
        self._actions["cancel"].setEnabled(False)
        self._actions["problems"].setEnabled(False)
        self._actions["accept_empty"].setEnabled(False)
        self._actions["preview"].setChecked(True)
        self.show_ways(back=False, forward=False)

    def _connect(self) -> None:
        box, rows, pane, act = self.query_box, self.result_list, self._preview, self._actions
        box.query_changed.connect(self.query_changed)
        self._enter.open_requested.connect(self.open_requested)
        self._chips.remove_requested.connect(self._on_remove_requested)
        rows.selection_changed.connect(self._renew_export)
        rows.open_requested.connect(self.open_requested)
        rows.escape_pressed.connect(self._focus_box)
        rows.text_typed.connect(self._on_text_typed)
        rows.customContextMenuRequested.connect(self._on_context_menu)
        pane.preview.link_activated.connect(self.link_activated)
        pane.preview.escape_pressed.connect(self._focus_box)
        self._reading.preview_requested.connect(self.preview_requested)
        self._export.export_requested.connect(self.export_requested)
        self._export.copy_requested.connect(self.copy_requested)
        self._results.refresh_requested.connect(self.refresh_requested)
        self._status.cancel_requested.connect(self.cancel_indexing_requested)
        self._status.pause_requested.connect(self.pause_requested)
        self._status.problems_requested.connect(self.open_problems)
        act["choose_folder"].triggered.connect(self.choose_folder_requested)
        act["sample"].triggered.connect(self.sample_requested)
        act["reindex"].triggered.connect(self.reindex_requested)
        act["cancel"].triggered.connect(self.cancel_indexing_requested)
        act["pause"].triggered.connect(self.pause_requested)
        act["accept_empty"].triggered.connect(self.accept_empty_requested)
        act["problems"].triggered.connect(self.open_problems)
        act["focus_box"].triggered.connect(self.go_to_box)
        act["back"].triggered.connect(lambda: self.go_requested.emit(-1))
        act["forward"].triggered.connect(lambda: self.go_requested.emit(1))
        act["open"].triggered.connect(self._enter.open_current)
        act["next_match"].triggered.connect(lambda: pane.preview.go_to_next(1))
        act["previous_match"].triggered.connect(lambda: pane.preview.go_to_next(-1))
        act["why"].toggled.connect(pane.why.button.setChecked)
        pane.why.toggled.connect(act["why"].setChecked)
        act["why"].triggered.connect(self._on_why_triggered)
        act["preview"].triggered.connect(self._panes.show_note)
        self._panes.note_shown.connect(act["preview"].setChecked)
        act["keys"].triggered.connect(lambda: CheatSheet(self._look, self).open())
        act["quit"].triggered.connect(self.close)
        self._wardrobe.changed.connect(self._wear)

    # -- look --------------------------------------------------------------------------------------------------------

    def _wear(self, look: Look) -> None:
        self._look = look
        self._wardrobe.dress_application()
        self._actions.set_look(look)
        for part in (self._tools, self._chips, self._notice, self._results, self._preview, self._welcome, self._status):
            part.set_look(look)
        self.setWindowIcon(icon("triskel", look.theme.accent))
        self.setMinimumSize(look.px(340), look.px(320))
        self._panes.set_threshold(look.px(NARROW))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationFontChange:
            self._wardrobe.renew()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._panes.fit()

    def _on_why_triggered(self, wanted: bool) -> None:
        if wanted:  # the panel stands under the note: a hidden one would answer nothing
            self._panes.show_note(True)

    # -- what the user does ------------------------------------------------------------------------------------------

    def _on_remove_requested(self, clause: Clause) -> None:
        """Take a part out of the query, as undo in the box can take back, and search for the rest at once."""
        left = text_without(self.query_box.text(), self._result.query, clause) if self._result else None
        if left is not None:
            self.query_box.change_text(*left)
            self.query_box.flush()
        self._focus_box()

    def _on_text_typed(self, text: str) -> None:
        self._focus_box()
        self.query_box.insert(text)

    def _focus_box(self) -> None:
        self.query_box.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take Esc from wherever nothing else wanted it: buttons, bars, the welcome page."""
        if event.key() == Qt.Key.Key_Escape:
            self._focus_box()
        else:
            super().keyPressEvent(event)

    def _on_context_menu(self, place: QPoint) -> None:
        if self.result_list.indexAt(place).isValid():
            row_menu(self._actions, self).popup(self.result_list.viewport().mapToGlobal(place))

    def _renew_export(self) -> None:
        result = self._result
        self._export.set_state(
            exportable=result is not None and not result.interim,
            rows=0 if result is None else len(result.hits),
            selected=len(self.selected_rows()),
            query="" if result is None else result.query,
        )

    def _announce(self, sentence: str) -> None:
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.result_list, sentence))

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._closed:
            self._closed = True
            self._reading.stop()
            self.query_box.stop()
            self.closing.emit()
        super().closeEvent(event)
