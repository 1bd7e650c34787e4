import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { DEMO_TEXTS } from "../texts/demo.ts";

/**
 * Builds the dashboard in a process of its own, unless it is up to date.
 * @param root the project's folder
 * @throws Error with what the build printed
 */
export async function buildDashboard(root: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [join(root, "cli", "build-dashboard.mjs")], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(DEMO_TEXTS.notBuilt((await printed).join("").trim()));
}
