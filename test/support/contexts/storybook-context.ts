import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type CheckedScreenshot, checkResultSchema } from "../../../cli/check/check-result.ts";
import { runVrs } from "../../../cli/program.ts";
import { RecordingTerminal } from "../drivers/cli-terminal.ts";
import { toolEnv } from "./check-context.ts";

const run = promisify(execFile);

/** A git repository with the baselines of a Storybook. */
export class StorybookTestContext {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async start(): Promise<StorybookTestContext> {
    const context = new StorybookTestContext(await mkdtemp(join(tmpdir(), "vrs-storybook-")));
    await run("git", ["init", "--quiet", "--initial-branch=main"], { cwd: context.root });
    return context;
  }

  async stop(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  async write(name: string, content: string): Promise<void> {
    await writeFile(join(this.root, name), content);
  }

  /** Calls the tool. */
  async vrs(...args: string[]) {
    const terminal = new RecordingTerminal({ cwd: this.root, env: toolEnv() });
    const code = await runVrs(args, terminal);
    return { code, out: terminal.printed, err: terminal.errors };
  }

  /** Checks a Storybook. @returns the result, its exit code, and its screenshots by their names */
  async check(...args: string[]) {
    const { code, out, err } = await this.vrs("storybook", "--json", ...args);
    const parsed = checkResultSchema.safeParse(JSON.parse(out));
    if (!parsed.success) throw new Error(`${out}\n${err}`);
    const { data: result } = parsed;
    const shots = new Map(result.screenshots.map(shot => [nameOf(shot), shot]));
    return { code, result, shots, err };
  }

  /** Checks a Storybook that the tool refuses. @returns the error */
  async failure(...args: string[]): Promise<{ code: string; message: string }> {
    const { out } = await this.vrs("storybook", "--json", ...args);
    return JSON.parse(out).error;
  }
}

function nameOf({ route, environment, viewport }: CheckedScreenshot): string {
  return `${route}${environment === null ? "" : ` (${environment})`} at ${viewport}`;
}
