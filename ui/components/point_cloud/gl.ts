// All points in one call to the graphics processor: round, smooth-edged, mixed by alpha so that crowds show.

import { canvasContext } from "../_shared/elements.ts";
import type { View } from "./camera.ts";

const VERTEX_SHADER = `#version 300 es
in vec3 from;
in vec3 to;
in uint tint;
in uint state;
uniform mat3 turn;
uniform vec3 centre;
uniform vec2 middle;
uniform vec2 size;
uniform float scale;
uniform float share;
uniform float ratio;
uniform float radius;
uniform float space;
uniform float diameters[4];
uniform float alphas[4];
uniform sampler2D palette;
out vec4 colour;
out float across;
flat out uint layer;
void main() {
  vec3 seen = turn * (mix(from, to, share) - centre);
  vec2 place = (middle + vec2(seen.x, -seen.y) * scale) / size * 2.0 - 1.0;
  gl_Position = vec4(place.x, -place.y, 0.0, 1.0);
  float near = clamp(0.5 + 0.5 * seen.z / radius, 0.0, 1.0);
  float inDepth = mix(1.0, mix(0.72, 1.2, near), space);
  across = diameters[state] * inDepth * ratio;
  gl_PointSize = across + 1.0;
  layer = state;
  vec3 own = texelFetch(palette, ivec2(int(tint), 0), 0).rgb;
  colour = vec4(own, alphas[state] * mix(1.0, mix(0.4, 1.0, near), state == 2u ? 0.0 : space));
}`;

const FRAGMENT_SHADER = `#version 300 es
precision highp float;
in vec4 colour;
in float across;
flat in uint layer;
uniform vec3 rim;
uniform float rimWidth;
out vec4 pixel;
void main() {
  float far = length(gl_PointCoord - 0.5) * (across + 1.0);
  float cover = clamp(0.5 * across + 0.5 - far, 0.0, 1.0);
  float inside = layer == 2u ? clamp(0.5 * across + 0.5 - rimWidth - far, 0.0, 1.0) : 1.0;
  float alpha = colour.a * cover;
  pixel = vec4(mix(rim, colour.rgb, inside) * alpha, alpha);
}`;

/** The input of a painter; arrays are never changed in place. */
export interface Scene {
  spots: Float32Array<ArrayBuffer>; // (count, 3)
  from: Float32Array<ArrayBuffer> | null; // where they glide from
  share: number; // of the way that they have gone
  count: number;
  tints: Uint8Array<ArrayBuffer>; // colour of each
  states: Uint8Array<ArrayBuffer>; // PLAIN, DIM, FRONT or FAINT
  order: Uint32Array<ArrayBuffer>; // of drawing
  view: View;
  width: number; // of the stage in CSS pixels
  height: number;
  ratio: number; // device pixels for one of these
  palette: Uint8Array<ArrayBuffer>; // 256 colours, RGBA
  style: { diameters: number[]; alphas: number[]; rim: number; rimColour: number[] }; // by state
}
export type Painter = { name: string; canvas: HTMLCanvasElement; draw: (scene: Scene) => void; release: () => void };

/** Null where the browser has no WebGL 2. */
export function webglPainter(canvas: HTMLCanvasElement): Painter | null {
  const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true });
  if (!gl) return null;
  const program = linkProgram(gl);
  if (!program) return null;
  const place = (name: string) => gl.getUniformLocation(program, name);
  const buffers = {
    from: floatAttribute(gl, program, "from"),
    to: floatAttribute(gl, program, "to"),
    tint: byteAttribute(gl, program, "tint"),
    state: byteAttribute(gl, program, "state"),
    order: gl.createBuffer(),
  };
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.order);
  const texture = gl.createTexture();
  const sent: Record<string, ArrayBufferView> = {}; // what each buffer holds now: arrays are never changed in place, so the same array is the same content
  const send: (name: string, array: ArrayBufferView, upload: () => void) => void = (name, array, upload) => {
    if (sent[name] === array) return;
    sent[name] = array;
    upload();
  };
  const fill: (name: keyof typeof buffers, array: ArrayBufferView<ArrayBuffer>) => void = (name, array) =>
    send(name, array, () => {
      const target = name === "order" ? gl.ELEMENT_ARRAY_BUFFER : gl.ARRAY_BUFFER;
      gl.bindBuffer(target, buffers[name]);
      gl.bufferData(target, array, gl.DYNAMIC_DRAW);
    });

  const draw: Painter["draw"] = (scene) => {
    const { spots, from, count, view, width, height, ratio, palette, style } = scene;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    gl.viewport(0, 0, w, h);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (!count) return;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(program);
    fill("from", from ?? spots);
    fill("to", spots);
    fill("tint", scene.tints);
    fill("state", scene.states);
    fill("order", scene.order);
    send("palette", palette, () => {
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, palette);
      for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
        gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
    });
    gl.uniformMatrix3fv(place("turn"), true, view.turn);
    gl.uniform3fv(place("centre"), view.centre);
    gl.uniform2fv(place("middle"), view.middle);
    gl.uniform2f(place("size"), width, height);
    gl.uniform1f(place("scale"), view.scale);
    gl.uniform1f(place("share"), from ? scene.share : 1);
    gl.uniform1f(place("ratio"), ratio);
    gl.uniform1f(place("radius"), view.radius);
    gl.uniform1f(place("space"), view.space);
    gl.uniform1fv(place("diameters"), style.diameters);
    gl.uniform1fv(place("alphas"), style.alphas);
    gl.uniform1f(place("rimWidth"), style.rim * ratio);
    gl.uniform3fv(
      place("rim"),
      style.rimColour.map((channel) => channel / 255),
    );
    gl.drawElements(gl.POINTS, count, gl.UNSIGNED_INT, 0);
  };

  return { name: "webgl", canvas, draw, release: () => gl.getExtension("WEBGL_lose_context")?.loseContext() };
}

function linkProgram(gl: WebGL2RenderingContext) {
  const program = gl.createProgram();
  for (const { kind, source } of [
    { kind: gl.VERTEX_SHADER, source: VERTEX_SHADER },
    { kind: gl.FRAGMENT_SHADER, source: FRAGMENT_SHADER },
  ]) {
    const shader = gl.createShader(kind);
    if (!shader) return null; // the context is lost
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (gl.getProgramParameter(program, gl.LINK_STATUS)) return program;
  console.warn(gl.getProgramInfoLog(program));
  return null;
}

function floatAttribute(gl: WebGL2RenderingContext, program: WebGLProgram, name: string) {
  const [buffer, place] = [gl.createBuffer(), gl.getAttribLocation(program, name)];
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.enableVertexAttribArray(place);
  gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
  return buffer;
}

function byteAttribute(gl: WebGL2RenderingContext, program: WebGLProgram, name: string) {
  const [buffer, place] = [gl.createBuffer(), gl.getAttribLocation(program, name)];
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.enableVertexAttribArray(place);
  gl.vertexAttribIPointer(place, 1, gl.UNSIGNED_BYTE, 0, 0);
  return buffer;
}

/** @returns 256 colours, RGBA */
export function paletteBytes(palette: string[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 * 256);
  palette.forEach((colour, index) => void bytes.set([...rgbOf(colour), 255], 4 * index));
  return bytes;
}

/** Any colour that a theme may write, as three numbers. */
export function rgbOf(colour: string) {
  if (/^#[0-9a-f]{6}$/i.test(colour)) return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const context = canvasContext(document.createElement("canvas"));
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
}
