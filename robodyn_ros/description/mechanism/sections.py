"""Mappings with known keys: the pieces that the schema is made of, and how they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from robodyn_ros.description.mechanism.kinds import Kind, Scope, checked_name, listed
from robodyn_ros.description.mechanism.nodes import Place, Scalar
from robodyn_ros.errors import DescriptionError, did_you_mean, quoted


class Required:
    """Stands for the default of a key that has none."""


REQUIRED = Required()


@dataclass(frozen=True)
class Key:
    """One key of a section.

    Attributes:
        name: as the file writes it.
        kind: what its value may be.
        meaning: one sentence for the reference.
        default: the value where the key is absent; REQUIRED where it must not be.
        default_text: how the reference shows the default.
    """

    name: str
    kind: Kind
    meaning: str
    default: Any = REQUIRED
    default_text: str = ""

    @property
    def required(self) -> bool:
        """Whether the key must be given."""
        return self.default is REQUIRED


class Entry:
    """What a section was read to: values by key, and where each stands."""

    def __init__(
        self, place: Place, places: Mapping[str, Place], values: Mapping[str, Any]
    ) -> None:
        """Keep what was read; `values` has the defaults too, `places` only what is written."""
        self.place = place
        self._places = places
        self._values = values

    def __getitem__(self, key: str) -> Any:
        """Return the value of a key."""
        return self._values[key]

    def get(self, key: str) -> Any:
        """Return the value of a key, None where the section does not know it."""
        return self._values.get(key)

    def gives(self, *keys: str) -> bool:
        """Return whether one of the keys is written."""
        return any(key in self._places for key in keys)

    @property
    def is_bare(self) -> bool:
        """Whether nothing is written."""
        return not self._places

    def given(self, *keys: str) -> dict[str, Any]:
        """Return the values of those of the keys that are written."""
        return {key: self._values[key] for key in keys if key in self._places}

    def at(self, key: str) -> Place:
        """Return the place of a key, that of the section where it is not written."""
        return self._places.get(key, self.place)

    def failure(self, key: str, text: str) -> DescriptionError:
        """Return the error about a key's value."""
        return self.at(key).failure(text)

    @property
    def where(self) -> str:
        """The place as other errors cite it."""
        return self.place.where


@dataclass(frozen=True)
class Section(Kind):
    """A mapping with known keys.

    Attributes:
        what: what it describes, with its article: "a joint".
        keys: its keys in the order of the reference.
        alternatives: groups of keys of which at most one may be given.
        elsewhere: for keys that others of its kind have, what is said of them.
    """

    what: str
    keys: tuple[Key, ...]
    alternatives: tuple[tuple[str, ...], ...] = ()
    elsewhere: Mapping[str, str] | None = None

    @property
    def text(self) -> str:
        """Say what it describes and with which keys."""
        return f"{self.what}: a mapping with keys {listed([key.name for key in self.keys])}"

    def read(self, place: Place, scope: Scope) -> Entry:
        """Return the section's values, unknown and missing keys refused."""
        places = place.entries(self.text)
        known = [key.name for key in self.keys]
        for name, at in places.items():
            if name not in known:
                raise at.failure(self._unknown(name, known))
        for group in self.alternatives:
            both = [name for name in group if name in places]
            if len(both) > 1:
                raise places[both[1]].failure(f"stands beside {both[0]}; give one of them")
        values: dict[str, Any] = {}
        for key in self.keys:
            if key.name in places:
                values[key.name] = key.kind.read(places[key.name], scope)
            elif key.required:
                raise place.failure(f"lacks {key.name}; add {key.name}: ({key.kind.text})")
            else:
                values[key.name] = key.default
        return Entry(place, places, values)

    def _unknown(self, name: str, known: list[str]) -> str:
        if self.elsewhere and name in self.elsewhere:
            return self.elsewhere[name]
        return f"unknown key of {self.what}{did_you_mean(name, known)} (known: {listed(known, 40)})"


@dataclass(frozen=True)
class Empty(Kind):
    """A section that may be left empty: `base:` alone is a body without mass."""

    section: Section

    @property
    def text(self) -> str:
        """Say what the section takes."""
        return self.section.text

    def read(self, place: Place, scope: Scope) -> Entry:
        """Return the section's values, all defaults where nothing is written."""
        if place.is_empty:
            return Entry(place, {}, {key.name: key.default for key in self.section.keys})
        return self.section.read(place, scope)


@dataclass(frozen=True)
class Named(Kind):
    """A mapping from names to things of one kind."""

    thing: str
    item: Kind

    @property
    def text(self) -> str:
        """Say so."""
        return f"a mapping from names of {self.thing} to their descriptions"

    def read(self, place: Place, scope: Scope) -> dict[str, Any]:
        """Return the things by name, in the order of the file."""
        if place.is_empty:
            return {}
        return {checked_name(at, name): self.item.read(at, scope) for name, at in self._each(place)}

    def _each(self, place: Place) -> Iterator[tuple[str, Place]]:
        seen: dict[str, Place] = {}
        for name, at in place.entries(self.text).items():
            plain = name.strip()
            if plain in seen:
                raise at.failure(f"the name {quoted(plain)} is taken ({seen[plain].where})")
            seen[plain] = at
            yield plain, at


def scalar_text(place: Place) -> str:
    """Return a scalar's text, "" for anything else."""
    return place.node.text.strip() if isinstance(place.node, Scalar) else ""
