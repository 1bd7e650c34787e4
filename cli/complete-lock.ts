/**
 * Completes package-lock.json: `node cli/complete-lock.ts`.
 *
 * npm leaves a package made for another platform out of the lock when the registry at hand does not carry it,
 * and from then on `npm ci` refuses the lock everywhere. Their parents name them by exact version, and
 * os, cpu and libc are in their names, so that the entries can be written without asking a registry.
 */
import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod";

const objectSchema = z.record(z.string(), z.unknown());
const packagesSchema = z.record(
  z.string(),
  z.looseObject({
    dev: z.boolean().optional(),
    optionalDependencies: z.record(z.string(), z.string()).optional(),
  }),
);

export type LockedPackages = z.infer<typeof packagesSchema>;

const LOCK = new URL("../package-lock.json", import.meta.url);

/** The packages of this project's package-lock.json, by the folder that each goes to. */
export async function readLockedPackages(): Promise<LockedPackages> {
  return packagesSchema.parse((await readLock()).packages);
}

async function readLock(): Promise<z.infer<typeof objectSchema>> {
  return objectSchema.parse(JSON.parse(await readFile(LOCK, "utf8")));
}

/** The optional dependencies that the lock names but does not hold, with the key of each one's parent. */
export function missingFrom(packages: LockedPackages): { parent: string; name: string; version: string }[] {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !holds(packages, parent, name))
      .map(([name, version]) => ({ parent, name, version })),
  );
}

/** Whether the package at `parent` finds `name` in its own node_modules or in one further out. */
function holds(packages: LockedPackages, parent: string, name: string): boolean {
  const folders = parent.split(/\/?node_modules\//).slice(1);
  return Array.from({ length: folders.length + 1 }, (_, depth) => folders.slice(0, depth))
    .map(outer => [...outer, name].map(folder => `node_modules/${folder}`).join("/"))
    .some(key => key in packages);
}

/** What a package's name says of its platform, as fields of package.json. */
export function platformOf(name: string): { os: string[]; cpu: string[]; libc?: string[] } {
  const [, os, cpu] =
    /(android|darwin|freebsd|openharmony|win32|linux)-(arm64|arm|x64|ia32|ppc64|riscv64|s390x)/.exec(name) ??
    [];
  if (!os || !cpu)
    throw new Error(`${name} does not name its platform; install it, so that npm locks it itself`);
  const libc = os === "linux" ? /musl|gnu/.exec(name)?.[0] : undefined;
  return { os: [os], cpu: [cpu], ...(libc && { libc: [libc === "gnu" ? "glibc" : libc] }) };
}

async function main(): Promise<void> {
  const lock = await readLock();
  const packages = packagesSchema.parse(lock.packages);
  const missing = missingFrom(packages);
  if (missing.length === 0) return console.log("package-lock.json is complete.");

  const entries = objectSchema.parse(lock.packages);
  for (const { parent, name, version } of missing) {
    if (!/^\d+\.\d+\.\d+/.test(version))
      throw new Error(`${parent} asks for ${name} ${version}: that is not one version`);
    const dev = packages[parent]?.dev;
    entries[`node_modules/${name}`] = { version, ...platformOf(name), ...(dev && { dev }), optional: true };
  }
  const sorted = Object.entries(entries).sort(([one], [other]) => one.localeCompare(other, "en"));
  const completed = { ...lock, packages: Object.fromEntries(sorted) };
  await writeFile(LOCK, `${JSON.stringify(completed, null, 2)}\n`);
  console.log(`package-lock.json: ${missing.length} packages of other platforms added.`);
}

if (import.meta.main) await main();
