import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { XDG_CACHE_HOME } from "../../test/support/drivers/runner.ts";
import type { Measurement } from "./figures.ts";
import { timedWithMemory } from "./memory.ts";

/**
 * Runs a tool from start to exit, and measures milliseconds and the memory of its processes.
 * @throws Error with its output when it ends with another exit code
 */
export async function runTool(
  args: string[],
  cwd: string,
  codes: number[],
  variables: Record<string, string> = {},
): Promise<Measurement> {
  const env = { ...process.env, XDG_CACHE_HOME, LOST_PIXEL_DISABLE_TELEMETRY: "1", CI: "", ...variables };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output += text.toString()));
  let code: unknown;
  const measurement = await timedWithMemory(
    () => (child.pid === undefined ? [] : [child.pid]),
    async () => {
      [code] = await once(child, "close");
    },
  );
  if (!codes.some(expected => expected === code))
    throw new Error(`${args.join(" ")} ended with ${code}:\n${output.slice(-3000)}`);
  return measurement;
}

/** Creates a folder with these files for a tool. */
export async function makeFolder(path: string, content: Record<string, string>): Promise<string> {
  await mkdir(path, { recursive: true });
  for (const [file, text] of Object.entries(content)) await writeFile(join(path, file), text);
  return path;
}

/** Returns the processor time of all ended processes and their children, ms. A busy machine changes it little. */
export function childrenCpuMs(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  // Fields 16 and 17 of the whole line, in hundredths of a second.
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
