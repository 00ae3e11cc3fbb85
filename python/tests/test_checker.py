"""Checkers on tables of all kinds, and a million motions from file to file."""

import os
import pathlib
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import chasles
from cases import matrices, random_poses
from chasles import _parquet

TORUS = chasles.Mesh.torus()
CHECK = chasles.Checker(TORUS, TORUS, facing=True, proper=True)


def poses(count, seed=5):
    return matrices(random_poses(count, seed)), matrices(random_poses(count, seed + 1))


def expected(starts, ends):
    return chasles.first_times(TORUS, TORUS, starts, ends, facing=True, proper=True)


def test_dictionaries_of_arrays():
    starts, ends = poses(50)
    found = CHECK({"start": starts, "end": ends})
    assert list(found) == ["time"]
    np.testing.assert_array_equal(found["time"], expected(starts, ends))
    flat = CHECK({"start": starts.reshape(-1, 16), "end": ends.reshape(-1, 16)})
    np.testing.assert_array_equal(flat["time"], found["time"])
    with pytest.raises(chasles.Error, match="needs the columns start and end; this one has begin"):
        CHECK({"begin": starts})
    with pytest.raises(chasles.Error, match="ask is 'tim'; expected time, contact"):
        chasles.Checker(TORUS, TORUS, ask="tim")
    with pytest.raises(TypeError, match="is no option here"):
        chasles.Checker(TORUS, TORUS, facin=True)


@pytest.mark.parametrize(
    "ask, columns",
    [
        ("outcome", {"outcome", "time"}),
        ("clearance", {"lower", "upper", "time"}),
        (
            "contact",
            {
                "time",
                "kind",
                "feature_a",
                "feature_b",
                "point",
                "normal",
                "properness",
                "normal_speed",
            },
        ),
    ],
)
def test_other_questions(ask, columns):
    starts, ends = poses(20)
    found = chasles.Checker(TORUS, TORUS, ask=ask)({"start": starts, "end": ends, "id": range(20)})
    assert set(found) == columns | {"id"}
    assert all(len(column) == 20 for column in found.values())


def test_a_motion_without_answer_is_named():
    starts, ends = poses(10)
    starts[7, 0, 0] += 1
    with pytest.raises(chasles.MotionError, match="pose 7: starts: the matrix scales"):
        CHECK({"start": starts, "end": ends})


def test_threads_of_the_environment_count(monkeypatch):
    monkeypatch.setenv("CHASLES_THREADS", "3")
    assert CHECK._options()["threads"] == 3
    assert chasles.Checker(TORUS, TORUS, threads=2)._options()["threads"] == 2


def arrow_table(count, seed=5):
    pyarrow = pytest.importorskip("pyarrow")
    starts, ends = poses(count, seed)

    def lists(array):
        return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(array.ravel()), 16)

    return pyarrow.table({"id": np.arange(count), "start": lists(starts), "end": lists(ends)})


def test_arrow_tables_in_and_out():
    pyarrow = pytest.importorskip("pyarrow")
    table = arrow_table(40)
    starts, ends = poses(40)
    found = CHECK(table)
    assert isinstance(found, pyarrow.Table) and found.schema.names == ["time", "id"]
    np.testing.assert_array_equal(found["time"].to_numpy(), expected(starts, ends))
    nested = pyarrow.table({"start": starts.tolist(), "end": ends.tolist()})
    np.testing.assert_array_equal(CHECK(nested)["time"].to_numpy(), expected(starts, ends))
    pieces = pyarrow.concat_tables([table.slice(0, 7), table.slice(7)])
    assert CHECK(pieces).to_pydict()["id"] == found.to_pydict()["id"]
    np.testing.assert_array_equal(CHECK(pieces)["time"], found["time"])
    assert CHECK(table.slice(3, 5))["id"].to_pylist() == [3, 4, 5, 6, 7]
    np.testing.assert_array_equal(CHECK(table.slice(3, 5))["time"], found["time"].slice(3, 5))
    batch = table.to_batches()[0]
    np.testing.assert_array_equal(CHECK(batch)["time"], found["time"])
    gap = pyarrow.table({"start": [starts[0].tolist(), None], "end": ends[:2].tolist()})
    with pytest.raises(chasles.Error, match="the column start has no pose in row 1"):
        CHECK(gap)


