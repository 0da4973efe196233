from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Iterator, Optional


class Trie:
    """Prefix tree over lower-case words.

    No dead branches are kept: every leaf apart from the root ends a word.
    """

    @dataclass
    class Node:
        children: dict[str, Trie.Node] = field(default_factory=dict)
        terminal: bool = False

    def __init__(self, *words: str) -> None:
        self.root: Trie.Node = Trie.Node()
        self.word_count: int = 0
        for word in words:
            self.add(word)

    def add(self, word: str) -> None:
        if not (word.isascii() and word.isalpha() and word.islower()):
            raise ValueError(f"not a lower-case word: {word!r}")
        node = self.root
        for letter in word:
            node = node.children.setdefault(letter, Trie.Node())
        self.word_count += not node.terminal
        node.terminal = True

    def discard(self, word: str) -> None:
        path: list[tuple[Trie.Node, str]] = []
        node = self.root
        for letter in word:
            if letter not in node.children:
                return
            path.append((node, letter))
            node = node.children[letter]
        if not node.terminal:
            return
        node.terminal = False
        self.word_count -= 1
        for parent, letter in reversed(path):
            child = parent.children[letter]
            if child.children or child.terminal:
                break
            del parent.children[letter]

    def __iter__(self) -> Iterator[str]:
        def walk(node: Trie.Node, prefix: str) -> Iterator[str]:
            if node.terminal:
                yield prefix
            for letter in sorted(node.children):
                yield from walk(node.children[letter], prefix + letter)

        return walk(self.root, "")

    def rep_ok(self) -> bool:
        if self.root.terminal:
            return False
        seen = {id(self.root)}
        pending = deque([self.root])
        words = 0
        while pending:
            node = pending.popleft()
            for letter, child in node.children.items():
                if len(letter) != 1 or not "a" <= letter <= "z":
                    return False
                if id(child) in seen:
                    return False
                if not child.children and not child.terminal:
                    return False
                seen.add(id(child))
                words += 1 if child.terminal else 0
                pending.append(child)
        return words == self.word_count


class WordIndex:
    """Sorted words in a linked list with an express lane over it.

    The bottom lane links every word; the express lane links a sample of the same
    nodes, in the same order. At most STRIDE plain nodes lie between two express ones.
    """

    STRIDE = 3

    class Entry:
        __slots__ = ("word", "next", "express")

        def __init__(self, word: str) -> None:
            self.word: str = word
            self.next: Optional[WordIndex.Entry] = None
            self.express: Optional[WordIndex.Entry] = None

    def __init__(self) -> None:
        self.head: WordIndex.Entry = self.Entry("")

    def _bottom(self) -> Iterator[Entry]:
        entry = self.head.next
        while entry is not None:
            yield entry
            entry = entry.next

    def _rebuild_express(self) -> None:
        last = self.head
        for i, entry in enumerate(self._bottom(), start=1):
            entry.express = None
            if i % self.STRIDE == 0:
                last.express = entry
                last = entry
        last.express = None

    def _before(self, word: str) -> Entry:
        entry = self.head
        while entry.express is not None and entry.express.word < word:
            entry = entry.express
        while entry.next is not None and entry.next.word < word:
            entry = entry.next
        return entry

    def add(self, word: str) -> None:
        if not word:
            raise ValueError("the empty word is reserved")
        before = self._before(word)
        if before.next is not None and before.next.word == word:
            return
        fresh = self.Entry(word)
        before.next, fresh.next = fresh, before.next
        self._rebuild_express()

    def remove(self, word: str) -> None:
        before = self._before(word)
        if before.next is None or before.next.word != word:
            raise KeyError(word)
        before.next = before.next.next
        self._rebuild_express()

    def rep_ok(self) -> bool:
        if self.head.word != "":
            return False
        expected, gap = self.head.express, 0
        entry = self.head
        while (following := entry.next) is not None:
            # strictly increasing words rule out cycles
            if not entry.word < following.word:
                return False
            entry = following
            if entry is expected:
                expected, gap = entry.express, 0
            elif entry.express is not None:
                return False
            else:
                gap += 1
                if gap > self.STRIDE:
                    return False
        return expected is None


class UndoHistory:
    """A line of text edited by appends and cuts, with undo and redo.

    ``done`` and ``undone`` are stacks of (offset, removed, inserted) edits; the text
    is what results from applying ``done`` to the empty string.
    """

    def __init__(self, limit: int = 100) -> None:
        self.limit: int = limit
        self.done: list[tuple[int, str, str]] = []
        self.undone: list[tuple[int, str, str]] = []
        self.text: str = ""
        self.cursor: int = 0

    def type(self, inserted: str) -> None:
        self._do((self.cursor, "", inserted))

    def backspace(self, count: int = 1) -> None:
        count = min(count, self.cursor)
        start = self.cursor - count
        self._do((start, self.text[start:self.cursor], ""))

    def _do(self, edit: tuple[int, str, str]) -> None:
        if len(self.done) >= self.limit:
            raise OverflowError(f"more than {self.limit} edits")
        if edit[1:] == ("", ""):
            return
        self.text = self._apply(self.text, edit)
        self.cursor = edit[0] + len(edit[2])
        self.done.append(edit)
        self.undone.clear()

    def undo(self) -> bool:
        if not self.done:
            return False
        offset, removed, inserted = edit = self.done.pop()
        self.text = self._apply(self.text, (offset, inserted, removed))
        self.cursor = offset + len(removed)
        self.undone.append(edit)
        return True

    def redo(self) -> bool:
        if not self.undone:
            return False
        edit = self.undone.pop()
        self.text = self._apply(self.text, edit)
        self.cursor = edit[0] + len(edit[2])
        self.done.append(edit)
        return True

    @staticmethod
    def _apply(text: str, edit: tuple[int, str, str]) -> str:
        offset, removed, inserted = edit
        end = offset + len(removed)
        if offset < 0 or end > len(text) or text[offset:end] != removed:
            raise ValueError(f"edit {edit} does not fit {text!r}")
        return text[:offset] + inserted + text[end:]

    def rep_ok(self) -> bool:
        timeline = self.done + self.undone[::-1]
        if len(timeline) > self.limit or not 0 <= self.cursor <= len(self.text):
            return False
        text = ""
        versions = [text]
        try:
            for edit in timeline:
                text = self._apply(text, edit)
                versions.append(text)
        except ValueError:
            return False
        return versions[len(self.done)] == self.text
