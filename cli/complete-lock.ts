/**
 * Completes package-lock.json: `node cli/complete-lock.ts`.
 *
 * npm leaves packages of other platforms out of the lock if the registry didn't have them, and then `npm ci`
 * refuses the lock everywhere. Their parents name them with an exact version, and their names contain os, cpu
 * and libc. Their checksums come from the registry: without one, `npm ci` would install whatever a registry
 * returns.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { LOCK_TEXTS } from "./texts/package.ts";

const run = promisify(execFile);
const objectSchema = z.record(z.string(), z.unknown());
const packagesSchema = z.record(
  z.string(),
  z.looseObject({
    dev: z.boolean().optional(),
    version: z.string().optional(),
    integrity: z.string().optional(),
    /** Part of its parent's archive, whose checksum covers it. */
    inBundle: z.boolean().optional(),
    link: z.boolean().optional(),
    optionalDependencies: z.record(z.string(), z.string()).optional(),
  }),
);

export type LockedPackages = z.infer<typeof packagesSchema>;

const LOCK = new URL("../package-lock.json", import.meta.url);

/** Reads the packages of a package-lock.json, by default this project's, by install folder. */
export async function readLockedPackages(lock = LOCK): Promise<LockedPackages> {
  return packagesSchema.parse((await readLock(lock)).packages);
}

async function readLock(lock = LOCK): Promise<z.infer<typeof objectSchema>> {
  return objectSchema.parse(JSON.parse(await readFile(lock, "utf8")));
}

/** Lists the packages that npm would install without verifying a checksum, as `name@version`. */
export function withoutChecksum(packages: LockedPackages): string[] {
  return Object.entries(packages)
    .filter(([path, { integrity, inBundle, link }]) => path !== "" && !integrity && !inBundle && !link)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")}@${version}`);
}

/** Returns the optional dependencies that are missing in the lock, with the key of each parent. */
export function missingFrom(packages: LockedPackages): { parent: string; name: string; version: string }[] {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !holds(packages, parent, name))
      .map(([name, version]) => ({ parent, name, version })),
  );
}

/** Returns whether the package at `parent` finds `name` in its own node_modules or in an outer one. */
function holds(packages: LockedPackages, parent: string, name: string): boolean {
  const folders = parent.split(/\/?node_modules\//).slice(1);
  return Array.from({ length: folders.length + 1 }, (_, depth) => folders.slice(0, depth))
    .map(outer => [...outer, name].map(folder => `node_modules/${folder}`).join("/"))
    .some(key => key in packages);
}

/** Returns the platform in a package's name, as fields of package.json. */
export function platformOf(name: string): { os: string[]; cpu: string[]; libc?: string[] } {
  const [, os, cpu] =
    /(android|darwin|freebsd|openharmony|win32|linux)-(arm64|arm|x64|ia32|ppc64|riscv64|s390x)/.exec(name) ??
    [];
  if (!os || !cpu) throw new Error(LOCK_TEXTS.unknownPlatform(name));
  const libc = os === "linux" ? /musl|gnu/.exec(name)?.[0] : undefined;
  return { os: [os], cpu: [cpu], ...(libc && { libc: [libc === "gnu" ? "glibc" : libc] }) };
}

/**
 * Requests a package's checksum from the registry. @throws Error that says what to do if the package isn't
 * there
 */
async function integrityOf(name: string, version: string): Promise<string> {
  const answer = await run("npm", ["view", `${name}@${version}`, "dist.integrity"]).catch(() => null);
  const integrity = answer?.stdout.trim() ?? "";
  if (/^sha512-[\w+/=]+$/.test(integrity)) return integrity;
  throw new Error(LOCK_TEXTS.noChecksum(name, version));
}

async function main(): Promise<void> {
  const lock = await readLock();
  const packages = packagesSchema.parse(lock.packages);
  const missing = missingFrom(packages);
  if (missing.length === 0) return console.log(LOCK_TEXTS.complete);

  const entries = objectSchema.parse(lock.packages);
  for (const { parent, name, version } of missing) {
    if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(LOCK_TEXTS.notExact(parent, name, version));
    const dev = packages[parent]?.dev;
    const integrity = await integrityOf(name, version);
    const facts = { ...platformOf(name), ...(dev && { dev }), optional: true };
    entries[`node_modules/${name}`] = { version, integrity, ...facts };
  }
  const sorted = Object.entries(entries).sort(([one], [other]) => one.localeCompare(other, "en"));
  const completed = { ...lock, packages: Object.fromEntries(sorted) };
  await writeFile(LOCK, `${JSON.stringify(completed, null, 2)}\n`);
  console.log(LOCK_TEXTS.added(missing.length));
}

if (import.meta.main) await main();
