/**
 * `npm run sbom`: writes the software bill of materials, every package that the service runs with, as CycloneDX JSON.
 * `npm run package` writes it beside the package.
 */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "..", "..");
/** About 400 packages with their licenses and checksums. */
const OUTPUT_BYTES = 64 * 1024 * 1024;
/**
 * All packages of every platform. With `--omit dev`, npm also omits packages that a test tool shares with the
 * service.
 */
const SBOM = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
const OF_TESTS = "cdx:npm:package:development";

const manifestSchema = z.object({ name: z.string() });
const billSchema = z.looseObject({
  bomFormat: z.literal("CycloneDX"),
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
  components: z.array(
    z.looseObject({
      "bom-ref": z.string(),
      properties: z.array(z.looseObject({ name: z.string() })).default([]),
    }),
  ),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});

/** Writes the bill of materials to a file. @throws Error with npm's output */
export async function writeSbom(file: string): Promise<void> {
  const { stdout } = await run("npm", SBOM, { cwd: ROOT, maxBuffer: OUTPUT_BYTES });
  const bill = billSchema.parse(JSON.parse(stdout));
  // npm names the project after its folder.
  const { name } = manifestSchema.parse(JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")));
  bill.metadata.component.name = name;
  const tests = new Set(
    bill.components
      .filter(({ properties }) => properties.some(property => property.name === OF_TESTS))
      .map(component => component["bom-ref"]),
  );
  const isIncluded = (ref: string) => !tests.has(ref);
  bill.components = bill.components.filter(component => isIncluded(component["bom-ref"]));
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => isIncluded(ref))
    .map(({ dependsOn, ...rest }) => ({ ...rest, dependsOn: dependsOn.filter(isIncluded) }));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(bill, null, 2)}\n`);
}

if (import.meta.main) {
  const file = resolve(process.argv[2] ?? join(ROOT, "dist", "sbom.cdx.json"));
  await writeSbom(file);
  console.log(file);
}
