// All tests in one process, for a process of each file takes ten times what its tests take: but for `*.tab.test.js`, which
// make the whole process a browser's tab.

import { readdirSync } from "node:fs";

const here = new URL(".", import.meta.url);
for (const folder of readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
  for (const file of readdirSync(new URL(folder.name, here)))
    if (file.endsWith(".test.js") && !file.endsWith(".tab.test.js")) await import(`./${folder.name}/${file}`);
