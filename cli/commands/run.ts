import { resolve } from "node:path";
import type { StorybookInput } from "../../shared/contracts/runs/stories.ts";
import type { SubmitRunInput } from "../../shared/contracts/runs/submit-run.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { Access } from "../cloud/access.ts";
import type { LocalArchive } from "../cloud/read-archive.ts";
import type { RunFlags } from "../cloud/run-body.ts";
import type { Configuration } from "../config/load-config.ts";
import { CommandError, EXIT, type ExitCode, type Terminal, toJson } from "../terminal.ts";
import { RUN_ERRORS, RUN_TEXTS } from "../texts/cloud.ts";
import { RUN_HELP as HELP } from "../texts/help-service.ts";
import { type AddCommand, type CommandContext, examples } from "./command.ts";
import { readMinutes, texts } from "./option-values.ts";

interface Flags extends Omit<RunFlags, "storybook" | "routes"> {
  routes?: string[];
  archive?: string;
  basePath?: string;
  storybook?: boolean;
  tags?: string[];
  onlyChanged?: boolean;
  config?: string;
  render?: string;
  start?: string;
  wait: boolean;
  timeout: string;
}

/** A day. No run takes that long. */
const MOST_MINUTES = 1440;

export const addRun: AddCommand = (program, run) => {
  program
    .command("run")
    .summary(HELP.summary)
    .description(HELP.description)
    .option("-u, --url <url>", HELP.url)
    .option("--archive <path>", HELP.archive)
    .option("--base-path <path>", HELP.basePath)
    .option("--storybook", HELP.storybook)
    .option("--tags <tags>", HELP.tags, texts)
    .option("--only-changed", HELP.onlyChanged)
    .option("--no-only-changed", HELP.notOnlyChanged)
    .option("--routes <paths>", HELP.routes, texts)
    .option("--viewports <widths>", HELP.viewports, texts)
    .option("--threshold <fraction>", HELP.threshold)
    .option("--project <name>", HELP.project)
    .option("--branch <name>", HELP.branch)
    .option("--render <where>", HELP.render)
    .option("--start <command>", HELP.start)
    .option("--intent <terms>", HELP.intent, texts)
    .option("--rerun", HELP.rerun, false)
    .option("--no-wait", HELP.noWait)
    .option("--timeout <minutes>", HELP.timeout, "60")
    .option("-c, --config <file>", HELP.config)
    .addHelpText("after", examples(...HELP.examples))
    .action(async (flags: Flags) => run(context => submit(context, flags)));
};

async function submit({ terminal, options }: CommandContext, given: Flags): Promise<ExitCode> {
  const timeoutMs = readMinutes(given.timeout, "--timeout", { minutes: MOST_MINUTES }) * 60_000;
  const isRemote = rendersRemotely(given);
  const { loadConfigIfThere } = await import("../config/load-config.ts");
  const { withFileBodies } = await import("../config/rule-files.ts");
  const { readAccess } = await import("../cloud/access.ts");
  const { readCommit } = await import("../cloud/commit.ts");
  const { runBody } = await import("../cloud/run-body.ts");
  const { withStorybook } = await import("../cloud/storybook-site.ts");
  const loaded = await loadConfigIfThere(terminal, given.config);
  const config = loaded && (await withFileBodies(loaded));
  const flags = withStorybook(given, loaded, terminal.cwd);
  const commit = await readCommit(terminal);
  if (flags.archive !== undefined) {
    const { readArchive } = await import("../cloud/read-archive.ts");
    const archive = await readArchive(flags.archive, terminal.cwd);
    try {
      const storybook =
        flags.storybook && (await withSources(flags.storybook, flags.archive, loaded, terminal));
      const body = runBody({ ...flags, storybook, archiveId: archive.id }, config, commit);
      return await submitArchive({ terminal, options }, { ...flags, archive: flags.archive }, archive, {
        body,
        timeoutMs,
      });
    } finally {
      await archive.remove();
    }
  }
  const body = runBody(flags, config, commit);
  if (!isRemote)
    return await submitBody({ terminal, options }, flags, await readAccess(terminal), { body, timeoutMs });
  if (body.project === undefined && body.scm === undefined)
    throw new CommandError("usage", RUN_ERRORS.noProject);
  const access = await readAccess(terminal);
  const { reachLocally } = await import("../cloud/local-application.ts");
  const start = { command: flags.start, cwd: loaded?.root ?? terminal.cwd };
  const { tunnelId, ended, close } = await reachLocally(access, body.url, start, terminal);
  try {
    const throughTunnel = { body: { ...body, tunnel: tunnelId }, timeoutMs, ended };
    return await submitBody({ terminal, options }, flags, access, throughTunnel);
  } finally {
    await close();
  }
}

