// Bodies, lines and markers in WebGL2.

import { IDENTITY, add, times, unit } from "./motion.js";

const FACE_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 view; uniform vec3 place; uniform vec4 turn;
uniform vec4 ground; uniform float flatten;
out vec3 world;
void main() {
  world = position + 2.0 * cross(turn.xyz, cross(turn.xyz, position) + turn.w * position) + place;
  // Of a shadow every point that is above the ground lies on it.
  world -= flatten * max(dot(world, ground.xyz) - ground.w, 0.0) * ground.xyz;
  gl_Position = view * vec4(world, 1.0);
}`;

// The normal follows from how the place changes from pixel to pixel, so faces look flat and both
// sides are lit.
const FACE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 world;
uniform vec4 colour; uniform vec3 light; uniform vec3 fill; uniform float glow;
out vec4 pixel;
void main() {
  vec3 n = normalize(cross(dFdx(world), dFdy(world)));
  float key = max(dot(n, light), 0.0);
  float soft = 0.5 + 0.5 * dot(n, fill);
  float shade = mix(0.42 + 0.26 * soft + 0.46 * key, 1.0, glow);
  vec3 lit = shade <= 1.0 ? colour.rgb * shade : mix(colour.rgb, vec3(1.0), shade - 1.0);
  pixel = vec4(lit * colour.a, colour.a);
}`;

// A line is a rectangle along its two ends, so wide in pixels; ends behind the eye are cut off.
const LINE_VERTEX = `#version 300 es
layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 from; layout(location = 2) in vec3 to;
layout(location = 3) in vec4 tint;
uniform mat4 view; uniform vec3 place; uniform vec4 turn;
uniform vec2 size; uniform float width; uniform float lift;
out vec4 colour; out float along; out float side;
vec3 moved(vec3 p) { return p + 2.0 * cross(turn.xyz, cross(turn.xyz, p) + turn.w * p) + place; }
void main() {
  vec4 p = view * vec4(moved(from), 1.0), q = view * vec4(moved(to), 1.0);
  const float near = 1e-6;
  if (p.w < near) p = mix(p, q, (near - p.w) / (q.w - p.w));
  if (q.w < near) q = mix(q, p, (near - q.w) / (p.w - q.w));
  vec2 a = p.xy / p.w * size, b = q.xy / q.w * size;
  vec2 d = b - a; float len = length(d);
  d = len > 1e-6 ? d / len : vec2(1.0, 0.0);
  vec4 at = corner.x < 0.5 ? p : q;
  vec2 off = vec2(-d.y, d.x) * corner.y * (width + 1.0) + d * (corner.x - 0.5) * width * 0.8;
  at.xy += off / size * at.w;
  at.z -= lift * at.w;
  gl_Position = at; colour = tint; along = corner.x * len * 0.5; side = corner.y * (width + 1.0);
}`;

const LINE_FRAGMENT = `#version 300 es
precision highp float;
in vec4 colour; in float along; in float side;
uniform float width; uniform float dash;
out vec4 pixel;
void main() {
  float edge = clamp(0.5 * (width + 1.0) - 0.5 * abs(side), 0.0, 1.0);
  if (dash > 0.0 && fract(along / dash) > 0.62) discard;
  pixel = vec4(colour.rgb, 1.0) * colour.a * edge;
}`;

const DISC_VERTEX = `#version 300 es
layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 centre; layout(location = 2) in vec4 tint;
layout(location = 3) in float radius;
uniform mat4 view; uniform vec2 size; uniform float lift;
out vec4 colour; out vec2 at; out float rim;
void main() {
  vec4 p = view * vec4(centre, 1.0);
  p.xy += corner * (radius + 1.0) * 2.0 / size * p.w;
  p.z -= lift * p.w;
  gl_Position = p; colour = tint; at = corner * (radius + 1.0); rim = radius;
}`;

const DISC_FRAGMENT = `#version 300 es
precision highp float;
in vec4 colour; in vec2 at; in float rim;
uniform vec4 edge; uniform float strength;
out vec4 pixel;
void main() {
  float r = length(at);
  float inside = clamp(rim - r + 0.5, 0.0, 1.0);
  float line = max(1.4, 0.16 * rim);
  float core = clamp(rim - line - r + 0.5, 0.0, 1.0);
  vec4 disc = mix(edge, vec4(colour.rgb, 1.0), core);
  pixel = disc * inside * colour.a * strength;
}`;

