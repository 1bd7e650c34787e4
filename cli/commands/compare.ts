import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { viewportSchema } from "../../shared/contracts/capture/viewport.ts";
import type { ReadImage } from "../compare/comparison-report.ts";
import type { ComparisonResult } from "../compare/comparison-result.ts";
import { CommandError, EXIT, type ExitCode, toJson } from "../terminal.ts";
import { COMPARE_ERRORS, COMPARE_TEXTS } from "../texts/compare.ts";
import { COMPARE_HELP as HELP } from "../texts/help-service.ts";
import { type AddCommand, type CommandContext, examples } from "./command.ts";
import { readMinutes } from "./option-values.ts";

interface Flags {
  baseEnvironment?: string;
  headEnvironment?: string;
  route?: string;
  viewport?: string;
  report?: string;
  timeout?: string;
}

/** A day. No comparison takes that long. */
const MOST_MINUTES = 1440;
const DEFAULT_MINUTES = "10";
/** The default of a run. */
const THRESHOLD = 0.01;

/** `vrs compare` */
export const addCompare: AddCommand = (program, run) => {
  program
    .command("compare")
    .summary(HELP.summary)
    .description(HELP.description)
    .argument("<base>", HELP.base)
    .argument("<head>", HELP.head)
    .option("--base-environment <name>", HELP.baseEnvironment)
    .option("--head-environment <name>", HELP.headEnvironment)
    .option("--route <path>", HELP.route)
    .option("--viewport <width>", HELP.viewport)
    .option("--report <file>", HELP.report)
    .option("--timeout <minutes>", HELP.timeout)
    .addHelpText("after", examples(...HELP.examples))
    .action(async (base: string, head: string, flags: Flags) =>
      run(context => compare(context, { base, head }, flags)),
    );
};

interface Sides {
  base: string;
  head: string;
}

/** A comparison, and how to read its images for the report. */
interface Compared {
  result: ComparisonResult;
  readImage: ReadImage;
}

async function compare(context: CommandContext, sides: Sides, flags: Flags): Promise<ExitCode> {
  const { terminal, options } = context;
  const folders = await Promise.all([sides.base, sides.head].map(side => isFolder(side, terminal.cwd)));
  if (folders[0] !== folders[1])
    throw new CommandError("usage", COMPARE_ERRORS.mixed(folders[0] ? sides.base : sides.head));
  const { result, readImage } = folders[0]
    ? await compareLocally(context, sides, flags)
    : await compareRemotely(context, sides, flags);
  const report = flags.report === undefined ? null : resolve(terminal.cwd, flags.report);
  const failure = report === null ? null : await writeReport(report, result, readImage);
  terminal.signal.throwIfAborted();
  const { exitCodeOf, printComparison } = await import("../compare/print-comparison.ts");
  const shown = { ...result, report: failure === null ? report : null };
  if (options.json) terminal.out(`${toJson(shown)}\n`);
  else printComparison(terminal, shown, options);
  if (failure === null) return exitCodeOf(shown);
  // With --json too, the result is the document on standard output.
  const { printFailure } = await import("../print-failure.ts");
  printFailure(failure.error, { terminal, called: "vrs compare", json: false, verbose: options.verbose });
  return EXIT.error;
}

async function isFolder(side: string, cwd: string): Promise<boolean> {
  const found = await stat(resolve(cwd, side)).catch(() => null);
  return found?.isDirectory() ?? false;
}

async function compareLocally({ terminal }: CommandContext, sides: Sides, flags: Flags): Promise<Compared> {
  const { baseEnvironment, headEnvironment, route, viewport, timeout } = flags;
  if ([baseEnvironment, headEnvironment, route, viewport, timeout].some(flag => flag !== undefined))
    throw new CommandError("usage", COMPARE_ERRORS.localOptions);
  const { compareFolders } = await import("../compare/compare-folders.ts");
  const { readFromDisk } = await import("../compare/comparison-report.ts");
  const { cwd, signal } = terminal;
  const { result, masks } = await compareFolders({ ...sides, cwd, signal, threshold: THRESHOLD });
  return { result, readImage: readFromDisk(masks) };
}

async function compareRemotely(
  { terminal, options }: CommandContext,
  sides: Sides,
  { timeout = DEFAULT_MINUTES, viewport, report: _report, ...filters }: Flags,
): Promise<Compared> {
  const timeoutMs = readMinutes(timeout, "--timeout", { minutes: MOST_MINUTES }) * 60_000;
  if (viewport !== undefined && !viewportSchema.safeParse(Number(viewport)).success)
    throw new CommandError("usage", COMPARE_ERRORS.viewport(viewport));
  const { readAccess } = await import("../cloud/access.ts");
  const { showRunProgress } = await import("../cloud/print-run.ts");
  const { compareSides } = await import("../compare/compare-sides.ts");
  const { download } = await import("../mcp/pictures.ts");
  const access = await readAccess(terminal);
  const line = showRunProgress(terminal, { quiet: options.quiet || options.json });
  const query = { ...sides, ...filters, ...(viewport !== undefined && { viewport: Number(viewport) }) };
  const { signal } = terminal;
  const waiting = {
    ...{ signal, timeoutMs },
    onProgress: ({ compared, total }: { compared: number; total: number }) =>
      line.show(COMPARE_TEXTS.progress(compared, total)),
  };
  const {
    status: _status,
    nextCursor: _cursor,
    ...result
  } = await compareSides(access, query, waiting).finally(line.end);
  return {
    result: { ...result, report: null },
    readImage: async ({ images }, kind) => {
      const link = images[kind];
      return link === null ? null : download(link, access, signal);
    },
  };
}

/** @returns why the report could not be written, or null. The result took longer, and is printed in any case */
async function writeReport(
  file: string,
  result: ComparisonResult,
  readImage: ReadImage,
): Promise<{ error: unknown } | null> {
  const { renderReport } = await import("../../shared/report/render/render-report.ts");
  const { version } = await import("../../shared/process.ts");
  const { writeAtomically } = await import("../baselines/write-atomically.ts");
  const { reportOfComparison } = await import("../compare/comparison-report.ts");
  try {
    await writeAtomically(file, renderReport(await reportOfComparison(result, `vrs ${version}`, readImage)));
    return null;
  } catch (error) {
    return { error };
  }
}
