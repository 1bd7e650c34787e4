/** Writes the generated pages of docs/reference: `npm run docs`. */
import { writeFile } from "node:fs/promises";
import { REFERENCES } from "./references.ts";

for (const { file, write } of REFERENCES) await writeFile(file, write());
