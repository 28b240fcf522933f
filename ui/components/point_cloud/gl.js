// All points in one call to the graphics processor: round, smooth-edged, mixed by alpha so that crowds show.

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
uniform float diameters[3];
uniform float alphas[3];
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

// {draw(scene), lost, release()}; null where the browser has no WebGL 2.
export function webglPainter(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true });
  if (!gl) return null;
  const program = linkProgram(gl);
  if (!program) return null;
  const uniform = (name) => gl.getUniformLocation(program, name);
  const places = Object.fromEntries(
    [
      "turn",
      "centre",
      "middle",
      "size",
      "scale",
      "share",
      "ratio",
      "radius",
      "space",
      "diameters",
      "alphas",
      "rim",
      "rimWidth",
    ].map((name) => [name, uniform(name)]),
  );
  const buffers = {
    from: floatAttribute(gl, program, "from"),
    to: floatAttribute(gl, program, "to"),
    tint: byteAttribute(gl, program, "tint"),
    state: byteAttribute(gl, program, "state"),
  };
  const orderBuffer = gl.createBuffer();
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, orderBuffer);
  const texture = gl.createTexture();
  const sent = {}; // what each buffer holds now: arrays are never changed in place, so the same array is the same content
  const send = (name, array, upload) => {
    if (sent[name] === array) return;
    sent[name] = array;
    upload(array);
  };
  const fill = (target, buffer, usage) => (array) => {
    gl.bindBuffer(target, buffer);
    gl.bufferData(target, array, usage);
  };

  function draw({ spots, from, share, count, tints, states, order, view, width, height, ratio, palette, style }) {
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    gl.viewport(0, 0, w, h);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (!count) return;
    const { plot } = view;
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(plot.x * ratio, (height - plot.y - plot.height) * ratio, plot.width * ratio, plot.height * ratio);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(program);
    send("from", from ?? spots, fill(gl.ARRAY_BUFFER, buffers.from, gl.STATIC_DRAW));
    send("to", spots, fill(gl.ARRAY_BUFFER, buffers.to, gl.STATIC_DRAW));
    send("tint", tints, fill(gl.ARRAY_BUFFER, buffers.tint, gl.STATIC_DRAW));
    send("state", states, fill(gl.ARRAY_BUFFER, buffers.state, gl.DYNAMIC_DRAW));
    send("order", order, fill(gl.ELEMENT_ARRAY_BUFFER, orderBuffer, gl.DYNAMIC_DRAW));
    send("palette", palette, (pixels) => {
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
        gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
    });
    gl.uniformMatrix3fv(places.turn, true, view.turn);
    gl.uniform3fv(places.centre, view.centre);
    gl.uniform2fv(places.middle, view.middle);
    gl.uniform2f(places.size, width, height);
    gl.uniform1f(places.scale, view.scale);
    gl.uniform1f(places.share, from ? share : 1);
    gl.uniform1f(places.ratio, ratio);
    gl.uniform1f(places.radius, view.radius);
    gl.uniform1f(places.space, view.space);
    gl.uniform1fv(places.diameters, style.diameters);
    gl.uniform1fv(places.alphas, style.alphas);
    gl.uniform1f(places.rimWidth, style.rim * ratio);
    gl.uniform3fv(
      places.rim,
      style.rimColour.map((channel) => channel / 255),
    );
    gl.drawElements(gl.POINTS, count, gl.UNSIGNED_INT, 0);
  }

  return { name: "webgl", canvas, draw, release: () => gl.getExtension("WEBGL_lose_context")?.loseContext() };
}

function linkProgram(gl) {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, VERTEX_SHADER],
    [gl.FRAGMENT_SHADER, FRAGMENT_SHADER],
  ]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (gl.getProgramParameter(program, gl.LINK_STATUS)) return program;
  console.warn(gl.getProgramInfoLog(program));
  return null;
}

function floatAttribute(gl, program, name) {
  const [buffer, place] = [gl.createBuffer(), gl.getAttribLocation(program, name)];
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.enableVertexAttribArray(place);
  gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
  return buffer;
}

function byteAttribute(gl, program, name) {
  const [buffer, place] = [gl.createBuffer(), gl.getAttribLocation(program, name)];
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.enableVertexAttribArray(place);
  gl.vertexAttribIPointer(place, 1, gl.UNSIGNED_BYTE, 0, 0);
  return buffer;
}
