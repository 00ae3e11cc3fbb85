// Vectors, rotations and screws. A pose is [x, y, z, i, j, k, w]: a place and a unit quaternion.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const mix = (a, b, s) => [
  a[0] + (b[0] - a[0]) * s,
  a[1] + (b[1] - a[1]) * s,
  a[2] + (b[2] - a[2]) * s,
];
export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
export const IDENTITY = [0, 0, 0, 0, 0, 0, 1];

export function unit(a) {
  const size = length(a);
  return size > 0 ? times(a, 1 / size) : [0, 0, 0];
}

/** Some unit vector across a unit vector. */
export function across(a) {
  return unit(cross(a, Math.abs(a[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0]));
}

export function turned([x, y, z, w], v) {
  const t = times(cross([x, y, z], v), 2);
  return add(add(v, times(t, w)), cross([x, y, z], t));
}

export function product([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

export const conjugate = ([x, y, z, w]) => [-x, -y, -z, w];

/** The rotation that comes after `q` by an angle about a unit axis. */
export function about(axis, angle) {
  const s = Math.sin(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

export const rotation = (pose) => [pose[3], pose[4], pose[5], pose[6]];
export const carried = (pose, v) => add(turned(rotation(pose), v), pose);
export const returned = (pose, v) => turned(conjugate(rotation(pose)), sub(v, pose));

/**
 * The pose at the share `s` of the way from one pose to another, along the screw between them. With
 * x -> R x + d from one to the other, u the axis and a the angle, the axis passes through
 * c = (d' + cot(a/2) u x d') / 2, d' being the part of d across u.
 */
export function between(from, to, s) {
  let step = product(rotation(to), conjugate(rotation(from)));
  if (step[3] < 0) step = step.map((x) => -x);
  const sine = Math.hypot(step[0], step[1], step[2]);
  const angle = 2 * Math.atan2(sine, step[3]);
  if (angle < 1e-5) {
    return [...mix(from, to, s), ...normal4([3, 4, 5, 6].map((i) => mixSigned(from, to, i, s)))];
  }
  const u = [step[0] / sine, step[1] / sine, step[2] / sine];
  const d = sub(to, turned(step, from));
  const along = dot(d, u);
  const aside = sub(d, times(u, along));
  const c = times(add(aside, times(cross(u, aside), step[3] / sine)), 0.5);
  const part = about(u, angle * s);
  const place = add(add(c, turned(part, sub(from, c))), times(u, along * s));
  return [...place, ...product(part, rotation(from))];
}

function mixSigned(from, to, i, s) {
  const same = from[3] * to[3] + from[4] * to[4] + from[5] * to[5] + from[6] * to[6] >= 0 ? 1 : -1;
  return from[i] * (1 - s) + to[i] * s * same;
}

function normal4(q) {
  const size = Math.hypot(...q);
  return size > 0 ? q.map((x) => x / size) : [0, 0, 0, 1];
}
