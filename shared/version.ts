import { readFileSync } from "node:fs";
import { z } from "zod";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** The product's version, as in package.json. */
export const { version } = z.object({ version: z.string() }).parse(manifest);
