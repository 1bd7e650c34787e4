import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { checkResultSchema } from "../../../cli/check/check-result.ts";
import { runVrs } from "../../../cli/program.ts";
import { RecordingTerminal } from "../drivers/cli-terminal.ts";

const run = promisify(execFile);

/** A folder with screenshots of a user's tests, in a git repository without a configuration. */
export class ScreenshotsTestContext {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async start(): Promise<ScreenshotsTestContext> {
    const context = new ScreenshotsTestContext(await mkdtemp(join(tmpdir(), "vrs-screenshots-")));
    await context.git("init", "--quiet", "--initial-branch=main");
    await context.git("config", "user.email", "test@example.com");
    await context.git("config", "user.name", "Test");
    await context.commit();
    return context;
  }

  async stop(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  async git(...args: string[]): Promise<string> {
    const { stdout } = await run("git", args, { cwd: this.root });
    return stdout.trim();
  }

  async commit(): Promise<void> {
    await this.git("add", "--all");
    await this.git("commit", "--quiet", "--allow-empty", "--message=all");
  }

  async write(name: string, content: string | Buffer): Promise<void> {
    const path = join(this.root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  /** Writes an image of one color. Its type follows from its name. */
  async draw(name: string, color: string, { width = 120, height = 80 } = {}): Promise<void> {
    const path = join(this.root, name);
    await mkdir(dirname(path), { recursive: true });
    await sharp({ create: { width, height, channels: 3, background: color } }).toFile(path);
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.root, name), { recursive: true, force: true });
  }

  /** Calls the tool. */
  async vrs(...args: string[]) {
    const terminal = new RecordingTerminal({ cwd: this.root, env: { PATH: process.env.PATH } });
    const code = await runVrs(args, terminal);
    return { code, out: terminal.printed, err: terminal.errors };
  }

  /** Checks screenshots. @returns the result, and the screenshots as `changed Button at 120` */
  async check(...args: string[]) {
    const { code, out } = await this.vrs("check", "--json", ...args);
    const result = checkResultSchema.parse(JSON.parse(out));
    const reported = result.screenshots.map(shot => `${shot.status} ${shot.route} at ${shot.viewport}`);
    return { code, result, reported };
  }

  /** Checks screenshots that the tool refuses. @returns the error */
  async failure(...args: string[]): Promise<{ code: string; message: string }> {
    const { out } = await this.vrs("check", "--json", ...args);
    return JSON.parse(out).error;
  }
}
