// Bundle the components' TypeScript into ui/components/bundles, which the server hands out, and into embedlib/data/widgets.js for
// notebooks: `node bin/bundle.js` writes the files, `--check` fails where those that are there differ from what the sources make.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const components = join(root, "ui", "components");
const folder = join(components, "bundles");
const view = join(components, "_shared", "view.ts");
const first = readFileSync(join(components, "first.ts"), "utf8");
const alone = ["phone/index.ts", "browser/start.ts"]; // each runs on a page, or at a time, that has nothing else
const firstComponents = [...first.matchAll(/"\.\/(\w+\/index\.tsx?)"/g)].map(([, path]) => path);
const entries = readdirSync(components, { recursive: true })
  .map((path) => path.split(sep).join("/"))
  .filter((path) => /\/index\.tsx?$/.test(path) && ![...alone, ...firstComponents].includes(path))
  .sort();

/** Takes what components share from first.js, and Preact from view.js, which only some pages need. */
const sharedImports = {
  name: "shared",
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$|^preact/ }, ({ path, importer, kind, resolveDir }) => {
      const importPath = path.startsWith(".") ? join(resolveDir, path) : path;
      const [owner] = relative(components, importer).split(sep);
      if (kind === "entry-point" || importer.includes("node_modules")) return null;
      if (importPath === view || path.startsWith("preact"))
        return importer === view ? null : { path: "./view.js", external: true };
      if (dirname(importPath) !== dirname(view)) return null;
      const isInside = importer !== view && ["_shared", "first.ts", ...firstComponents.map(dirname)].includes(owner);
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
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
  outdir: folder,
};
const nameOf = (path) => (/\/index\.tsx?$/.test(path) ? dirname(path).replace("/", "_") : basename(path, ".ts"));
const entryPoints = (paths) => Object.fromEntries(paths.map((path) => [nameOf(path), join(components, path)]));
const licence = readFileSync(join(root, "node_modules", "preact", "LICENSE"), "utf8");
const results = await Promise.all([
  build({
    ...options,
    entryPoints: { ...entryPoints(["first.ts", ...entries]), view },
    format: "esm",
    splitting: true,
    plugins: [sharedImports],
  }),
  build({ ...options, entryPoints: entryPoints(alone), format: "iife" }),
  build({
    ...options,
    entryPoints: entryPoints(["widgets.ts"]),
    format: "esm",
    outdir: join(root, "embedlib", "data"),
    loader: { ".css": "text", ".html": "text" },
    banner: { js: `/* Contains Preact.\n${licence}*/` },
  }),
]);
const bundles = new Map(results.flatMap(({ outputFiles }) => outputFiles.map(({ path, text }) => [path, text])));
bundles.set(join(folder, "preact.LICENSE.txt"), licence); // it is in view.js
const there = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];

if (process.argv.includes("--check")) {
  const isSame = (path) => existsSync(path) && bundles.get(path) === readFileSync(path, "utf8");
  const differing = [...new Set([...bundles.keys(), ...there])].filter((path) => !isSame(path));
  if (differing.length) {
    const names = differing.map((path) => relative(root, path)).join(", ");
    console.error(`The bundles are not what the sources make (npm run build): ${names}`);
    process.exit(1);
  }
} else {
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of bundles) writeFileSync(path, text);
  for (const path of there.filter((path) => !bundles.has(path))) rmSync(path);
}
