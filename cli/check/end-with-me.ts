import { spawn } from "node:child_process";
import { Socket } from "node:net";
import process from "node:process";

/** A line says that there is nothing left to end; the pipe's end without one, that this process was killed. */
const WATCH = `read -r line || { kill -TERM "-$1"; sleep "$2"; kill -KILL "-$1"; }`;

/**
 * Has a process group ended should this process be killed, which it cannot see to itself then: a shell of its own waits
 * for the end of a pipe. Where there is no such shell, nothing waits.
 * @param patienceSeconds how long the group may take to end when asked
 * @returns what ends the watch
 */
export function endWithMe(group: number, patienceSeconds: number): () => void {
  if (process.platform === "win32") return () => {};
  const watcher = spawn("/bin/sh", ["-c", WATCH, "vrs", String(group), String(patienceSeconds)], {
    stdio: ["pipe", "ignore", "ignore"],
    // Not of the terminal's group, whose Ctrl-C would end it first.
    detached: true,
  });
  const { stdin } = watcher;
  for (const emitter of [watcher, stdin]) emitter.on("error", () => {});
  watcher.unref();
  if (stdin instanceof Socket) stdin.unref();
  return () => stdin.end("\n");
}