def test_tables_of_pandas():
    pandas = pytest.importorskip("pandas")
    starts, ends = poses(10)
    frame = pandas.DataFrame(
        {"start": list(starts), "end": list(ends), "id": range(10)}, index=range(100, 110)
    )
    found = CHECK(frame)
    assert found.index.tolist() == list(range(100, 110)) and list(found) == ["time", "id"]
    np.testing.assert_array_equal(found["time"], expected(starts, ends))


def written(path, count, group=1000):
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow_table(count), path, row_group_size=group)
    return path


@pytest.mark.parametrize("rows, group", [(300, 1000), (1000, 300), (17, 10_000)])
def test_parquet_in_parts_is_the_whole(tmp_path, rows, group):
    parquet = pytest.importorskip("pyarrow.parquet")
    source = written(tmp_path / "in.parquet", 600, group)
    target = tmp_path / "out.parquet"
    told = []
    count = chasles.check_parquet(
        source, target, CHECK, rows=rows, progress=lambda *seen: told.append(seen)
    )
    assert count == 600 and told[-1] == (600, 600)
    found = parquet.read_table(target)
    np.testing.assert_array_equal(found["time"].to_numpy(), expected(*poses(600)))
    assert found["id"].to_pylist() == list(range(600))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.parquet", "out.parquet"]
    both = chasles.check_parquet([source, source], tmp_path / "both.parquet", CHECK, rows=rows)
    assert both == 1200


