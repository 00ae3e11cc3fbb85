"""Steps a model of MuJoCo and prints how long that took, as a line of JSON."""

import json
import sys
import time

import mujoco

warnings = []
mujoco.set_mju_user_warning(warnings.append)
model = mujoco.MjModel.from_xml_path(sys.argv[1])
data = mujoco.MjData(model)
mujoco.mj_resetDataKeyframe(model, data, 0)
times = []
for _ in range(int(sys.argv[2])):
    start = time.process_time()
    mujoco.mj_step(model, data)
    times.append(time.process_time() - start)
    if warnings:
        break
if warnings:
    sys.exit(f"after {data.time:.2f} s: {warnings[0]}")
option = model.opt
settings = (
    f"MuJoCo {mujoco.__version__}: dt {option.timestep:.6f} s, solver {option.solver}, "
    f"{option.iterations} iterations, tolerance {option.tolerance}, cone {option.cone}, "
    f"integrator {option.integrator}"
)
print(json.dumps({"all_s": sum(times), "worst_s": max(times), "settings": settings}))
