import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import type { CDPSession } from "playwright";

const run = promisify(execFile);

/** Type of the entry with the size of a page, and the size on most machines. */
const AT_PAGESZ = 6n;
const USUAL_PAGE_BYTES = 4096;
const ENTRY_BYTES = 16;

/**
 * Returns the size of a memory page, in which Linux counts resident memory. Kernels for ARM use 4, 16 or 64 KiB.
 * @param auxv content of /proc/self/auxv; empty on other systems
 */
export function memoryPageBytes(auxv: Buffer): number {
  for (let at = 0; at + ENTRY_BYTES <= auxv.length; at += ENTRY_BYTES)
    if (auxv.readBigUInt64LE(at) === AT_PAGESZ) return Number(auxv.readBigUInt64LE(at + ENTRY_BYTES / 2));
  return USUAL_PAGE_BYTES;
}

const pageBytes = memoryPageBytes(readAuxiliaryVector());

function readAuxiliaryVector(): Buffer {
  try {
    return readFileSync("/proc/self/auxv");
  } catch {
    return Buffer.alloc(0);
  }
}

/** One process of a browser. */
export interface BrowserProcess {
  pid: number;
  /**
   * Whether it runs pages. The other processes serve all pages: the browser itself, and its GPU and network processes.
   */
  isRenderer: boolean;
  residentBytes: number;
}

/**
 * Lists the processes of a browser. It reads /proc where that exists, because a busy browser takes seconds to respond.
 * On macOS, it uses the browser and `ps`. On Windows, it returns none.
 * @param pid the browser's own process
 */
export async function listBrowserProcesses(pid: number, session: CDPSession): Promise<BrowserProcess[]> {
  if (process.platform === "linux") return fromProc(pid);
  return process.platform === "darwin" ? await fromPs(session) : [];
}

/**
 * Reads the files synchronously. A read takes microseconds, and a hundred times as long through a queue. The files are
 * read four times a second while pages are open.
 */
function fromProc(pid: number): BrowserProcess[] {
  const statm = readProc(pid, "statm");
  if (statm === "") return [];
  const type = /--type=([\w-]+)/.exec(readProc(pid, "cmdline"))?.[1] ?? "browser";
  const own = {
    pid,
    isRenderer: type === "renderer",
    residentBytes: Number(statm.split(" ")[1] ?? 0) * pageBytes,
  };
  // Other types start no processes, and they have many threads to read.
  if (type !== "browser" && type !== "zygote") return [own];
  return [own, ...childrenOf(pid).flatMap(fromProc)];
}

/** Returns the child processes. Each thread lists the processes that it started. */
function childrenOf(pid: number): number[] {
  const lists = threadsOf(pid).map(thread => readProc(pid, `task/${thread}/children`));
  return lists.flatMap(list => list.split(" ").filter(Boolean).map(Number));
}

/** Returns the ids of a process's threads; none outside of Linux. */
export function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Returns whether a thread runs, or waits for a processor. */
export function isBusyThread(pid: number, thread: string): boolean {
  const stat = readProc(pid, `task/${thread}/stat`);
  // The name before the state may have brackets, too.
  return stat.charAt(stat.lastIndexOf(")") + 2) === "R";
}

/** Reads a file of a process, which may end at any time. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

async function fromPs(session: CDPSession): Promise<BrowserProcess[]> {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const pids = processInfo.map(({ id }) => id).join(",");
  const { stdout } = await run("ps", ["-o", "pid=,rss=", "-p", pids]);
  const sizes = new Map(
    stdout
      .trim()
      .split("\n")
      .map(line => line.trim().split(/\s+/).map(Number))
      .map(([id = 0, kibibytes = 0]) => [id, kibibytes * 1024]),
  );
  return processInfo.map(({ id, type }) => ({
    pid: id,
    isRenderer: type === "renderer",
    residentBytes: sizes.get(id) ?? 0,
  }));
}
