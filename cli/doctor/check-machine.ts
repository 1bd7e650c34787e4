import { statfs } from "node:fs/promises";
import { gitLine } from "../git.ts";
import type { Terminal } from "../terminal.ts";
import { DOCTOR_TEXTS as TEXTS } from "../texts/doctor.ts";
import { type Finding, ok, warning } from "./finding.ts";

const { names } = TEXTS;

/** Space for the unpacked browser and some checks. */
const DISK_MIB = 500;

/** Checks the programs and the disk space that a check needs. */
export async function checkMachine(terminal: Terminal): Promise<Finding[]> {
  return [
    ok(names.node, `${process.versions.node}, ${process.platform} ${process.arch}`),
    await repository(terminal.cwd),
    await disk(terminal.cwd),
  ];
}

async function repository(cwd: string): Promise<Finding> {
  const version = await gitLine(cwd, ["--version"]);
  if (version === null) return warning(names.git, TEXTS.gitMissing, TEXTS.fixGit);
  if ((await gitLine(cwd, ["rev-parse", "--is-inside-work-tree"])) === "true")
    return ok(names.git, version.replace(/^git version /, ""));
  return warning(names.git, TEXTS.noRepository(cwd), TEXTS.fixRepository);
}

async function disk(cwd: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(cwd);
  const mib = Math.floor((bavail * bsize) / 1024 / 1024);
  if (mib >= DISK_MIB) return ok(names.disk, TEXTS.diskFree(mib / 1024));
  return warning(names.disk, TEXTS.diskLow(mib), TEXTS.fixDisk(DISK_MIB));
}
