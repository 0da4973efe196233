"""Features of runs, and which of them come closest to a boundary."""

from unlike.observe import BY, Behaviour, closest_of, features_of


def test_a_run_shows_its_turns_its_path_its_boundaries_and_its_results() -> None:
    run = Behaviour(
        turns={(0, True): 3, (1, "ValueError"): 1},
        near={(2, -1): -1, (2, 0): 0, (3, 1): 7},
        rounds=frozenset({(4, 0), (4, 2)}),
        results=(("raises", "ValueError"),),
    )

    assert features_of(run, "branches") == [("branches", 0, True), ("branches", 1, "ValueError")]
    assert features_of(run, "paths")[:3] == [
        ("paths", "again", 0, True),
        ("paths", "rounds", 4, 0),
        ("paths", "rounds", 4, 2),
    ]
    assert features_of(run, "boundaries") == [("boundaries", 2, -1), ("boundaries", 2, 0)]
    assert features_of(run, "results") == [("results", "raises", "ValueError")]
    assert all(features_of(Behaviour(), by) == [] for by in BY if by != "paths")


def test_a_boundary_counts_for_the_runs_that_come_closest_to_it() -> None:
    near, far = Behaviour(near={(0, 1): 5, (0, -1): -9}), Behaviour(near={(0, 1): 6, (0, -1): -2})
    closest = closest_of([near, far])

    assert closest == {(0, 1): 5, (0, -1): -2}
    assert features_of(near, "boundaries", closest) == [("boundaries", 0, 1)]
    assert features_of(far, "boundaries", closest) == [("boundaries", 0, -1)]


def test_paths_differ_by_how_often_up_to_twice() -> None:
    once, twice, thrice = (Behaviour(turns={(0, True): count}) for count in (1, 2, 3))

    assert features_of(once, "paths") != features_of(twice, "paths") == features_of(thrice, "paths")
