import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { promisify } from "node:util";
import { findBrowser } from "../../shared/capture/browser/browser-binary.ts";
import { BROWSER_CACHE } from "../../test/support/drivers/runner.ts";
import type { MachineFacts } from "./figures.ts";

const run = promisify(execFile);
/** Files that benchmarks write themselves don't change what they measure. */
const OWN_FILES = [":(top,exclude)bench/results", ":(top,exclude)docs/reference/benchmarks.md"];

/** Returns the machine and the commit of the figures. */
export async function describeMachine({ withBrowser }: { withBrowser: boolean }): Promise<MachineFacts> {
  return {
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${systemName()}, Linux ${release()}`,
    node: process.versions.node,
    browser: withBrowser ? await browserVersion() : null,
    date: new Date().toISOString(),
    commit: await commit(),
  };
}

function systemName(): string {
  const text = readFileSync("/etc/os-release", "utf8");
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(text)?.[1] ?? "unknown";
}

async function browserVersion(): Promise<string> {
  const { executablePath, env } = await findBrowser({
    chromiumPath: process.env.CHROMIUM_PATH ?? null,
    cacheDir: BROWSER_CACHE,
  });
  return (await run(executablePath, ["--version"], { env })).stdout.trim();
}

async function commit(): Promise<string> {
  const cwd = import.meta.dirname;
  const { stdout: head } = await run("git", ["rev-parse", "--short=10", "HEAD"], { cwd });
  const { stdout: changes } = await run("git", ["status", "--porcelain", "--", ":/", ...OWN_FILES], { cwd });
  return head.trim() + (changes.trim() && "+");
}
