import { once } from "node:events";
import { basename, join } from "node:path";
import { visible } from "../../shared/text/visible-text.ts";
import { writeAtomically } from "../baselines/write-atomically.ts";
import { reportWithLinks } from "../check/report-of.ts";
import { fractionOf } from "../cloud/run-body.ts";
import type { CommandContext } from "../commands/command.ts";
import { loadConfigOrDefault } from "../config/load-config.ts";
import { tally } from "../output/format.ts";
import { openFile } from "../output/open-file.ts";
import { printFailure } from "../print-failure.ts";
import { requireSetName } from "../screenshots/set-name.ts";
import { CommandError, EXIT, type ExitCode, toJson } from "../terminal.ts";
import { REVIEW_ERRORS, REVIEW_TEXTS as TEXTS } from "../texts/review-server.ts";
import { LiveCheck } from "./live-check.ts";
import { currentImageOf, ReviewServer } from "./review-server.ts";
import { ScreenshotInbox } from "./screenshot-inbox.ts";
import { reviewFolder, writeServerFile } from "./server-file.ts";

/** The options of `vrs dev` as given on the command line. */
export interface DevFlags {
  config?: string;
  name?: string;
  branch?: string;
  threshold?: string;
  port?: string;
  open: boolean;
}

/**
 * Receives the screenshots of tests, compares them with the baselines in the repository, and shows them in a page until
 * it is interrupted.
 * @throws CommandError
 */
export async function runDev(context: CommandContext, flags: DevFlags): Promise<ExitCode> {
  const { terminal, options } = context;
  const { config, ...place } = await loadConfigOrDefault(terminal, flags.config);
  const port = flags.port === undefined ? 0 : readPort(flags.port);
  const { root } = place;
  const threshold = flags.threshold === undefined ? config.threshold : fractionOf(flags.threshold);
  const folder = reviewFolder(root);
  const inbox = new ScreenshotInbox(folder);
  await inbox.prepare();
  await writeAtomically(join(folder, ".gitignore"), "*\n");
  const onError = (error: unknown) => {
    if (!terminal.signal.aborted)
      printFailure(error, { terminal, called: "vrs dev", json: false, verbose: options.verbose });
  };
  const live = new LiveCheck({
    request: {
      ...place,
      ...{ config: { ...config, threshold }, terminal, branch: flags.branch },
      report: false,
      screenshots: { patterns: ["vrs dev"], name: requireSetName(flags.name), naming: null, subset: true },
    },
    inbox,
    imageOf: shot => currentImageOf(server, shot),
    onStart: () => server.notify("checking"),
    onResult: ({ counts }) => {
      server.notify("result");
      if (!options.quiet && !options.json) terminal.err(`${tally(counts)}\n`);
    },
    onError,
  });
  const server = new ReviewServer({
    page: () => ({ model: modelOf(live, basename(root), server), revision: live.revision }),
    receive: async body => {
      await inbox.add(body);
      live.schedule();
    },
    approve: async approval => {
      const approved = await live.approve(approval);
      if (!options.quiet && !options.json) terminal.err(`${TEXTS.approved(approved)}\n`);
      return approved;
    },
    onError,
  });
  const url = await server.listen(port);
  const forget = writeServerFile(root, url);
  try {
    if (options.json) terminal.out(`${toJson({ url }, 0)}\n`);
    else terminal.out(`${visible(TEXTS.ready(url))}\n`);
    if (!options.quiet && !options.json) terminal.err(`${TEXTS.hint}\n`);
    if (flags.open && terminal.isInteractive) await openFile(url, terminal.env);
    if (!terminal.signal.aborted) await once(terminal.signal, "abort");
  } finally {
    forget();
    await server.close();
    await live.stop();
  }
  return EXIT.ok;
}

function modelOf(live: LiveCheck, project: string, server: ReviewServer) {
  const { result } = live;
  const link = (path: string, hash: string | null) => server.linkTo(path, hash);
  return result === null ? emptyModel(project) : reportWithLinks(result, project, link);
}

function emptyModel(project: string) {
  const run = {
    ...{ id: null, project, url: "", branch: null, scm: null, threshold: 0 },
    ...{ status: "completed" as const, conclusion: "passed" as const },
    ...{ createdAt: new Date().toISOString(), completedAt: null, error: null },
  };
  return { run, screenshots: [], downloadUrl: null };
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new CommandError("usage", REVIEW_ERRORS.port(text));
  return port;
}
