"""The settings on one page. Each change holds at once; nothing is stored here, only told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.export.note_link import LinkForm
from ui.plain_text import one_line, tooltip_of, without_direction
from ui.preferences import TEXT_SIZES, IndexRow, Preferences, ThemeChoice

if TYPE_CHECKING:
    from ui.theme import Look


class SettingsDialog(QDialog):
    """Tells `preferences_changed` with the whole of them; `show_fault` and `show_model` answer what was chosen."""

    preferences_changed = Signal(object)
    choose_model_requested = Signal()
    forget_requested = Signal(str)

    def __init__(
        self,
        preferences: Preferences,
        editors: Sequence[tuple[str, str]],
        indexes: Sequence[IndexRow],
        look: Look,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._look = look
        px = look.px
        self.setFont(look.font(12))
        self.setWindowTitle(self.tr("Settings"))
        self.theme = self._choice(
            [
                (ThemeChoice.SYSTEM, self.tr("As the system")),
                (ThemeChoice.LIGHT, self.tr("Light")),
                (ThemeChoice.DARK, self.tr("Dark")),
                (ThemeChoice.HIGH_CONTRAST_LIGHT, self.tr("High contrast, light")),
                (ThemeChoice.HIGH_CONTRAST_DARK, self.tr("High contrast, dark")),
            ],
            preferences.theme,
            "theme",
        )
        self.text_size = self._choice(
            [(size, self.tr("{} %").format(size)) for size in TEXT_SIZES], preferences.text_percent, "text_percent"
        )
        self.link_form = self._choice(
            [
                (LinkForm.WIKILINK, self.tr("[[Title]]")),
                (LinkForm.MARKDOWN, self.tr("[Title](path)")),
                (LinkForm.PATH, self.tr("The file's path")),
            ],
            preferences.link_form,
            "link_form",
        )
        self.editor = self._editors(editors)
        self.fault = _note(self, look)
        self.fault.hide()
        self.model = QLabel(self)
        self.model.setWordWrap(True)
        self.model.setTextFormat(Qt.TextFormat.PlainText)
        self.choose_model = QPushButton(self.tr("Choose a folder…"), self)
        self.choose_model.setAccessibleName(self.tr("Choose a folder that holds a model"))
        self.choose_model.clicked.connect(self.choose_model_requested)
        self.built_in_model = QPushButton(self.tr("Use the built-in one"), self)
        self.built_in_model.clicked.connect(lambda: self._tell(model=None))
        self.indexes = self._index_list(indexes)
        self.forget = QPushButton(self.tr("Forget this folder"), self)
        self.forget.clicked.connect(self._on_forget)
        self._renew_forget()
        self._lay_out(px)
        self.show_model(self.tr("The built-in model. It reads English."), built_in=preferences.model is None)
        self.resize(px(600), self.sizeHint().height())

    @property
    def preferences(self) -> Preferences:
        """What is chosen now."""
        return self._preferences

    def show_fault(self, sentence: str) -> None:
        """Say why the editor that was typed cannot be used; "" when it can."""
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))

    def show_model(self, sentence: str, *, built_in: bool) -> None:
        """Say which model is used and what it reads."""
        self.model.setText(sentence)
        self.built_in_model.setEnabled(not built_in)

    def use_model(self, folder: str) -> None:
        """Take a model folder that was chosen."""
        self._tell(model=folder)

    def remove_index(self, folder: str) -> None:
        """Take an index that has gone out of the list."""
        for row in reversed(range(self.indexes.count())):
            if self.indexes.item(row).data(Qt.ItemDataRole.UserRole) == folder:
                self.indexes.takeItem(row)
        self._renew_forget()

    def _tell(self, **changes: Any) -> None:
        before, self._preferences = self._preferences, replace(self._preferences, **changes)
        if self._preferences != before:
            self.preferences_changed.emit(self._preferences)

    def _choice(self, entries: Sequence[tuple[Any, str]], chosen: object, name: str) -> QComboBox:
        box = QComboBox(self)
        for value, text in entries:
            box.addItem(text, value)
        box.setCurrentIndex(max(0, next((at for at, (value, _) in enumerate(entries) if value == chosen), 0)))
        box.activated.connect(lambda at: self._tell(**{name: entries[at][0]}))
        return box

    def _editors(self, editors: Sequence[tuple[str, str]]) -> QComboBox:
        box = QComboBox(self)
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        for name, template in editors:
            box.addItem(template, template)
            box.setItemData(box.count() - 1, name, Qt.ItemDataRole.ToolTipRole)
        line = QLineEdit(self)
        box.setLineEdit(line)
        box.setEditText(self._preferences.editor)
        line.setPlaceholderText(self.tr("The system's program for the file"))
        line.editingFinished.connect(lambda: self._tell(editor=line.text().strip()))
        box.activated.connect(lambda _at: self._tell(editor=line.text().strip()))
        return box

    def _index_list(self, indexes: Sequence[IndexRow]) -> QListWidget:
        rows = QListWidget(self)
        rows.setAccessibleName(self.tr("Indexes on this machine"))
        for index in indexes:
            name = without_direction(one_line(index.folder)) if index.folder else self.tr("(folder not known)")
            text = self.tr("{folder}: {size:,.1f} MB").format(folder=name, size=index.size_bytes / 1024**2)
            item = QListWidgetItem(self.tr("{} (open now)").format(text) if index.is_open else text)
            item.setData(Qt.ItemDataRole.UserRole, index.folder)
            item.setData(Qt.ItemDataRole.UserRole + 1, index.is_open)
            item.setToolTip(tooltip_of(index.folder or text))
            rows.addItem(item)
        rows.currentRowChanged.connect(lambda _row: self._renew_forget())
        return rows

    def _renew_forget(self) -> None:
        at = self.indexes.currentRow()
        self.forget.setEnabled(at >= 0 and not self.indexes.item(at).data(Qt.ItemDataRole.UserRole + 1))

    def _on_forget(self) -> None:
        item = self.indexes.currentItem()
        if item is not None:
            self.forget_requested.emit(item.data(Qt.ItemDataRole.UserRole))

    def _lay_out(self, px: Any) -> None:
        form = QGridLayout()
        form.setHorizontalSpacing(px(16))
        form.setVerticalSpacing(px(8))
        form.setColumnStretch(1, 1)
        hint = _note(self, self._look)
        hint.setText(self.tr("Ctrl+Enter opens the note there. {file} and {line} stand for the note and the line."))
        buttons = QHBoxLayout()
        buttons.setSpacing(px(8))
        buttons.addWidget(self.choose_model)
        buttons.addWidget(self.built_in_model)
        buttons.addStretch(1)
        # A grid, since a form lays out wrapped text in too few lines.
        rows: list[tuple[str, QWidget | QHBoxLayout]] = [
            (self.tr("&Colours"), self.theme),
            (self.tr("&Text size"), self.text_size),
            (self.tr("&Editor"), self.editor),
            ("", self.fault),
            ("", hint),
            (self.tr("A copied &link is"), self.link_form),
            (self.tr("Model for meaning"), self.model),
            ("", buttons),
        ]
        for at, (text, field) in enumerate(rows):
            if text:
                name = QLabel(text, self)
                form.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop)
                name.setMargin(px(3))
                if field is not self.model and isinstance(field, QWidget):
                    name.setBuddy(field)
                    field.setAccessibleName(text.replace("&", ""))
            if isinstance(field, QWidget):
                form.addWidget(field, at, 1)
            else:
                form.addLayout(field, at, 1)
        heading = QLabel(self.tr("Indexes on this machine"), self)
        heading.setBuddy(self.indexes)
        told = _note(self, self._look)
        told.setText(
            self.tr("An index is made of your notes and can be made again. Forgetting one leaves the notes alone.")
        )
        forget = QHBoxLayout()
        forget.addWidget(self.forget)
        forget.addStretch(1)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        close.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(16), px(16), px(16))
        column.setSpacing(px(8))
        column.addLayout(form)
        column.addSpacing(px(8))
        column.addWidget(heading)
        column.addWidget(self.indexes, 1)
        column.addWidget(told)
        column.addLayout(forget)
        column.addWidget(close)
        # Enter in the editor's field ends the field, and presses nothing.
        for button in (self.choose_model, self.built_in_model, self.forget, *close.buttons()):
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)
                button.setDefault(False)


def _note(parent: QWidget, look: Look) -> QLabel:
    label = QLabel(parent)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    palette = label.palette()
    palette.setColor(QPalette.ColorRole.WindowText, QColor(look.theme.muted))
    label.setPalette(palette)
    return label
