import type { CreateBuildInput } from "../../shared/contracts/builds/builds.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import { readCommit } from "../cloud/commit.ts";
import { readHistory } from "../cloud/history.ts";
import type { CommandContext } from "../commands/command.ts";
import { readMinutes } from "../commands/option-values.ts";
import { loadConfigOrDefault } from "../config/load-config.ts";
import { findScreenshots } from "../screenshots/find-screenshots.ts";
import { readNaming } from "../screenshots/read-naming.ts";
import { CommandError, EXIT, type ExitCode, toJson } from "../terminal.ts";
import { UPLOAD_TEXTS as TEXTS, UPLOAD_ERRORS } from "../texts/upload.ts";
import { type BuildFlags, buildBody, projectOf } from "./build-body.ts";
import { type HashedFile, hashFiles } from "./hash-files.ts";
import { shardOf } from "./shard-of.ts";
import { uploadBuild } from "./upload-build.ts";

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
  const { terminal } = context;
  const timeoutMs = readMinutes(flags.timeout, "--timeout", { minutes: MOST_MINUTES }) * 60_000;
  if (flags.nonce !== undefined && flags.parallel === undefined)
    throw new CommandError("usage", UPLOAD_ERRORS.needsParallel);
  const shard = flags.parallel === undefined ? null : shardOf(flags.parallel, flags.nonce, terminal.env);
  const { config } = await loadConfigOrDefault(terminal, flags.config);
  const commit = await readCommit(terminal);
  const history = await readHistory(terminal, commit, config.baselines.branch);
  const body = buildBody(flags, config, { ...commit, history }, shard);
  // The build waits for all its jobs. One may have run no test that takes a screenshot.
  const warn = (why: string) => terminal.err(`${visibleLine(TEXTS.emptyShard(why))}\n`);
  const onNone = shard === null ? undefined : warn;
  const found = await findScreenshots(patterns, terminal.cwd, readNaming(flags.naming), onNone);
  const files = await hashFiles(found, terminal.signal);
  if (flags.dryRun) return printPlan(context, body, files);
  return await uploadBuild(context, { body, files, wait: flags.wait, timeoutMs });
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
