"""Blade and post, and a hundred scenes of that kind, beside other packages: time and verdict.

    python -m pip install python-fcl coal rapier3d mujoco
    python python/bench/peers.py

A blade, a metre long and 10 mm thick, turns by 170 degrees about its end; a post of 10 mm stands
somewhere. Whether they meet follows from where it stands. Each package is asked as its examples do;
what it was asked is in the table. Packages that are not installed are left out.
"""

import time
from importlib import import_module, metadata

import numpy as np

import chasles

ANGLE = np.radians(170)
BLADE, POST = (1.0, 0.01, 0.1), (0.01, 0.01, 1.0)
SAMPLES = 10


def scenes(count, seed=7):
    """Places of the post, and whether the blade meets it: clear cases of both kinds."""
    random = np.random.default_rng(seed)
    for number in range(count):
        meets = number % 2 == 0
        radius = random.uniform(0.1, 0.95)
        degrees = random.uniform(8, 162) if meets else random.uniform(180, 350)
        turn = np.radians(degrees)
        yield np.array([radius * np.cos(turn), radius * np.sin(turn), 0.0]), meets


def turned(angle):
    """The rotation and the middle of the blade when it has turned by an angle."""
    cosine, sine = np.cos(angle), np.sin(angle)
    rotation = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1.0]])
    return rotation, rotation @ [0.5, 0, 0]


def with_chasles():
    blade = chasles.Mesh.box(BLADE).transformed([0.5, 0, 0, 0, 0, 0, 1])
    post, spin = chasles.Mesh.box(POST), chasles.turn(angle=ANGLE, axis=(0, 0, 1))

    def ask(place):
        return len(chasles.contacts(post, blade, [*place, 0, 0, 0, 1], spin)) > 0

    return "every contact, exact", ask


def with_fcl(**settings):
    fcl = import_module("fcl")

    def mesh(size):
        body = chasles.Mesh.box(size)
        faces = np.array([[f[0], f[i], f[i + 1]] for f in body.faces for i in (1, 2)])
        model = fcl.BVHModel()
        model.beginModel(8, 12)
        model.addSubModel(body.vertices, faces)
        model.endModel()
        return model

    blade, post = mesh(BLADE), mesh(POST)

    def ask(place):
        moving = fcl.CollisionObject(blade, fcl.Transform(*turned(0.0)))
        still = fcl.CollisionObject(post, fcl.Transform(np.eye(3), place))
        request = fcl.ContinuousCollisionRequest(**settings)
        result = fcl.ContinuousCollisionResult()
        end = fcl.Transform(*turned(ANGLE))
        fcl.continuousCollide(moving, end, still, fcl.Transform(np.eye(3), place), request, result)
        return bool(result.is_collide)

    said = ", ".join(f"{key}={value}" for key, value in settings.items()) or "default request"
    return f"continuousCollide, {said}", ask


def with_coal():
    coal = import_module("coal")
    blade, post = coal.Box(*BLADE), coal.Box(*POST)

    def ask(place):
        still = coal.Transform3s(np.eye(3), place)
        for angle in np.linspace(0, ANGLE, SAMPLES + 1):
            result = coal.CollisionResult()
            moving = coal.Transform3s(*turned(angle))
            if coal.collide(blade, moving, post, still, coal.CollisionRequest(), result):
                return True
        return False

    return f"collide at {SAMPLES + 1} poses", ask


def with_mujoco():
    mujoco = import_module("mujoco")
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco><worldbody>
          <body><joint name="turn" type="hinge" axis="0 0 1"/>
            <geom type="box" pos="0.5 0 0" size="{BLADE[0] / 2} {BLADE[1] / 2} {BLADE[2] / 2}"/></body>
          <body name="post" mocap="true">
            <geom type="box" size="{POST[0] / 2} {POST[1] / 2} {POST[2] / 2}"/></body>
        </worldbody></mujoco>""")
    data = mujoco.MjData(model)

    def ask(place):
        data.mocap_pos[0] = place
        for angle in np.linspace(0, ANGLE, SAMPLES + 1):
            data.qpos[0] = angle
            mujoco.mj_forward(model, data)
            if data.ncon:
                return True
        return False

    return f"mj_forward at {SAMPLES + 1} poses", ask


def with_rapier(mesh=False):
    rapier = import_module("rapier3d")
    box = chasles.Mesh.box(BLADE).transformed([0.5, 0, 0, 0, 0, 0, 1])
    faces = np.array([[f[0], f[i], f[i + 1]] for f in box.faces for i in (1, 2)], dtype=np.uint32)
    half = [length / 2 for length in BLADE]
    blade = rapier.SharedShape.trimesh(box.vertices, faces) if mesh else None
    blade = blade or rapier.SharedShape.cuboid(*half)
    # The body turns about its `local_center`: a cuboid has its middle at the origin.
    middle = 0.0 if mesh else 0.5
    motion = rapier.NonlinearRigidMotion(
        start=rapier.Isometry3(translation=[middle, 0, 0]),
        local_center=[-middle, 0, 0],
        angvel=[0, 0, ANGLE],
    )

    def ask(place):
        world = rapier.PhysicsWorld()
        post = rapier.Collider.cuboid(*(length / 2 for length in POST))
        world.add_collider(post.translation(list(place)).build())
        world.update_query_pipeline()
        cast = world.query_pipeline.cast_shape_nonlinear
        options = rapier.ShapeCastOptions()
        return cast(motion, blade, options, start_time=0.0, end_time=1.0) is not None

    return f"cast_shape_nonlinear of a {'trimesh' if mesh else 'cuboid'}", ask


PEERS = [
    ("chasles", with_chasles, {}),
    ("python-fcl", with_fcl, {}),
    ("python-fcl", with_fcl, {"num_max_iterations": 1000}),
    ("rapier3d", with_rapier, {}),
    ("rapier3d", with_rapier, {"mesh": True}),
    ("coal", with_coal, {}),
    ("mujoco", with_mujoco, {}),
]


def main():
    print("| package | asked | blade and post | right of 100 | missed | false | us each |")
    print("|---|---|---|---|---|---|---|")
    for name, make, settings in PEERS:
        try:
            asked, ask = make(**settings)
        except ImportError:
            continue
        first = ask(np.array([0.2, 0.7, 0.0]))
        cases = list(scenes(100))
        begun = time.perf_counter()
        answers = [ask(place) for place, _ in cases]
        each = 1e6 * (time.perf_counter() - begun) / len(cases)
        truth = [meets for _, meets in cases]
        missed = sum(t and not a for t, a in zip(truth, answers))
        false = sum(a and not t for t, a in zip(truth, answers))
        verdict = "hit" if first else "no collision"
        row = f"{name} {metadata.version(name)} | {asked} | {verdict} | {100 - missed - false}"
        print(f"| {row} | {missed} | {false} | {each:.0f} |")


if __name__ == "__main__":
    main()
