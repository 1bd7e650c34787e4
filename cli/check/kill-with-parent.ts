import { spawn } from "node:child_process";
import { Socket } from "node:net";
import process from "node:process";

/**
 * A line means that no process is left to end. The pipe's end without a line means that this process was
 * killed.
 */
const WATCH = `read -r line || { kill -TERM "-$1"; sleep "$2"; kill -KILL "-$1"; }`;

/**
 * Ends a process group if this process is killed, which it can't handle itself. A separate shell waits for
 * the end of a pipe. Without such a shell, nothing happens.
 * @param graceSeconds time for the group to end before it is killed
 * @returns a function that ends the watch
 */
export function killWithParent(group: number, graceSeconds: number): () => void {
  if (process.platform === "win32") return () => {};
  const watcher = spawn("/bin/sh", ["-c", WATCH, "vrs", String(group), String(graceSeconds)], {
    stdio: ["pipe", "ignore", "ignore"],
    // Outside the terminal's process group, or Ctrl-C would end it first.
    detached: true,
  });
  const { stdin } = watcher;
  for (const emitter of [watcher, stdin]) emitter.on("error", () => {});
  watcher.unref();
  if (stdin instanceof Socket) stdin.unref();
  return () => stdin.end("\n");
}