/** Adds hashes of the sources behind stories, if the run skips unchanged ones. */
async function withSources(
  storybook: StorybookInput,
  archive: string,
  loaded: Configuration | null,
  { cwd }: Terminal,
): Promise<StorybookInput> {
  if (!storybook.onlyChanged) return storybook;
  const { readStorySources } = await import("../cloud/story-sources.ts");
  const sources = await readStorySources(resolve(cwd, archive), [...(loaded ? [loaded.root] : []), cwd]);
  return sources ? { ...storybook, sources } : storybook;
}

/** @throws CommandError for another value, or for options that don't go together */
function rendersRemotely({
  render,
  start,
  wait,
  archive,
  basePath,
  url,
}: Pick<Flags, "render" | "start" | "wait" | "archive" | "basePath" | "url">): boolean {
  if (basePath !== undefined && url !== undefined) throw new CommandError("usage", RUN_ERRORS.basePathAndUrl);
  if (archive !== undefined && (url ?? render ?? start) !== undefined)
    throw new CommandError("usage", RUN_ERRORS.archiveAndUrl);
  if (render === undefined && start !== undefined) throw new CommandError("usage", RUN_ERRORS.startAlone);
  if (render === undefined) return false;
  if (render !== "remote") throw new CommandError("usage", RUN_ERRORS.render(render));
  if (!wait) throw new CommandError("usage", RUN_ERRORS.renderAndNoWait);
  return true;
}

/** Sends an archive unless the service has it, and submits its run. */
async function submitArchive(
  { terminal, options }: CommandContext,
  flags: Pick<Flags, "wait"> & { archive: string },
  archive: LocalArchive,
  { body, timeoutMs }: Submission,
): Promise<ExitCode> {
  const { project = body.scm && `${body.scm.owner}/${body.scm.repo}` } = body;
  if (project === undefined) throw new CommandError("usage", RUN_ERRORS.noArchiveProject);
  const { readAccess } = await import("../cloud/access.ts");
  const { sendArchive } = await import("../cloud/send-archive.ts");
  const { showRunProgress } = await import("../cloud/print-run.ts");
  const access = await readAccess(terminal);
  const isQuiet = options.quiet || options.json;
  const progress = showRunProgress(terminal, { quiet: isQuiet });
  const sending = { project, signal: terminal.signal, progress };
  const { id, isSent } = await sendArchive(access, archive, sending).finally(progress.end);
  const told = isSent ? RUN_TEXTS.archiveSent : RUN_TEXTS.archiveKnown;
  if (!isQuiet) terminal.err(`${told(archive.files)}\n`);
  const site = RUN_TEXTS.siteOf(flags.archive);
  return await submitBody({ terminal, options }, flags, access, {
    body: { ...body, archive: id },
    timeoutMs,
    site,
  });
}

interface Submission {
  body: SubmitRunInput & { url: string };
  timeoutMs: number;
  /** Aborts when the run can't continue, because its tunnel has ended. */
  ended?: AbortSignal;
  /** What is checked, for people. Default: the URL. */
  site?: string;
}

async function submitBody(
  { terminal, options }: CommandContext,
  flags: Pick<Flags, "wait">,
  access: Access,
  { body, timeoutMs, ended, site = body.url }: Submission,
): Promise<ExitCode> {
  const { exitCodeOf, submitRun, waitForRun } = await import("../cloud/submit-and-wait.ts");
  const { showRunProgress, printRun } = await import("../cloud/print-run.ts");
  const isQuiet = options.quiet || options.json;
  const progress = showRunProgress(terminal, { quiet: isQuiet });
  const signal = ended ? AbortSignal.any([terminal.signal, ended]) : terminal.signal;
  const submitted = await submitRun(access, body, { signal, ...progress });
  if (!isQuiet) {
    const { id, deduplicated } = submitted;
    terminal.err(`${RUN_TEXTS.submitted(visibleLine(id), visibleLine(site), deduplicated === true)}\n`);
  }
  if (!flags.wait) {
    terminal.out(
      options.json ? `${toJson({ run: submitted })}\n` : `${visibleLine(submitted.links.report)}\n`,
    );
    return EXIT.ok;
  }
  const completed = await waitForRun(access, submitted, { signal, timeoutMs, ...progress })
    .catch(async (error: unknown) => {
      if (!ended) throw error;
      await (await import("../cloud/local-application.ts")).cancelRun(access, submitted.id);
      const isLate = error instanceof CommandError && error.code === "timeout";
      throw isLate ? new CommandError("timeout", RUN_TEXTS.remoteTimeout(timeoutMs / 60_000)) : error;
    })
    .finally(progress.end);
  if (options.json) terminal.out(`${toJson(completed)}\n`);
  else printRun(terminal, completed, options);
  return exitCodeOf(completed.run);
}
