import { posix, win32 } from "node:path";

/** The machine on which a browser is searched. */
export interface Machine {
  platform: NodeJS.Platform;
  arch: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** A browser to try: a program, or the Chromium of the npm package. */
export type BrowserCandidate =
  | { from: "chosen" | "playwright" | "system"; path: string }
  | { from: "package" };

/** Variables that programs need to start on Windows. None of them is a secret. */
const WINDOWS_VARIABLES = [
  "SystemRoot",
  "SystemDrive",
  "windir",
  "ComSpec",
  "Path",
  "TEMP",
  "TMP",
  "ProgramData",
  "ProgramFiles",
  "ProgramFiles(x86)",
  "LOCALAPPDATA",
  "APPDATA",
  "USERPROFILE",
];

const MAC_APPS = ["Google Chrome", "Chromium", "Microsoft Edge"];
const LINUX_PROGRAMS = [
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/microsoft-edge",
];
const WINDOWS_PROGRAMS = [
  ["Google", "Chrome", "Application", "chrome.exe"],
  ["Microsoft", "Edge", "Application", "msedge.exe"],
];

/** Returns whether the npm package has a Chromium for this machine. */
export function hasPackagedBrowser({ platform, arch }: Machine): boolean {
  return platform === "linux" && arch === "x64";
}

/**
 * Returns the browsers to try, best first. A chosen browser is the only one. The package's build comes before the
 * system's browsers, because its version is fixed.
 * @param found.playwright Playwright's own browser, if it is installed
 * @param found.exists whether a file exists
 */
export function browserCandidates(
  machine: Machine,
  found: { chosen: string | null; playwright: string | null; exists: (path: string) => boolean },
): BrowserCandidate[] {
  if (found.chosen !== null) return [{ from: "chosen", path: found.chosen }];
  const playwright =
    found.playwright === null ? [] : [{ from: "playwright" as const, path: found.playwright }];
  if (hasPackagedBrowser(machine)) return [...playwright, { from: "package" }];
  const system = systemBrowsers(machine).filter(found.exists);
  return [...playwright, ...system.map(path => ({ from: "system" as const, path }))];
}

/** Returns where Chrome, Chromium and Edge are when a system's own installer has put them there. */
function systemBrowsers({ platform, env }: Machine): string[] {
  if (platform === "win32") {
    const folders = [env.ProgramFiles, env["ProgramFiles(x86)"], env.LOCALAPPDATA];
    return WINDOWS_PROGRAMS.flatMap(parts =>
      folders.flatMap(folder => (folder ? [win32.join(folder, ...parts)] : [])),
    );
  }
  if (platform !== "darwin") return LINUX_PROGRAMS;
  const folders = ["/Applications", ...(env.HOME ? [posix.join(env.HOME, "Applications")] : [])];
  return MAC_APPS.flatMap(app => folders.map(folder => `${folder}/${app}.app/Contents/MacOS/${app}`));
}

/** Returns where Firefox is when a system's own installer has put it there. */
export function systemFirefoxes({ platform, env }: Machine): string[] {
  if (platform === "darwin") return ["/Applications/Firefox.app/Contents/MacOS/firefox"];
  if (platform !== "win32") return ["/usr/bin/firefox", "/usr/bin/firefox-esr"];
  const folders = [env.ProgramFiles, env["ProgramFiles(x86)"]];
  return folders.flatMap(folder => (folder ? [win32.join(folder, "Mozilla Firefox", "firefox.exe")] : []));
}

/** Returns the variables that a browser needs to start, without this process's secrets. */
export function browserEnvironment({ platform, env }: Machine, home: string): Record<string, string> {
  const fixed = { LANG: "en_US.UTF-8", TZ: "UTC" };
  if (platform !== "win32") return { HOME: home, PATH: "/usr/local/bin:/usr/bin:/bin", ...fixed };
  const kept = WINDOWS_VARIABLES.flatMap(name => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), ...fixed };
}

/** Returns whether `--version` prints the version. On Windows, Chrome opens a window instead. */
export function printsVersion({ platform }: Machine): boolean {
  return platform !== "win32";
}
