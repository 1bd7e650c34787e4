import { spawn } from "node:child_process";
import { once } from "node:events";
import { release } from "node:os";
import type { Terminal } from "../terminal.ts";

/** Long enough to detect a failure without a desktop. */
const STARTED_WITHIN_MS = 2_000;

/** Opens a file with the system's program for it. @returns whether one was found */
export async function openFile(path: string, env: Terminal["env"]): Promise<boolean> {
  const [command, ...args] = opener(process.platform);
  if (process.platform === "linux" && !hasDesktop(env)) return false;
  const child = spawn(command, [...args, path], { stdio: "ignore", detached: true });
  child.unref();
  try {
    const [code] = await once(child, "exit", { signal: AbortSignal.timeout(STARTED_WITHIN_MS) });
    return code === 0;
  } catch (error) {
    // The program is still running, so it shows the file.
    return error instanceof Error && error.name === "AbortError";
  }
}

function opener(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return [/microsoft/i.test(release()) ? "wslview" : "xdg-open"];
}

/** xdg-open may fall back to a text browser, which would take over the terminal. */
const hasDesktop = (env: Terminal["env"]) =>
  Boolean(env.DISPLAY || env.WAYLAND_DISPLAY) || /microsoft/i.test(release());
