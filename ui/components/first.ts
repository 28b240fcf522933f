// What the first page draws and what components share, in one file: a request costs some milliseconds.

export * from "./_shared/camera.ts";
export * from "./_shared/canvas.ts";
export * from "./_shared/colour.ts";
export * from "./_shared/data.ts";
export * from "./_shared/elements.ts";
export * from "./_shared/exact_sum.ts";
export * from "./_shared/icons.ts";
export * from "./_shared/lifecycle.ts";
export * from "./_shared/link.ts";
export * from "./_shared/look.ts";
export * from "./_shared/numbers.ts";
export * from "./_shared/payload.ts";
export * from "./_shared/room.ts";
export * from "./_shared/save.ts";
export * from "./_shared/slides.ts";
export * from "./_shared/stepper.ts";
export * from "./_shared/stream.ts";
export * from "./_shared/text.ts";
export * from "./_shared/tip.ts";
export * from "./_shared/tokens.ts";
export { default as browser } from "./browser/index.ts";
export { default as live_text } from "./live_text/index.ts";
export { default as token_chips } from "./token_chips/index.ts";
export { default as vector_sum } from "./vector_sum/index.ts";
