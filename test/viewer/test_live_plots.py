"""The history behind a plot: what is kept, for how long, and what is left out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robodyn_ros.viewer.live_plots import (
    LARGEST,
    LEAST_RANGE,
    History,
    LivePlot,
    Pace,
    PlotText,
)
from robodyn_ros.viewer.page import Page


def times(history: History) -> list[float]:
    """Return the times of the samples, before the last."""
    return [round(float(x), 6) for x in history.columns()[0]]


def test_it_keeps_the_last_seconds_at_the_rate() -> None:
    history = History(1, span=1.0, rate=10.0)
    kept = [history.add(k / 100.0, [float(k)]) for k in range(1000)]
    assert sum(kept) == 100
    before, values = history.columns()
    np.testing.assert_allclose(before, np.linspace(-1.0, 0.0, 11), atol=1e-9)
    np.testing.assert_allclose(values, np.linspace(890.0, 990.0, 11))


def test_a_time_that_jumps_begins_anew() -> None:
    history = History(1, span=1.0, rate=10.0)
    for time in (5.0, 5.1, 5.2):
        assert history.add(time, [time])
    assert history.add(0.0, [1.0])
    assert times(history) == [0.0]
    assert history.add(100.0, [2.0])
    assert times(history) == [0.0]


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf, 10.0 * LARGEST])
def test_numbers_that_cannot_be_shown_are_gaps(odd: float) -> None:
    history = History(2)
    history.add(1.0, [odd, 3.0])
    _, first, second = history.columns()
    assert math.isnan(first[0])
    assert second[0] == 3.0
    assert not history.add(math.nan, [1.0, 1.0])
    assert not history.add(math.inf, [1.0, 1.0])


def test_without_samples_there_is_a_column_for_each_number() -> None:
    history = History(3)
    history.add(1.0, [1.0, 2.0, 3.0])
    history.clear()
    columns = history.columns()
    assert [column.shape for column in columns] == [(1,)] * 4
    assert all(math.isnan(column[0]) for column in columns[1:])


def test_a_pace_is_that_of_its_clock() -> None:
    now = 0.0
    pace = Pace(4.0, lambda: now)
    taken = []
    for k in range(100):
        now = k / 40.0
        if pace.is_due():
            taken.append(k)
    assert taken == list(range(0, 100, 10))


@pytest.mark.parametrize("level", [0.0, 72.3])
def test_what_is_rounding_does_not_fill_the_plot(level: float, page: Page) -> None:
    plot = LivePlot(page.server.gui, PlotText("effort", ("measured",)))
    for k in range(20):
        plot.add(0.1 * k, [level + 1e-9 * (-1) ** k])
    plot.draw()
    low, high = plot.handle.scales["y"]["range"]
    assert low < level < high
    assert high - low >= LEAST_RANGE
    plot.add(2.5, [level + 1.0])
    plot.draw()
    assert "y" not in plot.handle.scales
