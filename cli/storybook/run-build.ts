import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { parseJson } from "../../shared/json.ts";
import { killWithParent } from "../check/kill-with-parent.ts";
import { LEADS_GROUP, signalGroup } from "../check/process-group.ts";
import { LineReader, shownAppOutput } from "../output/app-output.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { STORYBOOK_ERRORS as ERRORS } from "../texts/storybook.ts";

/** Characters of output that are kept for an error. */
const KEPT_CHARS = 8_000;
const GRACE_S = 5;
const LAST_OUTPUT_MS = 500;
/** Storybook's own default. */
const OUTPUT_FOLDER = "storybook-static";

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()).default({}) });

/** Lock files, and the tools that write them. */
const TOOLS = { "pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun" };

/**
 * Runs the project's own script that builds its Storybook.
 * @param folder folder with `package.json`
 * @returns absolute path of the build: that of the script's `-o` or `--output-dir`, or Storybook's default
 * @throws CommandError `storybook_build_failed` with the last output; the signal's reason
 */
export async function runBuild(
  terminal: Pick<Terminal, "env" | "signal">,
  { folder, script, onLine }: { folder: string; script: string; onLine: (line: string) => void },
): Promise<string> {
  const file = join(folder, "package.json");
  const text = await readFile(file, "utf8").catch(() => "");
  const parsed = packageSchema.safeParse(parseJson(text));
  if (!parsed.success) throw failed(ERRORS.noPackage(folder));
  const command = parsed.data.scripts[script];
  if (command === undefined) throw failed(ERRORS.noScript(script, file));
  const tool = Object.entries(TOOLS).find(([lock]) => existsSync(join(folder, lock)))?.[1] ?? "npm";
  await run([tool, "run", JSON.stringify(script)].join(" "), { script, folder, terminal, onLine });
  return resolve(folder, outputOf(command) ?? OUTPUT_FOLDER);
}

/** Returns the folder that a command names for its output; null if it names none. */
export function outputOf(command: string): string | null {
  const named = /(?:^|\s)(?:-o|--output-dir)[\s=]+(?:"([^"]+)"|'([^']+)'|(\S+))/.exec(command);
  return named?.[1] ?? named?.[2] ?? named?.[3] ?? null;
}

async function run(
  command: string,
  work: {
    script: string;
    folder: string;
    terminal: Pick<Terminal, "env" | "signal">;
    onLine: (line: string) => void;
  },
): Promise<void> {
  const { script, folder, terminal, onLine } = work;
  const { signal, env } = terminal;
  signal.throwIfAborted();
  const child = spawn(command, {
    ...{ cwd: folder, env: { ...env }, shell: true, detached: LEADS_GROUP, windowsHide: true },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    const lines = new LineReader(onLine);
    stream
      .setEncoding("utf8")
      .on("data", (text: string) => {
        output = (output + text).slice(-KEPT_CHARS);
        lines.add(text);
      })
      .once("close", () => lines.end());
  }
  const { pid } = child;
  const endWatch = pid === undefined ? () => {} : killWithParent(pid, GRACE_S);
  let forcing: NodeJS.Timeout | undefined;
  const stop = () => {
    if (pid === undefined) return;
    signalGroup(pid, "SIGTERM");
    forcing = setTimeout(() => signalGroup(pid, "SIGKILL"), GRACE_S * 1_000);
  };
  signal.addEventListener("abort", stop);
  try {
    const code = await new Promise<number | null>((done, fail) => {
      child.once("error", error => fail(failed(ERRORS.buildNotStarted(script, error.message))));
      child.once("exit", async code => {
        // Its last output may arrive after its exit. A server that the script has left holds the pipes open.
        await Promise.race([once(child, "close"), delay(LAST_OUTPUT_MS)]);
        done(code);
      });
    });
    signal.throwIfAborted();
    if (code !== 0) throw failed(ERRORS.buildFailed(script, code, shownAppOutput(output.trimEnd())));
  } finally {
    signal.removeEventListener("abort", stop);
    clearTimeout(forcing);
    if (pid !== undefined) signalGroup(pid, "SIGKILL");
    child.stdout.destroy();
    child.stderr.destroy();
    endWatch();
  }
}

function failed(message: string): CommandError {
  return new CommandError("storybook_build_failed", message);
}
