import type { CreateBuildInput } from "../../shared/contracts/runs/builds.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { Access } from "../cloud/access.ts";
import { readCommit } from "../cloud/commit.ts";
import { printRun, type RunProgress, showRunProgress } from "../cloud/print-run.ts";
import { withServiceErrors } from "../cloud/service-errors.ts";
import { exitCodeOf, serviceClient, waitForRun } from "../cloud/submit-and-wait.ts";
import type { CommandContext } from "../commands/command.ts";
import { readMinutes } from "../commands/option-values.ts";
import { loadConfigOrDefault } from "../config/load-config.ts";
import { findScreenshots } from "../screenshots/find-screenshots.ts";
import { readNaming } from "../screenshots/read-naming.ts";
import { CommandError, EXIT, type ExitCode, toJson } from "../terminal.ts";
import { UPLOAD_TEXTS as TEXTS, UPLOAD_ERRORS } from "../texts/upload.ts";
import { readUploadAccess } from "./actions-access.ts";
import { type BuildFlags, buildBody } from "./build-body.ts";
import { type HashedFile, hashFiles } from "./hash-files.ts";
import { type SentBuild, sendBuild } from "./send-build.ts";
import { shardOf } from "./shard-of.ts";

/** The options of `vrs upload` as given on the command line. */
export interface UploadFlags extends BuildFlags {
  config?: string;
  naming?: string;
  parallel?: string;
  nonce?: string;
  dryRun: boolean;
  wait: boolean;
  timeout: string;
}

/** A day. No build takes that long. */
const MOST_MINUTES = 1440;

/** Uploads screenshots as a build, and waits for its conclusion. @throws CommandError */
export async function uploadWithOptions(
  context: CommandContext,
  patterns: readonly string[],
  flags: UploadFlags,
): Promise<ExitCode> {
  const { terminal, options } = context;
  const timeoutMs = readMinutes(flags.timeout, "--timeout", { minutes: MOST_MINUTES }) * 60_000;
  if (flags.nonce !== undefined && flags.parallel === undefined)
    throw new CommandError("usage", UPLOAD_ERRORS.needsParallel);
  const shard = flags.parallel === undefined ? null : shardOf(flags.parallel, flags.nonce, terminal.env);
  const { config } = await loadConfigOrDefault(terminal, flags.config);
  const body = buildBody(flags, config, await readCommit(terminal), shard);
  const files = await hashFiles(
    await findScreenshots(patterns, terminal.cwd, readNaming(flags.naming)),
    terminal.signal,
  );
  if (flags.dryRun) return printPlan(context, body, files);
  const access = await readUploadAccess(terminal, projectOf(body));
  const progress = showRunProgress(terminal, { quiet: options.quiet || options.json });
  try {
    const sent = await send(context, access, { body, files, progress });
    if (!flags.wait || (shard !== null && sent.build.open)) return printSent(context, sent);
    const ended = await waitForRun(access, sent.build, { signal: terminal.signal, timeoutMs, ...progress });
    progress.end();
    if (options.json) terminal.out(`${toJson({ ...ended, ...sent })}\n`);
    else printRun(terminal, ended, options);
    return exitCodeOf(ended.run);
  } finally {
    progress.end();
  }
}

async function send(
  { terminal, options }: CommandContext,
  access: Access,
  { body, files, progress }: { body: CreateBuildInput; files: readonly HashedFile[]; progress: RunProgress },
): Promise<SentBuild> {
  const client = serviceClient(access, terminal.signal, progress.onUnreachable);
  const sending = sendBuild(client, body, files, ({ images, bytes }, unknown) =>
    progress.show(TEXTS.sending(images, unknown, bytes)),
  );
  const outcome = await withServiceErrors(access, sending).finally(progress.end);
  if (!options.quiet && !options.json) {
    const { build, sent } = outcome;
    const line = TEXTS.sent(
      visibleLine(build.id),
      visibleLine(build.project),
      files.length,
      sent.images,
      sent.bytes,
    );
    terminal.err(`${line}\n`);
  }
  return outcome;
}

function projectOf({ project, scm }: CreateBuildInput): string {
  return project ?? `${scm?.owner}/${scm?.repo}`;
}

/** Prints what would be uploaded. Nothing was sent. */
function printPlan(
  { terminal, options }: CommandContext,
  body: CreateBuildInput,
  files: readonly HashedFile[],
): ExitCode {
  const project = projectOf(body);
  const screenshots = files.map(({ screenshot }) => screenshot);
  if (options.json) terminal.out(`${toJson({ dryRun: true, build: { ...body, project, screenshots } })}\n`);
  else {
    const names = screenshots.map(({ name }) => `${visibleLine(name)}\n`);
    terminal.out(`${names.join("")}${TEXTS.wouldUpload(files.length, visibleLine(project))}\n`);
  }
  return EXIT.ok;
}

/** Prints a build that isn't awaited, or that waits for other shards. */
function printSent({ terminal, options }: CommandContext, { build, sent }: SentBuild): ExitCode {
  const { open, shards, links } = build;
  if (options.json) terminal.out(`${toJson({ build, sent })}\n`);
  else {
    if (open && shards.total !== null && !options.quiet)
      terminal.err(`${TEXTS.waitsForShards(shards.finalized, shards.total)}\n`);
    terminal.out(`${visibleLine(links.report)}\n`);
  }
  return EXIT.ok;
}