export class Viewer {
  /** Fails where the browser has no WebGL2. */
  constructor(canvas, model) {
    const gl = canvas.getContext("webgl2", {
      antialias: true,
      alpha: false,
      stencil: true,
      powerPreference: "low-power",
    });
    if (!gl) throw new Error("no WebGL2");
    this.gl = gl;
    this.canvas = canvas;
    this.model = model;
    this.faces = this.program(FACE_VERTEX, FACE_FRAGMENT);
    this.lines = this.program(LINE_VERTEX, LINE_FRAGMENT);
    this.discs = this.program(DISC_VERTEX, DISC_FRAGMENT);
    this.corners = this.buffer(new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]));
    this.square = this.buffer(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
    this.meshes = model.meshes.map((mesh) => this.upload(mesh));
    this.scratch = gl.createBuffer();
    this.scratchArray = gl.createVertexArray();
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
  }

  /** Shows another model. Meshes that it has in common with the one before are not sent again. */
  show(model) {
    if (model.meshes !== this.model.meshes) {
      const known = new Map(this.meshes.map((one) => [one.mesh, one]));
      this.meshes = model.meshes.map((mesh) => known.get(mesh) || this.upload(mesh));
    }
    this.model = model;
  }

  /** Gives the graphics memory back; nothing can be drawn afterwards. */
  close() {
    const loss = this.gl.getExtension("WEBGL_lose_context");
    if (loss) loss.loseContext();
  }

  program(vertex, fragment) {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, source] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS))
      throw new Error(gl.getProgramInfoLog(program));
    const places = {};
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    for (let i = 0; i < count; i++) {
      const { name } = gl.getActiveUniform(program, i);
      places[name] = gl.getUniformLocation(program, name);
    }
    return { program, places };
  }

  buffer(values, kind = this.gl.ARRAY_BUFFER) {
    const { gl } = this;
    const buffer = gl.createBuffer();
    gl.bindBuffer(kind, buffer);
    gl.bufferData(kind, values, gl.STATIC_DRAW);
    return buffer;
  }

  upload(mesh) {
    const { gl } = this;
    const out = {
      mesh,
      positions: this.buffer(mesh.positions.subarray(0, 3 * mesh.vertices)),
      ends: gl.createBuffer(),
    };
    out.faceArray = gl.createVertexArray();
    gl.bindVertexArray(out.faceArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, out.positions);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    this.buffer(mesh.triangles, gl.ELEMENT_ARRAY_BUFFER);
    out.indexKind = mesh.triangles instanceof Uint32Array ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT;
    out.lineArray = this.lineArray(out.ends, 24, false);
    this.fillEnds(out, mesh.positions);
    gl.bindVertexArray(null);
    return out;
  }

  /**
   * Rectangles along ends that follow each other in a buffer, each pair perhaps with its colour.
   */
  lineArray(buffer, stride, tinted) {
    const { gl } = this;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    for (const [at, size, offset] of [[1, 3, 0], [2, 3, 12], ...(tinted ? [[3, 4, 24]] : [])]) {
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, stride, offset);
      gl.vertexAttribDivisor(at, 1);
    }
    return array;
  }

  fillEnds(one, positions) {
    const { gl } = this;
    const { edges } = one.mesh;
    const ends = new Float32Array(3 * edges.length);
    for (let i = 0; i < edges.length; i++)
      ends.set(positions.subarray(3 * edges[i], 3 * edges[i] + 3), 3 * i);
    gl.bindBuffer(gl.ARRAY_BUFFER, one.ends);
    gl.bufferData(gl.ARRAY_BUFFER, ends, gl.DYNAMIC_DRAW);
  }

  /** Moves the vertices of surfaces that deform. */
  deform(time) {
    const { gl } = this;
    for (const one of this.meshes) {
      if (one.mesh.sets === 1 && !one.mesh.deforms) continue;
      const positions = this.model.positionsAt(one.mesh, time);
      gl.bindBuffer(gl.ARRAY_BUFFER, one.positions);
      gl.bufferData(gl.ARRAY_BUFFER, positions, gl.DYNAMIC_DRAW);
      this.fillEnds(one, positions);
    }
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const size = [Math.max(Math.round(width * ratio), 1), Math.max(Math.round(height * ratio), 1)];
    if (this.canvas.width !== size[0] || this.canvas.height !== size[1])
      [this.canvas.width, this.canvas.height] = size;
    this.ratio = ratio;
    return [width, height];
  }

  /** Clears the picture and sets the camera. */
  begin(camera, background) {
    const { gl, canvas } = this;
    const matrix = new Float32Array(camera.matrix());
    const { back, right, above } = camera.axes();
    const light = unit(add(add(times(back, 0.75), times(above, 0.65)), times(right, -0.45)));
    const size = [canvas.width, canvas.height];
    gl.viewport(0, 0, ...size);
    gl.clearColor(...background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    for (const { program, places } of [this.faces, this.lines, this.discs]) {
      gl.useProgram(program);
      gl.uniformMatrix4fv(places.view, false, matrix);
      if (places.light) gl.uniform3fv(places.light, light);
      if (places.fill) gl.uniform3fv(places.fill, camera.up);
      if (places.size) gl.uniform2f(places.size, ...size);
    }
    this.light = light;
  }

  place(places, pose) {
    this.gl.uniform3f(places.place, pose[0], pose[1], pose[2]);
    this.gl.uniform4f(places.turn, pose[3], pose[4], pose[5], pose[6]);
  }

  solid(index, pose, colour) {
    const { gl } = this;
    const one = this.meshes[index];
    if (one.mesh.triangles.length === 0) return;
    gl.useProgram(this.faces.program);
    this.place(this.faces.places, pose);
    gl.uniform4f(this.faces.places.colour, ...colour, 1);
    gl.uniform1f(this.faces.places.glow, 0);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    gl.bindVertexArray(one.faceArray);
    gl.drawElements(gl.TRIANGLES, one.mesh.triangles.length, one.indexKind, 0);
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  /**
   * Shadows of bodies on the ground, [normal, height]: however many triangles are above a place, it
   * is dark once.
   */
  shadows(rows, ground, strength) {
    const { gl } = this;
    const { program, places } = this.faces;
    gl.useProgram(program);
    gl.uniform4f(places.ground, ...ground);
    gl.uniform1f(places.flatten, 1);
    gl.uniform1f(places.glow, 1);
    gl.uniform4f(places.colour, 0, 0, 0, strength);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(-1, -1);
    gl.depthMask(false);
    for (const [index, pose] of rows) {
      const one = this.meshes[index];
      if (one.mesh.triangles.length === 0) continue;
      this.place(places, pose);
      gl.bindVertexArray(one.faceArray);
      gl.drawElements(gl.TRIANGLES, one.mesh.triangles.length, one.indexKind, 0);
    }
    gl.depthMask(true);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.disable(gl.STENCIL_TEST);
    gl.uniform1f(places.flatten, 0);
  }

  /** A body that is seen through: of its faces only the nearest count. */
  ghost(index, pose, colour, opacity) {
    const { gl } = this;
    const one = this.meshes[index];
    if (one.mesh.triangles.length === 0) return;
    gl.useProgram(this.faces.program);
    this.place(this.faces.places, pose);
    gl.uniform1f(this.faces.places.glow, 0);
    gl.uniform4f(this.faces.places.colour, ...colour, opacity);
    gl.bindVertexArray(one.faceArray);
    gl.colorMask(false, false, false, false);
    gl.drawElements(gl.TRIANGLES, one.mesh.triangles.length, one.indexKind, 0);
    gl.colorMask(true, true, true, true);
    gl.depthMask(false);
    gl.drawElements(gl.TRIANGLES, one.mesh.triangles.length, one.indexKind, 0);
    gl.depthMask(true);
  }

  edges(index, pose, colour, width) {
    const { gl } = this;
    const one = this.meshes[index];
    if (one.mesh.edges.length === 0) return;
    gl.bindVertexArray(one.lineArray);
    gl.disableVertexAttribArray(3);
    gl.vertexAttrib4f(3, ...colour);
    this.drawLines(one.mesh.edges.length / 2, pose, { width, lift: 4e-5 });
  }

  drawLines(count, pose, { width, lift = 1e-4, dash = 0 }) {
    const { gl } = this;
    const { program, places } = this.lines;
    gl.useProgram(program);
    this.place(places, pose);
    gl.uniform1f(places.width, width * this.ratio);
    gl.uniform1f(places.lift, lift);
    gl.uniform1f(places.dash, dash * this.ratio);
    gl.depthMask(false);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    gl.depthMask(true);
  }

  /** Lines that change from picture to picture: rows of two ends and a colour. */
  segments(rows, look) {
    if (rows.length === 0) return;
    const { gl } = this;
    const values = new Float32Array(10 * rows.length);
    rows.forEach(([from, to, colour], i) => {
      values.set(from.slice(0, 3), 10 * i);
      values.set(to.slice(0, 3), 10 * i + 3);
      values.set(colour, 10 * i + 6);
    });
    gl.bindBuffer(gl.ARRAY_BUFFER, this.scratch);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STREAM_DRAW);
    this.segmentArray = this.segmentArray || this.lineArray(this.scratch, 40, true);
    gl.bindVertexArray(this.segmentArray);
    if (look.onTop) gl.disable(gl.DEPTH_TEST);
    this.drawLines(rows.length, IDENTITY, look);
    if (look.onTop) gl.enable(gl.DEPTH_TEST);
  }

  /** Triangles that glow through all else, such as the faces of the chosen contact. */
  patch(triangles, pose, colour, opacity) {
    if (triangles.length === 0) return;
    const { gl } = this;
    gl.bindVertexArray(this.scratchArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.scratch);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(triangles.flat(2)), gl.STREAM_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.useProgram(this.faces.program);
    this.place(this.faces.places, pose);
    gl.uniform1f(this.faces.places.glow, 1);
    gl.uniform4f(this.faces.places.colour, ...colour, opacity);
    gl.disable(gl.DEPTH_TEST);
    gl.drawArrays(gl.TRIANGLES, 0, 3 * triangles.length);
    gl.enable(gl.DEPTH_TEST);
  }

  /**
   * Discs: rows of a centre, a colour with its opacity, and a radius in pixels. What is hidden is
   * faint.
   */
  markers(rows, edge, hidden) {
    if (rows.length === 0) return;
    const { gl } = this;
    const { program, places } = this.discs;
    const values = new Float32Array(8 * rows.length);
    rows.forEach(([centre, colour, radius], i) => {
      values.set(centre.slice(0, 3), 8 * i);
      values.set(colour, 8 * i + 3);
      values[8 * i + 7] = radius * this.ratio;
    });
    gl.bindBuffer(gl.ARRAY_BUFFER, this.scratch);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STREAM_DRAW);
    this.discArray = this.discArray || this.makeDiscArray();
    gl.bindVertexArray(this.discArray);
    gl.useProgram(program);
    gl.uniform4f(places.edge, ...edge, 1);
    gl.uniform1f(places.lift, 2e-3);
    gl.depthMask(false);
    for (const [test, strength] of [
      [gl.GREATER, hidden],
      [gl.LEQUAL, 1],
    ]) {
      gl.depthFunc(test);
      gl.uniform1f(places.strength, strength);
      if (strength > 0) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, rows.length);
    }
    gl.depthMask(true);
  }

  makeDiscArray() {
    const { gl } = this;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.square);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.scratch);
    for (const [at, size, offset] of [
      [1, 3, 0],
      [2, 4, 12],
      [3, 1, 28],
    ]) {
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, 32, offset);
      gl.vertexAttribDivisor(at, 1);
    }
    return array;
  }

  /** Waits until all that was drawn is in the picture. */
  finish() {
    const { gl } = this;
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  /**
   * How many of the pixels differ from the background, from 0 to 1. To be asked right after
   * drawing.
   */
  drawnShare(background) {
    const { gl, canvas } = this;
    const pixels = new Uint8Array(4 * canvas.width * canvas.height);
    gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const paper = background.map((x) => Math.round(255 * x));
    let count = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      if ([0, 1, 2].some((k) => Math.abs(pixels[i + k] - paper[k]) > 8)) count++;
    }
    return (4 * count) / pixels.length;
  }
}
