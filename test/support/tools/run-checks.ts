/**
 * `npm run check`: types, formatting and lint, import rules, dead code, the docs, and spelling. Two checks
 * run at a time, each with its output at the end. All of them run even if one fails.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

const SOURCES = ["services", "mixins", "shared", "cli", "dashboard", "bench", "moleculer.config.ts"];
/** Longest first. Several type checkers would repeat much of the same work. */
const CHECKS = [
  ["tsc", "--checkers", "1"],
  ["knip"],
  ["biome", "check"],
  ["tsc", "-p", "dashboard"],
  ["node", "docs/build/check-docs.ts"],
  ["cspell", "lint", "--no-progress", "--no-summary"],
  ["depcruise", "--progress", "none", ...SOURCES],
];
const CONCURRENCY = 2;

async function check([program = "", ...args]: string[]): Promise<void> {
  const child = spawn(program, args, {
    env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? "1" : "0" },
    // npm's programs are .cmd files on Windows.
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  if (code !== 0) process.exitCode = 1;
  console.log(`${code === 0 ? "passed" : "FAILED"}: ${program} ${args.join(" ")}\n${out}${errors}`);
}

const waiting = CHECKS.values();
await Promise.all(
  Array.from({ length: CONCURRENCY }, async () => {
    for (const one of waiting) await check(one);
  }),
);
