// Smooth changes: points to new places, the camera to another view, the path from before to after. Each goes from 0 to 1
// in a time of its own; who asks for reduced motion sees the end at once.

import { ease, prefersReducedMotion } from "../_shared/canvas.ts";

export const GLIDE = 600; // milliseconds

interface Glides {
  start: (name: string, milliseconds: number, onShare: (share: number) => void, onEnd?: () => void) => void;
  stop: (name: string) => void;
  tick: (now: number) => void; // called in each frame that was asked for
  busy: boolean;
}

/** @param schedule asks for a frame */
export function glides(schedule: () => void): Glides {
  const running: Map<
    string,
    { begin: number | null; milliseconds: number; onShare: (share: number) => void; onEnd: () => void }
  > = new Map();
  return {
    start(name, milliseconds, onShare, onEnd = () => {}) {
      running.delete(name);
      if (prefersReducedMotion()) {
        onShare(1);
        onEnd();
      } else running.set(name, { begin: null, milliseconds, onShare, onEnd });
      schedule();
    },
    stop: (name) => void running.delete(name),
    get busy() {
      return running.size > 0;
    },
    tick(now) {
      for (const [name, glide] of [...running]) {
        glide.begin ??= now;
        const share = Math.min(1, (now - glide.begin) / glide.milliseconds);
        glide.onShare(ease(share));
        if (share < 1) continue;
        running.delete(name);
        glide.onEnd();
      }
      if (running.size) schedule();
    },
  };
}