def test_a_row_without_answer_is_named_and_nothing_is_half_written(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    table = arrow_table(1000)
    bad = table["start"].to_pylist()
    bad[777][0] += 1
    table = table.set_column(1, "start", pyarrow.array(bad))
    pyarrow.parquet.write_table(table, tmp_path / "in.parquet")
    with pytest.raises(chasles.Error, match="pose 777: starts: the matrix scales"):
        chasles.check_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", CHECK, rows=100)
    assert not (tmp_path / "out.parquet").exists()
    assert len(list((tmp_path / "out.parquet.parts").glob("part-*"))) == 7
    assert not list(tmp_path.rglob("*.tmp"))
    other = chasles.Checker(TORUS, TORUS)
    with pytest.raises(chasles.Error, match="has parts of another task"):
        chasles.check_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", other, rows=100)
    with pytest.raises(chasles.Error, match="both source and target"):
        chasles.check_parquet(tmp_path / "in.parquet", tmp_path / "in.parquet", CHECK)


CHILD = """
import chasles, sys
torus = chasles.Mesh.torus()
check = chasles.Checker(torus, torus, facing=True, proper=True)
chasles.check_parquet(sys.argv[1], sys.argv[2], check, rows=200)
"""


def test_ended_in_the_middle_and_resumed_it_is_the_same_file(tmp_path, monkeypatch):
    source = written(tmp_path / "in.parquet", 4_000, 1000)
    whole, target = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    chasles.check_parquet(source, whole, CHECK, rows=200)
    command = [sys.executable, "-c", CHILD, str(source), str(target)]
    parts = pathlib.Path(f"{target}.parts")
    child = subprocess.Popen(command)
    while len(list(parts.glob("part-*.parquet"))) < 4:
        assert child.poll() is None, "it ended before it could be ended"
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    child.wait()
    kept = len(list(parts.glob("part-????????.parquet")))
    assert kept >= 4 and not target.exists()
    (parts / "part-00000001.parquet").write_bytes(b"PAR1 and no more")
    # The same checker in another process goes on there, and does again what is broken alone.
    asked = []
    answered = _parquet.answered
    monkeypatch.setattr(_parquet, "answered", lambda *a: asked.append(a[2]) or answered(*a))
    chasles.check_parquet(source, target, CHECK, rows=200)
    assert len(asked) == 20 - kept + 1 and asked[0] == 200
    assert target.read_bytes() == whole.read_bytes()
    assert not parts.exists()


ENDED = """
import chasles, os, signal, sys
move = os.replace
def replace(source, target):
    if str(target) == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)
    move(source, target)
os.replace = replace
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ended_while_parts_are_joined_it_leaves_nothing_beside_the_target(tmp_path):
    source = written(tmp_path / "in.parquet", 600)
    target = tmp_path / "out.parquet"
    command = [sys.executable, "-c", ENDED + CHILD, str(source), str(target)]
    assert subprocess.run(command).returncode == -signal.SIGKILL
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.parquet", "out.parquet.parts"]
    chasles.check_parquet(source, target, CHECK, rows=200)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.parquet", "out.parquet"]


def test_parts_of_a_task_that_nobody_knows_are_not_taken(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    source, target = written(tmp_path / "in.parquet", 400), tmp_path / "out.parquet"
    # What is left where the removal of another task's parts was ended.
    parts = tmp_path / "out.parquet.parts"
    parts.mkdir()
    wrong = chasles.Checker(TORUS, chasles.Round.sphere(0.1))(arrow_table(400))
    for number in range(2):
        part = parts / f"part-{number:08}.parquet"
        parquet.write_table(wrong.slice(200 * number, 200), part)
    chasles.check_parquet(source, target, CHECK, rows=200)
    found = parquet.read_table(target)["time"].to_numpy()
    np.testing.assert_array_equal(found, expected(*poses(400)))


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_to_the_source_is_no_target(tmp_path):
    source = written(tmp_path / "in.parquet", 10)
    (tmp_path / "link.parquet").symlink_to(source)
    with pytest.raises(chasles.Error, match="both source and target"):
        chasles.check_parquet(source, tmp_path / "link.parquet", CHECK)


def test_a_column_that_is_an_answer_is_refused():
    starts, ends = poses(3)
    with pytest.raises(chasles.Error, match="columns that are answers: time"):
        CHECK({"start": starts, "end": ends, "time": np.zeros(3)})


def test_rows_of_other_lengths_are_named():
    pyarrow = pytest.importorskip("pyarrow")
    starts, ends = (p.reshape(-1, 16).tolist() for p in poses(4))
    good = {"start": starts, "end": ends}
    # As many numbers as there should be, in the wrong rows.
    moved = [*starts[:2], starts[2] + starts[3][:2], starts[3][2:]]
    with pytest.raises(chasles.Error, match="start has lists of another length in row 2"):
        CHECK(pyarrow.table({**good, "start": moved}))
    with pytest.raises(chasles.Error, match="start has rows that are no numbers"):
        CHECK({**good, "start": moved})
    nested = [pose.tolist() for pose in poses(4)[0]]
    nested[3] = [row for row in nested[3] if row[3] != nested[3][3][3]] + [[0.0, 0, 0]]
    with pytest.raises(chasles.Error, match="start has lists of another length in row 3"):
        CHECK(pyarrow.table({**good, "start": nested}))
    nested[3][1] = None
    with pytest.raises(chasles.Error, match="start has no pose in row 3"):
        CHECK(pyarrow.table({**good, "start": nested}))
    for column in [[1.0, 2, 3, 4], [{"x": 1.0}] * 4, ["pose"] * 4]:
        with pytest.raises(chasles.Error, match="the column start"):
            CHECK(pyarrow.table({**good, "start": column}))


def test_scenes_take_tables_of_all_kinds_also_empty_ones():
    pyarrow = pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    from test_robot import scene

    arm, random = scene(), np.random.default_rng(6)
    starts, ends = random.uniform(-2, 2, (2, 20, 2))
    check, verdict = chasles.Checker(arm), arm.edges(starts, ends).verdict
    lists = {"start": starts.tolist(), "end": ends.tolist(), "id": range(20)}
    assert (check(pyarrow.table(lists))["verdict"].to_numpy() == verdict).all()
    assert (check(pandas.DataFrame(lists))["verdict"] == verdict).all()
    for empty in [
        pyarrow.table(lists).slice(0, 0),
        pandas.DataFrame(lists)[:0],
        {"start": starts[:0], "end": []},
    ]:
        assert len(check(empty)["verdict"]) == 0
    odd = {**lists, "start": [*starts.tolist()[:-1], [0.0]]}
    with pytest.raises(chasles.Error, match="start has lists of another length in row 19"):
        check(pyarrow.table(odd))
    with pytest.raises(chasles.Error, match="motion 0: .* takes 2"):
        check({"start": np.zeros((3, 3)), "end": np.zeros((3, 3))})


def test_dask_partitions(tmp_path):
    pytest.importorskip("dask.dataframe")
    import dask
    import dask.dataframe
    import pandas

    starts, ends = poses(200)
    frame = pandas.DataFrame(
        {"id": range(200), "start": list(starts.reshape(-1, 16)), "end": list(ends.reshape(-1, 16))}
    )
    meta = {"time": "f8", "id": "i8"}
    # Lists are to stay lists.
    with dask.config.set({"dataframe.convert-string": False}):
        parted = dask.dataframe.from_pandas(frame, npartitions=4)
        found = parted.map_partitions(CHECK, meta=meta).compute(scheduler="threads")
    np.testing.assert_array_equal(found["time"], expected(starts, ends))
    np.testing.assert_array_equal(found["id"], range(200))


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_is_ended_loses_nothing():
    distributed = pytest.importorskip("distributed")
    starts, ends = poses(2000)
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=None,
            env={"CHASLES_THREADS": "1"},
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        jobs = [{"start": s, "end": e} for s, e in zip(np.split(starts, 40), np.split(ends, 40))]
        futures = client.map(CHECK, jobs)
        while sum(future.status == "finished" for future in futures) < 4:
            time.sleep(0.01)
        victim = list(client.run(os.getpid).values())[0]
        os.kill(victim, signal.SIGKILL)
        found = np.concatenate([answer["time"] for answer in client.gather(futures)])
        pids = set(client.run(os.getpid).values())
    assert victim not in pids
    np.testing.assert_array_equal(found, expected(starts, ends))


LIFT = """<robot name="lift"><link name="base"/><link name="car"><collision><geometry>
  <box size="0.2 0.2 0.2"/></geometry></collision></link>
  <joint name="up" type="prismatic"><parent link="base"/><child link="car"/>
  <axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="1" velocity="1"/></joint></robot>"""


def test_a_checker_asks_about_the_scene_as_it_was_in_every_process():
    scene = chasles.Scene(chasles.Robot.parse(LIFT))
    check = chasles.Checker(scene)
    edges = {"start": [[0.0]], "end": [[3.0]]}
    before = check(edges)["verdict"]
    scene.add("ceiling", chasles.Mesh.box([1, 1, 0.1]), [0, 0, 2, 0, 0, 0, 1])
    check.bodies[0].add("wall", chasles.Mesh.box([1, 1, 0.1]), [0, 0, 1, 0, 0, 0, 1])
    elsewhere = pickle.loads(pickle.dumps(check))
    assert list(check(edges)["verdict"]) == list(before) == list(elsewhere(edges)["verdict"])
    assert list(chasles.Checker(scene)(edges)["verdict"]) != list(before)


def test_a_robot_whose_files_changed_is_not_read_for_another(tmp_path):
    file = tmp_path / "lift.urdf"
    file.write_text(LIFT)
    kept = pickle.dumps(chasles.Robot.load(file))
    assert pickle.loads(kept).variables == ["up"]
    file.write_text(LIFT.replace("0.2 0.2 0.2", "0.3 0.2 0.2"))
    with pytest.raises(chasles.Error, match="have changed"):
        pickle.loads(kept)


def test_a_folder_of_somebody_else_is_left_as_it_is(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    poses = pyarrow.array([[0.0, 0, 5, 0, 0, 0, 1]] * 3, pyarrow.list_(pyarrow.float64(), 7))
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    parquet.write_table(pyarrow.table({"start": poses, "end": poses}), source)
    folder = tmp_path / "out.parquet.parts"
    folder.mkdir()
    (folder / "part-mine.txt").write_text("mine")
    box = chasles.Mesh.box([1, 1, 1])
    with pytest.raises(chasles.Error, match="part-mine.txt"):
        chasles.check_parquet(source, target, chasles.Checker(box, box))
    assert (folder / "part-mine.txt").read_text() == "mine" and not target.exists()
    (folder / "part-mine.txt").unlink()
    chasles.check_parquet(source, target, chasles.Checker(box, box))
    assert target.exists() and not folder.exists()
