/**
 * Completes package-lock.json: `node cli/complete-lock.ts`.
 *
 * npm leaves a package made for another platform out of the lock when the registry at hand did not carry it,
 * and from then on `npm ci` refuses the lock everywhere. Their parents name them by exact version, and
 * os, cpu and libc are in their names. Their checksums come from the registry: an entry without one would let `npm ci`
 * install whatever a registry answers.
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
    /** In its parent's archive, whose checksum covers it. */
    inBundle: z.boolean().optional(),
    link: z.boolean().optional(),
    optionalDependencies: z.record(z.string(), z.string()).optional(),
  }),
);

export type LockedPackages = z.infer<typeof packagesSchema>;

const LOCK = new URL("../package-lock.json", import.meta.url);

/** The packages of a package-lock.json, this project's unless told, by the folder that each goes to. */
export async function readLockedPackages(lock = LOCK): Promise<LockedPackages> {
  return packagesSchema.parse((await readLock(lock)).packages);
}

async function readLock(lock = LOCK): Promise<z.infer<typeof objectSchema>> {
  return objectSchema.parse(JSON.parse(await readFile(lock, "utf8")));
}

/** Lists the packages that npm would install without comparing them with a checksum, as `name@version`. */
export function withoutChecksum(packages: LockedPackages): string[] {
  return Object.entries(packages)
    .filter(([path, { integrity, inBundle, link }]) => path !== "" && !integrity && !inBundle && !link)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")}@${version}`);
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
  if (!os || !cpu) throw new Error(LOCK_TEXTS.unknownPlatform(name));
  const libc = os === "linux" ? /musl|gnu/.exec(name)?.[0] : undefined;
  return { os: [os], cpu: [cpu], ...(libc && { libc: [libc === "gnu" ? "glibc" : libc] }) };
}

/** Asks the registry for a package's checksum. @throws Error that says what to do where it does not have the package */
async function integrityOf(name: string, version: string): Promise<string> {
  const asked = await run("npm", ["view", `${name}@${version}`, "dist.integrity"]).catch(() => null);
  const integrity = asked?.stdout.trim() ?? "";
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
