import { readFileSync } from "node:fs";

/** The product's version, as in package.json. */
export const version = readVersion();

function readVersion(): string {
  // Every command of the tool starts by this: a schema library would double its time.
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  if (typeof manifest === "object" && manifest && "version" in manifest) return String(manifest.version);
  throw new Error("package.json has no version.");
}
