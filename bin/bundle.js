// Bundle the components' TypeScript into ui/components/bundles, which the server hands out: `node bin/bundle.js` writes
// the files, `node bin/bundle.js --check` fails where those that are there differ from what the sources make.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const components = join(root, "ui", "components");
const folder = join(components, "bundles");
const first = readFileSync(join(components, "first.ts"), "utf8");
const alone = ["phone/index.ts", "browser/start.ts"]; // each runs on a page, or at a time, that has nothing else
const bundled = [...first.matchAll(/"\.\/(\w+\/index\.ts)"/g)].map(([, path]) => path);
const entries = readdirSync(components, { recursive: true })
  .map((path) => path.split(sep).join("/"))
  .filter((path) => path.endsWith("/index.ts") && ![...alone, ...bundled].includes(path))
  .sort();

/** Takes what components share from first.js, where they are not part of that file. */
const shared = {
  name: "shared",
  setup({ onResolve }) {
    onResolve({ filter: /\/_shared\/\w+\.ts$/ }, ({ importer }) => {
      const [owner] = relative(components, importer).split(sep);
      const isInside = ["_shared", "first.ts", ...bundled.map(dirname)].includes(owner);
      return isInside ? null : { path: "./first.js", external: true };
    });
  },
};

const options = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  minify: true,
  charset: "utf8",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
  outdir: folder,
};
const nameOf = (path) => (path.endsWith("/index.ts") ? dirname(path).replace("/", "_") : basename(path, ".ts"));
const named = (paths) => Object.fromEntries(paths.map((path) => [nameOf(path), join(components, path)]));
const results = await Promise.all([
  build({
    ...options,
    entryPoints: named(["first.ts", ...entries]),
    format: "esm",
    splitting: true,
    plugins: [shared],
  }),
  build({ ...options, entryPoints: named(alone), format: "iife" }),
]);
const made = new Map(results.flatMap(({ outputFiles }) => outputFiles.map(({ path, text }) => [basename(path), text])));
const there = existsSync(folder) ? readdirSync(folder) : [];

if (process.argv.includes("--check")) {
  const isSame = (name) => there.includes(name) && made.get(name) === readFileSync(join(folder, name), "utf8");
  const differing = [...new Set([...made.keys(), ...there])].filter((name) => !isSame(name));
  if (differing.length) {
    console.error(`ui/components/bundles is not what the sources make (npm run build): ${differing.join(", ")}`);
    process.exit(1);
  }
} else {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of made) writeFileSync(join(folder, name), text);
  for (const name of there.filter((name) => !made.has(name))) rmSync(join(folder, name));
}
