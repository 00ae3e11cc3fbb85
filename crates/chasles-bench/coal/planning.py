"""The edges of the binary `planning`, sampled every 5 mm by Pinocchio (the package `pin`).

    python crates/chasles-bench/coal/planning.py PANDA planning.json

Samples are looked at in order until one collides, in one call of Pinocchio an edge, on one thread;
pairs are those of the SRDF and obstacles against all links but the base. Prints edges a second next
to those of chasles, and how verdicts differ. Each mesh is a tree of boxes as Pinocchio loads it
("meshes"), or its convex hull ("hulls"); "broad phase" asks through Coal's tree of boxes, a sample
a call.
"""

import json
import pathlib
import sys
import time

import coal
import numpy
import pinocchio as pin


def load(panda, obstacles, hulls):
    """The model and its geometry with pairs, and which joint values go where."""
    urdf = str(panda / "urdf" / "panda.urdf")
    model = pin.buildModelFromUrdf(urdf)
    geometry = pin.buildGeomFromUrdf(
        model, urdf, pin.GeometryType.COLLISION, package_dirs=[str(panda.parent)]
    )
    if hulls:
        for part in geometry.geometryObjects:
            if isinstance(part.geometry, coal.BVHModelBase):
                part.geometry.buildConvexRepresentation(True)
                part.geometry = part.geometry.convex
    links = range(geometry.ngeoms)
    geometry.addAllCollisionPairs()
    pin.removeCollisionPairs(model, geometry, str(panda / "srdf" / "panda.srdf"))
    for number, obstacle in enumerate(obstacles):
        shape = coal.Box(*obstacle["size"]) if obstacle["size"] else coal.Sphere(obstacle["radius"])
        turn = pin.Quaternion(numpy.array(obstacle["rotation"])).matrix()
        place = pin.SE3(turn, numpy.array(obstacle["position"]))
        part = pin.GeometryObject(f"obstacle {number}", 0, place, shape)
        own = geometry.addGeometryObject(part)
        for link in links:
            if geometry.geometryObjects[link].parentJoint != 0:
                geometry.addCollisionPair(pin.CollisionPair(link, own))
    return model, geometry


def values(model, configuration):
    """A configuration of chasles as Pinocchio has it: the fingers mimic."""
    finger = configuration[7]
    numbers = {f"panda_joint{i + 1}": configuration[i] for i in range(7)}
    numbers |= {"panda_finger_joint1": finger, "panda_finger_joint2": finger}
    return numpy.array([numbers[name] for name in model.names[1:]])


def line(model, edge):
    """All samples of an edge, a column each."""
    start, end = (values(model, edge[name]) for name in ("from", "to"))
    times = numpy.linspace(0.0, 1.0, edge["steps"] + 1)
    return numpy.asfortranarray(start[:, None] + (end - start)[:, None] * times)


def in_one_call(model, geometry):
    """Asks for all samples of an edge in one call."""
    pool = pin.GeometryPool(model, geometry, 1)

    def collides(samples):
        return numpy.any(pin.computeCollisionsInParallel(1, pool, samples, True, True))

    return collides


def one_by_one(model, geometry):
    """Asks for one sample after another, all pairs."""
    data, own = model.createData(), geometry.createData()

    def collides(samples):
        columns = (samples[:, i] for i in range(samples.shape[1]))
        return any(pin.computeCollisions(model, data, geometry, own, q, True) for q in columns)

    return collides


def by_boxes(model, geometry):
    """Asks for one sample after another, by a broad phase."""
    data, own = model.createData(), geometry.createData()
    broad = pin.BroadPhaseManager_DynamicAABBTreeCollisionManager(model, geometry, own)

    def collides(samples):
        columns = (samples[:, i] for i in range(samples.shape[1]))
        return any(pin.computeCollisions(model, data, broad, q, True) for q in columns)

    return collides


def main():
    panda, file = (pathlib.Path(argument) for argument in sys.argv[1:3])
    questions = json.loads(file.read_text())
    own = 1.0 / questions["seconds"]
    edges = questions["edges"]
    for name, hulls, way in (
        ("meshes, all samples in one call", False, in_one_call),
        ("meshes, a sample a call", False, one_by_one),
        ("meshes, broad phase", False, by_boxes),
        ("hulls, all samples in one call", True, in_one_call),
        ("hulls, a sample a call", True, one_by_one),
        ("hulls, broad phase", True, by_boxes),
    ):
        model, geometry = load(panda, questions["obstacles"], hulls)
        collides = way(model, geometry)
        lines = [line(model, edge) for edge in edges]
        start = time.process_time()
        found = [collides(samples) for samples in lines]
        rate = len(edges) / (time.process_time() - start)
        missed = sum(not hit and edge["verdict"] == "hit" for hit, edge in zip(found, edges))
        more = sum(bool(hit) and edge["verdict"] == "free" for hit, edge in zip(found, edges))
        print(
            f"Pinocchio {pin.__version__}, {len(geometry.collisionPairs)} pairs, {name}: "
            f"{rate:.0f} edges a second, {rate / own:.3f} of chasles; {missed} hits missed, "
            f"{more} that chasles proves free"
        )


if __name__ == "__main__":
    main()
