"""Checkers on tables of all kinds, and a million motions from file to file."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import chasles
from cases import matrices, random_poses

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


def test_ended_in_the_middle_and_resumed_it_is_the_same_file(tmp_path):
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
    done = [path.stat().st_mtime_ns for path in sorted(parts.glob("part-????????.parquet"))]
    (parts / "part-00000001.parquet").write_bytes(b"PAR1 and no more")
    subprocess.run(command, check=True)
    assert target.read_bytes() == whole.read_bytes()
    assert not parts.exists() and len(done) == kept


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
