// Smooth changes: points to new places, the camera to another view, the path from before to after. Each goes from 0 to 1
// in a time of its own; who asks for reduced motion sees the end at once.

export const GLIDE = 600; // milliseconds

// {start(name, milliseconds, onShare, onEnd), stop(name), busy}; `schedule` asks for a frame, `tick` is called in it.
export function motions(schedule) {
  const running = new Map();
  const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  return {
    start(name, duration, onShare, onEnd = () => {}) {
      running.delete(name);
      if (still()) {
        onShare(1);
        onEnd();
      } else running.set(name, { begin: null, duration, onShare, onEnd });
      schedule();
    },
    stop: (name) => running.delete(name),
    get busy() {
      return running.size > 0;
    },
    tick(now) {
      for (const [name, motion] of [...running]) {
        motion.begin ??= now;
        const share = Math.min(1, (now - motion.begin) / motion.duration);
        motion.onShare(share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2);
        if (share < 1) continue;
        running.delete(name);
        motion.onEnd();
      }
      if (running.size) schedule();
    },
  };
}

// Carries a camera from one view to another; zoom by factors, so that it looks even.
export function glideCamera(camera, goal, share, from) {
  if (share === 1) return Object.assign(camera, cameraNow(goal));
  camera.zoom = from.zoom * (goal.zoom / from.zoom) ** share;
  camera.centre = from.centre.map((value, axis) => value + (goal.centre[axis] - value) * share);
  camera.yaw = from.yaw + (goal.yaw - from.yaw) * share;
  camera.pitch = from.pitch + (goal.pitch - from.pitch) * share;
  const mixed = (end) => from.box[end].map((value, axis) => value + (goal.box[end][axis] - value) * share);
  camera.box = { low: mixed("low"), high: mixed("high") };
}

export const cameraNow = ({ zoom, centre, yaw, pitch, box }) => ({ zoom, centre: [...centre], yaw, pitch, box });
