import { readdir, readFile } from "node:fs/promises";

const MEMORY_PAGE_BYTES = 4096;

/** A process of this machine. */
export interface ProcessFacts {
  pid: number;
  parent: number;
  residentBytes: number;
}

/** Lists all processes of this machine. Needs Linux. */
export async function listProcesses(): Promise<ProcessFacts[]> {
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const found = await Promise.all(pids.map(factsOf));
  return found.filter(facts => facts !== null);
}

async function factsOf(pid: number): Promise<ProcessFacts | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // pid (name, with any characters) state parent … resident pages as the 24th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields.length < 22) return null;
  return { pid, parent: Number(fields[1]), residentBytes: Number(fields[21]) * MEMORY_PAGE_BYTES };
}
