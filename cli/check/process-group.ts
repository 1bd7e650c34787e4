import { spawnSync } from "node:child_process";
import process from "node:process";

/** How a signal reaches a process and the processes that it started. */
export type GroupSignal =
  | { by: "kill"; pid: number; signal: NodeJS.Signals | 0 }
  | { by: "taskkill"; args: string[] };

/**
 * Returns how to signal a process and the processes that it started. On Windows, processes have no groups, and only a
 * forced end reaches programs without a window.
 */
export function groupSignal(platform: NodeJS.Platform, pid: number, signal: NodeJS.Signals | 0): GroupSignal {
  if (platform !== "win32") return { by: "kill", pid: -pid, signal };
  if (signal === 0) return { by: "kill", pid, signal };
  return { by: "taskkill", args: ["/pid", String(pid), "/T", "/F"] };
}

/** Whether a new process leads a group of its own. On Windows, it would open a window instead. */
export const LEADS_GROUP = process.platform !== "win32";

/** Signals a process and the processes that it started. @returns whether one was left */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  const way = groupSignal(process.platform, pid, signal);
  if (way.by === "taskkill") return spawnSync("taskkill", way.args, { stdio: "ignore" }).status === 0;
  try {
    process.kill(way.pid, way.signal);
    return true;
  } catch {
    return false;
  }
}
