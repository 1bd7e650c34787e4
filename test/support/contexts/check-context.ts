import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type ApproveRequest, approve } from "../../../cli/baselines/approve.ts";
import type { CheckEvent, CheckedScreenshot, CheckResult } from "../../../cli/check/check-result.ts";
import { type CheckRequest, runCheck } from "../../../cli/check/run-check.ts";
import type { LoadedConfig } from "../../../cli/config/load-config.ts";
import { CommandError } from "../../../cli/terminal.ts";
import { projectConfigSchema } from "../../../shared/project-config/project-config.ts";
import { RecordingTerminal } from "../drivers/cli-terminal.ts";
import { XDG_CACHE_HOME } from "../drivers/runner.ts";
import { Site } from "../fixtures/site.ts";

const run = promisify(execFile);

/** A page with something of its own to see, which comes to rest at once. */
export const page = (text: string, colour = "#cde") =>
  `<!doctype html><title>${text}</title><body style="margin:0;background:${colour};font:20px sans-serif"><h1>${text}</h1><p style="height:300px">${text}</p>`;

/** Environment in which the tool finds the browser that all tests share. */
export function toolEnv(): Record<string, string> {
  const { PATH = "", HOME = tmpdir(), CHROMIUM_PATH, NODE_COMPILE_CACHE = "" } = process.env;
  return { PATH, HOME, XDG_CACHE_HOME, NODE_COMPILE_CACHE, ...(CHROMIUM_PATH && { CHROMIUM_PATH }) };
}

/** A project with a site of its own, in a git repository. */
export class CheckTestContext {
  readonly site: Site;
  readonly root: string;
  readonly events: CheckEvent[] = [];
  readonly #env: Record<string, string>;

  private constructor(site: Site, root: string, env: Record<string, string>) {
    this.site = site;
    this.root = root;
    this.#env = env;
  }

  static async start(pages: Record<string, string> = {}): Promise<CheckTestContext> {
    const root = await mkdtemp(join(tmpdir(), "vrs-check-"));
    const context = new CheckTestContext(await Site.start(pages), root, toolEnv());
    await context.git("init", "--quiet", "--initial-branch=main");
    await context.git("config", "user.email", "test@example.com");
    await context.git("config", "user.name", "Test");
    return context;
  }

  async stop(): Promise<void> {
    await this.site.stop();
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

  read(name: string): Promise<Buffer> {
    return readFile(join(this.root, name));
  }

  /** Checks with a configuration; its address is the site's. */
  async check(config: object = {}, more: Partial<CheckRequest> = {}): Promise<CheckResult> {
    this.events.length = 0;
    const terminal = this.terminal();
    const onEvent = (event: CheckEvent) => void this.events.push(event);
    return await runCheck({ ...this.#configuration(config), terminal, onEvent, ...more });
  }

  async approve(config: object = {}, more: Partial<ApproveRequest> = {}) {
    const { signal } = this.terminal();
    return await approve({ ...this.#configuration(config), filter: {}, signal, ...more });
  }

  /** What a check or approval is refused with. */
  async failure(work: Promise<unknown>): Promise<CommandError> {
    const outcome: unknown = await work.then(
      () => new Error("It should be refused."),
      error => error,
    );
    if (outcome instanceof CommandError) return outcome;
    throw outcome;
  }

  terminal(): RecordingTerminal {
    return new RecordingTerminal({ cwd: this.root, env: this.#env });
  }

  #configuration(config: object) {
    const { plugins = [], ...rest }: { plugins?: LoadedConfig["plugins"] } = config;
    const parsed = projectConfigSchema.parse({
      baseUrl: this.site.url,
      viewports: [400],
      threshold: 0,
      ...rest,
    });
    return { config: { ...parsed, plugins }, file: join(this.root, "service.config.ts"), root: this.root };
  }
}

/** Screenshots as `changed /pricing`, in their order. */
export function reported({ screenshots }: CheckResult): string[] {
  return screenshots.map(({ status, route }) => `${status} ${route}`);
}

/** The only screenshot of a route. */
export function shotOf({ screenshots }: CheckResult, route: string): CheckedScreenshot {
  const found = screenshots.find(shot => shot.route === route);
  if (!found) throw new Error(`There is no screenshot of ${route}.`);
  return found;
}
