// A camera that turns about what it looks at.

import { across, add, clamp, cross, dot, sub, times, unit } from "./motion.js";

const FIELD_OF_VIEW = 0.45;

export class Camera {
  constructor(view) {
    this.up = unit(view.up);
    this.east = across(this.up);
    this.north = cross(this.up, this.east);
    const eye = unit(view.eye);
    this.first = {
      yaw: Math.atan2(dot(eye, this.north), dot(eye, this.east)),
      pitch: Math.asin(clamp(dot(eye, this.up), -1, 1)),
    };
    this.size = [1, 1];
    this.reset();
  }

  reset() {
    Object.assign(this, this.first, { target: [0, 0, 0], distance: 5, isMoved: false });
  }

  /** From what is looked at towards the eye, to the right, and up, all unit. */
  axes() {
    const level = add(times(this.east, Math.cos(this.yaw)), times(this.north, Math.sin(this.yaw)));
    const back = add(times(level, Math.cos(this.pitch)), times(this.up, Math.sin(this.pitch)));
    const right = unit(cross(this.up, back));
    return { back, right, above: cross(back, right) };
  }

  tangents() {
    const half = Math.tan(FIELD_OF_VIEW / 2);
    const [width, height] = this.size;
    return width < height ? [half, (half * height) / width] : [(half * width) / height, half];
  }

  eye() {
    return add(this.target, times(this.axes().back, this.distance));
  }

  /**
   * Shows all points as large as fits between these ends, which go from -1 to 1 across the view and
   * up.
   */
  fit(points, ends) {
    if (points.length === 0) return;
    const { back, right, above } = this.axes();
    const seen = points.map((p) => [dot(p, right), dot(p, above), dot(p, back)]);
    const most = (f) => seen.reduce((best, p) => Math.max(best, f(p)), -Infinity);
    // A point is inside when low (ez - z) <= x - ex <= high (ez - z), and likewise for y: ends
    // times tangents.
    const ways = this.tangents().map((tangent, i) => {
      const [low, high] = ends[i].map((end) => tangent * end);
      return {
        low,
        high,
        least: most((p) => -p[i] - low * p[2]),
        greatest: most((p) => p[i] + high * p[2]),
      };
    });
    const ez = Math.max(
      ...ways.map(({ low, high, least, greatest }) => (least + greatest) / (high - low)),
      most((p) => p[2]) + 0.2,
    );
    const [ex, ey] = ways.map(
      ({ low, high, least, greatest }) => (greatest - least - (high + low) * ez) / 2,
    );
    const middle = seen.reduce((sum, p) => sum + p[2] / seen.length, 0);
    this.distance = ez - middle;
    this.target = add(add(times(right, ex), times(above, ey)), times(back, middle));
  }

  turn(dx, dy) {
    this.yaw -= dx;
    this.pitch = clamp(this.pitch + dy, -1.55, 1.55);
    this.isMoved = true;
  }

  /** Moves by shares of the height of the view. */
  shift(dx, dy) {
    const { right, above } = this.axes();
    const whole = 2 * this.distance * this.tangents()[1];
    this.target = add(this.target, add(times(right, -dx * whole), times(above, dy * whole)));
    this.isMoved = true;
  }

  /** Comes nearer by a factor, to the place under the pointer (from -1 to 1 each way). */
  zoom(factor, at = [0, 0]) {
    const distance = clamp(this.distance * factor, 1e-4, 200);
    const [tx, ty] = this.tangents();
    const gained = this.distance - distance;
    const { right, above } = this.axes();
    this.target = add(
      this.target,
      add(times(right, at[0] * tx * gained), times(above, at[1] * ty * gained)),
    );
    this.distance = distance;
    this.isMoved = true;
  }

  /** From the world to clip coordinates, column by column. */
  matrix() {
    const { back, right, above } = this.axes();
    const eye = this.eye();
    const [tx, ty] = this.tangents();
    const [near, far] = [Math.max(this.distance * 0.02, 1e-5), this.distance + 60];
    const [sx, sy, sz] = [1 / tx, 1 / ty, (far + near) / (far - near)];
    const [dx, dy, dz] = [-dot(right, eye), -dot(above, eye), -dot(back, eye)];
    const z = (i) => -sz * back[i];
    return [
      sx * right[0], sy * above[0], z(0), -back[0],
      sx * right[1], sy * above[1], z(1), -back[1],
      sx * right[2], sy * above[2], z(2), -back[2],
      sx * dx, sy * dy, -sz * dz - (2 * far * near) / (far - near), -dz,
    ];
  }

  /** The ray through a pixel of the view: where it begins, and its unit direction. */
  ray([x, y]) {
    const { back, right, above } = this.axes();
    const [tx, ty] = this.tangents();
    const [sx, sy] = [(2 * x) / this.size[0] - 1, 1 - (2 * y) / this.size[1]];
    const way = sub(add(times(right, sx * tx), times(above, sy * ty)), back);
    return { from: this.eye(), way: unit(way) };
  }

  /** Where a point is seen: pixels of the view from its upper left corner, and the depth. */
  pixel(point, matrix = this.matrix()) {
    const at = (row) =>
      matrix[row] * point[0] +
      matrix[4 + row] * point[1] +
      matrix[8 + row] * point[2] +
      matrix[12 + row];
    const w = at(3);
    if (!(w > 0)) return null;
    return [
      (0.5 + (0.5 * at(0)) / w) * this.size[0],
      (0.5 - (0.5 * at(1)) / w) * this.size[1],
      at(2) / w,
    ];
  }
}
