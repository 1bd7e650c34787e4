import type { CreateBuildInput } from "../../shared/contracts/builds/builds.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { Access } from "../cloud/access.ts";
import { printRun, type RunProgress, showRunProgress } from "../cloud/print-run.ts";
import { withServiceErrors } from "../cloud/service-errors.ts";
import { exitCodeOf, serviceClient, waitForRun } from "../cloud/submit-and-wait.ts";
import type { CommandContext } from "../commands/command.ts";
import { EXIT, type ExitCode, toJson } from "../terminal.ts";
import { UPLOAD_TEXTS as TEXTS } from "../texts/upload.ts";
import { readUploadAccess } from "./actions-access.ts";
import { projectOf } from "./build-body.ts";
import type { HashedFile } from "./hash-files.ts";
import { type SentBuild, sendBuild } from "./send-build.ts";

/** What to upload, and how long to wait for its conclusion. */
export interface BuildUpload {
  body: CreateBuildInput;
  files: readonly HashedFile[];
  wait: boolean;
  timeoutMs: number;
}

/**
 * Uploads a build, waits for its conclusion unless other shards are missing, and prints it.
 * @throws CommandError
 */
export async function uploadBuild(context: CommandContext, upload: BuildUpload): Promise<ExitCode> {
  const { terminal, options } = context;
  const { body, wait, timeoutMs } = upload;
  const access = await readUploadAccess(terminal, projectOf(body));
  const progress = showRunProgress(terminal, { quiet: options.quiet || options.json });
  try {
    const sent = await send(context, access, { ...upload, progress });
    if (!wait || (body.shard !== undefined && sent.build.open)) return printSent(context, sent);
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
  { body, files, progress }: Pick<BuildUpload, "body" | "files"> & { progress: RunProgress },
): Promise<SentBuild> {
  const client = serviceClient(access, terminal.signal, progress.onUnreachable);
  const sending = sendBuild(
    client,
    body,
    files,
    ({ images, bytes }, unknown) => progress.show(TEXTS.sending(images, unknown, bytes)),
    (path, why) => terminal.err(`${visibleLine(TEXTS.skipped(path, why))}\n`),
  );
  const outcome = await withServiceErrors(access, sending).finally(progress.end);
  if (!options.quiet && !options.json) {
    const { build, sent } = outcome;
    const [id, project] = [visibleLine(build.id), visibleLine(build.project)];
    const attached = sent.attachments === 0 ? "" : TEXTS.sentAttachments(sent.attachments);
    const line = TEXTS.sent(id, project, files.length, sent.images, sent.bytes) + attached;
    terminal.err(`${line}\n`);
  }
  return outcome;
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
