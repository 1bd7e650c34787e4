/** Checks the docs: `node docs/build/check-docs.ts`, a part of `npm run check`. Exits with 1 if something is wrong. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkCommands } from "./check-commands.ts";
import { checkLinks } from "./check-links.ts";
import { checkPages } from "./check-pages.ts";
import { checkProse } from "./check-prose.ts";
import { readDocs } from "./docs-files.ts";
import { REFERENCES } from "./references.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const pages = readDocs();
const stale = REFERENCES.filter(({ file, write }) => readFileSync(file, "utf8") !== write()).map(
  ({ file }) => `${fileURLToPath(file).slice(ROOT.length)} is stale. Run npm run docs.`,
);
const failures = [
  ...stale,
  ...checkPages(pages),
  ...checkLinks(pages, ROOT),
  ...checkCommands(pages),
  ...(await checkProse(pages)),
];
for (const failure of failures) console.log(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
