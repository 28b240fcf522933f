// Runs the tests of the browser code: bundled, for Node does not read TypeScript, and all in one process, for a process of
// each file takes ten times what its tests take; but `*.tab.test.ts`, which make the whole process a browser's tab.

import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const outdir = join(here, "../../build/tests-js");
const tests = readdirSync(here, { recursive: true }).filter((path) => path.endsWith(".test.ts"));
const tabs = tests.filter((path) => path.endsWith(".tab.test.ts"));
const together = tests
  .filter((path) => !tabs.includes(path))
  .map((path) => `import "./${path.replaceAll("\\", "/")}";`);
const options = { bundle: true, platform: "node", format: "esm", target: "es2022", outdir, sourcemap: "inline" };

rmSync(outdir, { recursive: true, force: true });
await build({ ...options, entryPoints: tabs.map((path) => join(here, path)), entryNames: "[name]" });
await build({ ...options, stdin: { contents: together.join("\n"), resolveDir: here, sourcefile: "together.ts" } });
const files = ["stdin.js", ...tabs.map((path) => basename(path).replace(/ts$/, "js"))].map((name) =>
  join(outdir, name),
);
const flags = ["--test", "--test-reporter=spec", "--enable-source-maps"];
process.exit(spawnSync(process.execPath, [...flags, ...files], { stdio: "inherit" }).status ?? 1);
