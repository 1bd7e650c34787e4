import { readdirSync, readFileSync } from "node:fs";
import type { Measurement } from "./figures.ts";

/** Frequent enough for a peak that lasts, and rare enough to cost a few hundredths of a core. */
const INTERVAL_MS = 300;

/** Returns the resident memory of a process, alone and with all its descendants, MB. Shared memory counts for each. */
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

/** Runs work and records the peak memory of these processes, each with its descendants. */
export async function watchingMemory<T>(
  pids: () => number[],
  work: () => Promise<T>,
): Promise<{ result: T; peakMb: number }> {
  let peakMb = 0;
  const sample = () => {
    peakMb = Math.max(
      peakMb,
      pids().reduce((sum, pid) => sum + megabytesOf(pid).tree, 0),
    );
  };
  const timer = setInterval(sample, INTERVAL_MS);
  try {
    const result = await work();
    sample();
    return { result, peakMb };
  } finally {
    clearInterval(timer);
  }
}

/** Measures how long work takes, ms, and the memory of these processes. */
export async function timedWithMemory(
  pids: () => number[],
  work: () => Promise<unknown>,
): Promise<Measurement> {
  const { result, peakMb } = await watchingMemory(pids, () => timed(work));
  return { value: result, peakMb };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
