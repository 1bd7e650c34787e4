import { statfs } from "node:fs/promises";
import { gitLine } from "../git.ts";
import type { Terminal } from "../terminal.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** What the browser unpacks to, and some checks. */
const DISK_MIB = 500;

/** The programs and the room that a check needs. */
export async function checkMachine(terminal: Terminal): Promise<Finding[]> {
  return [
    ok("Node", `${process.versions.node}, ${process.platform} ${process.arch}`),
    await repository(terminal.cwd),
    await disk(terminal.cwd),
  ];
}

async function repository(cwd: string): Promise<Finding> {
  const version = await gitLine(cwd, ["--version"]);
  if (version === null)
    return warning("Git", "not found", "Install it: without it, baselines of other branches cannot be read.");
  if ((await gitLine(cwd, ["rev-parse", "--is-inside-work-tree"])) === "true")
    return ok("Git", version.replace(/^git version /, ""));
  return warning(
    "Git",
    `${cwd} is in no repository`,
    "Baselines are to be kept with the code: run `git init`.",
  );
}

async function disk(cwd: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(cwd);
  const mib = Math.floor((bavail * bsize) / 1024 / 1024);
  if (mib >= DISK_MIB) return ok("Disk", `${(mib / 1024).toFixed(1)} GiB free`);
  return warning("Disk", `${mib} MiB free`, "Make room: reports and the browser want some hundred MiB.");
}
