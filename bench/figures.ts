import { readdirSync, readFileSync } from "node:fs";

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Resident memory of a process, and of it with all its descendants, MB. */
export function megabytesOf(pid: number): { own: number; tree: number } {
  const processes = readdirSync("/proc")
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const status = readFileSync(`/proc/${name}/status`, "utf8");
        const field = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
        return [{ pid: Number(name), parent: field("PPid"), megabytes: field("VmRSS") / 1024 }];
      } catch {
        return [];
      }
    });
  const sum = (of: number): number =>
    processes
      .filter(process => process.parent === of)
      .reduce(
        (total, process) => total + sum(process.pid),
        processes.find(process => process.pid === of)?.megabytes ?? 0,
      );
  const own = processes.find(process => process.pid === pid)?.megabytes ?? 0;
  return { own: Math.round(own), tree: Math.round(sum(pid)) };
}
