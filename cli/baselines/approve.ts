import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { keyOf, pageName, type ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { CheckFolder } from "../check/check-folder.ts";
import type { CheckedScreenshot, CheckResult } from "../check/check-result.ts";
import { planScreenshots } from "../check/screenshots/plan-screenshots.ts";
import { mapBounded } from "../concurrency.ts";
import { type Configuration, configHash, screenshotConfigHash } from "../config/load-config.ts";
import { gitLine } from "../git.ts";
import { approveRecords } from "../storybook/changes/story-records.ts";
import { CommandError } from "../terminal.ts";
import { APPROVE_ERRORS } from "../texts/check.ts";
import { type Baselines, baselinesFolder, screenshotBaselinesFolder } from "./baselines.ts";
import { fileNameOf } from "./file-name.ts";
import { MANIFEST, type ManifestEntry, printManifest, UNKNOWN_BROWSER } from "./manifest.ts";
import { optimizePng } from "./optimize-png.ts";
import {
  type ApprovalFilter,
  type ApprovalStep,
  movedSteps,
  pendingSteps,
  planApproval,
} from "./plan-approval.ts";
import { readFolder, readManifest } from "./read-baselines.ts";
import { removeDrafts, writeAtomically } from "./write-atomically.ts";

export interface ApproveRequest extends Configuration {
  filter: ApprovalFilter;
  /** The check to approve; by default the last one, if commit and configuration are still the same. */
  result?: CheckResult | undefined;
  /** Whether to report only, without writing files. */
  dryRun?: boolean | undefined;
  /**
   * Whether to approve although the check used another commit or configuration, or a baseline has changed
   * since.
   */
  force?: boolean | undefined;
  /** Stops the approval between two baselines. */
  signal: AbortSignal;
}

/** A baseline that approval changed. */
export interface Approved extends ScreenshotKey {
  did: "added" | "updated" | "renamed" | "removed";
  /** Path of the file, relative to the configuration's folder. */
  file: string;
  /** The former route; null unless the page was renamed. */
  from: string | null;
}

export interface ApprovalOutcome {
  approved: Approved[];
  /** Selected screenshots that the check failed to capture. */
  failed: ScreenshotKey[];
  dryRun: boolean;
}

/**
 * Makes the captures of a check the baselines, as selected by the filter: changed, new and removed
 * screenshots, and minor changes if the filter includes them. Each file is replaced atomically, and the
 * manifest is written last, also after a failure. A file that isn't in the manifest is compared by its pixels. So
 * after a crash each baseline is either the old or the new one, and a second approval completes the work.
 * @throws CommandError `no_check`, `stale_check`, `nothing_selected`, `capture_missing`; the signal's reason
 */
export async function approve(request: ApproveRequest): Promise<ApprovalOutcome> {
  const { config, root, filter, dryRun = false, signal } = request;
  const result = request.result ?? (await lastCheck(request));
  const { steps: planned, failed } = planApproval(result, filter);
  const isFiltered =
    filter.group !== undefined ||
    filter.routes?.length ||
    filter.widths?.length ||
    filter.environments?.length;
  if (isFiltered && planned.length + failed.length === 0) throw nothingMatches(request, result);
  const { screenshots: files } = result.source;
  const directory =
    files === null ? baselinesFolder(request) : screenshotBaselinesFolder(request, files.name);
  const shots = files === null ? planScreenshots(config, result.baseUrl) : result.screenshots;
  const now = await readFolder(directory, shots);
  const steps = pendingSteps(planned, now);
  if (!request.force && result.baseline.ref === null) await refuseMoved(movedSteps(steps, now), now, signal);
  const shown = (shot: ScreenshotKey) => relative(root, join(directory, fileNameOf(shot)));
  const approved = steps.map(step => describe(step, shown));
  signal.throwIfAborted();
  if (!dryRun && steps.length > 0) await carryOut(directory, steps, now, result, signal);
  if (!dryRun && files !== null && !request.result)
    await approveRecords(new CheckFolder(root).path, directory);
  return { approved, failed, dryRun };
}

async function lastCheck({ config, root, force = false }: ApproveRequest): Promise<CheckResult> {
  const result = await new CheckFolder(root).last();
  if (result === null) {
    throw new CommandError("no_check", APPROVE_ERRORS.noCheck);
  }
  if (force) return result;
  const { source } = result;
  const hash = source.screenshots === null ? configHash(config) : screenshotConfigHash(config);
  if (source.configHash !== hash) {
    throw stale(APPROVE_ERRORS.configChanged);
  }
  const commit = (await gitLine(root, ["rev-parse", "HEAD"])) || null;
  if (commit !== source.commit) {
    const shown = (id: string | null) => id?.slice(0, 7) ?? APPROVE_ERRORS.noCommit;
    throw stale(APPROVE_ERRORS.commitChanged(shown(source.commit), shown(commit)));
  }
  return result;
}

function stale(why: string): CommandError {
  return new CommandError("stale_check", APPROVE_ERRORS.stale(why));
}

async function refuseMoved(
  steps: readonly ApprovalStep[],
  now: Baselines,
  signal: AbortSignal,
): Promise<void> {
  const isHalfDone = await runSteps(steps, signal, step => wasWritten(step, now));
  const [first, ...more] = steps.filter((_, index) => !isHalfDone[index]);
  if (!first) return;
  throw stale(APPROVE_ERRORS.baselineChanged(pageName(first.shot), first.shot.viewport, more.length));
}

/**
 * Returns whether the file already holds this capture and only the manifest lacks it, as after an interrupted
 * approval.
 */
async function wasWritten({ kind, shot }: ApprovalStep, now: Baselines): Promise<boolean> {
  const baseline = now.of(shot);
  if (kind !== "write" || baseline === null || baseline.capture !== null) return false;
  return sha256(await optimizePng(await captureOf(shot))) === baseline.hash;
}

function nothingMatches({ filter }: ApproveRequest, result: CheckResult): CommandError {
  const { screenshots } = result;
  if (planApproval(result, { ...filter, minor: true }).steps.length > 0) {
    return new CommandError("nothing_selected", APPROVE_ERRORS.onlyMinor);
  }
  const waiting = screenshots.filter(({ status }) => status !== "unchanged" && status !== "failed");
  const routes = [...new Set(waiting.map(({ route }) => route))].slice(0, 10);
  const message = routes.length === 0 ? APPROVE_ERRORS.nothingWaits : APPROVE_ERRORS.othersWait(routes);
  return new CommandError("nothing_selected", message);
}

function describe(step: ApprovalStep, shown: (shot: ScreenshotKey) => string): Approved {
  const about = { ...pickPage(step.shot), file: shown(step.shot), from: null };
  if (step.kind === "remove") return { ...about, did: "removed" };
  if (step.kind === "rename" && step.from.route !== step.shot.route)
    return { ...about, did: "renamed", from: step.from.route };
  if (step.kind === "rename") return { ...about, did: "updated" };
  return { ...about, did: step.was === "new" ? "added" : "updated" };
}

/**
 * Two branches may approve different pages. Git then keeps the lines of both in the manifest, and doesn't
 * touch the images.
 */
const ATTRIBUTES = `${MANIFEST} text eol=lf merge=union\n*.png -text\n`;

async function carryOut(
  directory: string,
  steps: readonly ApprovalStep[],
  now: Baselines,
  result: CheckResult,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  await removeDrafts(directory);
  await writeAtomically(join(directory, ".gitattributes"), await readAttributes(directory));
  const entries = new Map((await readManifest(directory, now)).map(entry => [keyOf(entry), entry]));
  const written = new Map<ApprovalStep, ManifestEntry | null>();
  try {
    await runSteps(steps, signal, async step => {
      written.set(step, await applyStep(directory, step, now, result));
    });
  } finally {
    // Also after a failure or an interruption, the manifest lists the baselines that were written.
    for (const step of steps.filter(each => written.has(each))) {
      if (step.kind === "rename") entries.delete(keyOf(step.from));
      const entry = written.get(step);
      if (entry) entries.set(keyOf(step.shot), entry);
      else entries.delete(keyOf(step.shot));
    }
    const manifest = printManifest([...entries.values()]);
    if (written.size > 0) await writeAtomically(join(directory, MANIFEST), manifest, { lasting: true });
  }
}

/** Keeps attributes that the project added, such as those of Git LFS. */
async function readAttributes(directory: string): Promise<string> {
  const own = await readFile(join(directory, ".gitattributes"), "utf8").catch(() => "");
  return own.includes(MANIFEST) ? own : ATTRIBUTES + own;
}

/** @returns the manifest's line; null if the baseline was removed */
async function applyStep(
  directory: string,
  step: ApprovalStep,
  now: Baselines,
  result: CheckResult,
): Promise<ManifestEntry | null> {
  if (step.kind === "remove") {
    await rm(join(directory, fileNameOf(step.shot)), { force: true });
    return null;
  }
  const path = join(directory, fileNameOf(step.shot));
  const old = step.kind === "rename" ? now.of(step.from) : null;
  // A file that was approved again since the check holds other pixels, or is missing.
  if (old?.capture === step.shot.hash && (await renameIfThere(join(directory, old.file), path)))
    return entryOf(step.shot, old.hash, result);
  const packed = await optimizePng(await captureOf(step.shot));
  await writeAtomically(path, packed, { lasting: true });
  if (old) await rm(join(directory, old.file), { force: true });
  return entryOf(step.shot, sha256(packed), result);
}

/** @returns whether the file existed */
async function renameIfThere(from: string, to: string): Promise<boolean> {
  return await rename(from, to).then(
    () => true,
    () => false,
  );
}

/** Runs the work for each step, with a concurrency of the number of cores: most of it compresses PNGs. */
async function runSteps<R>(
  steps: readonly ApprovalStep[],
  signal: AbortSignal,
  work: (step: ApprovalStep) => Promise<R>,
): Promise<R[]> {
  return await mapBounded(steps, availableParallelism(), async step => {
    signal.throwIfAborted();
    return await work(step);
  });
}

async function captureOf(shot: CheckedScreenshot): Promise<Buffer> {
  const { files, hash } = shot;
  const png = files.current === null ? null : await readFile(files.current).catch(() => null);
  if (png && sha256(png) === hash) return png;
  throw new CommandError("capture_missing", APPROVE_ERRORS.captureMissing(pageName(shot), shot.viewport));
}

function entryOf(shot: CheckedScreenshot, hash: string, { platform }: CheckResult): ManifestEntry {
  const { width, height, browser, selectorRegions } = shot;
  return {
    ...pickPage(shot),
    ...{ hash, platform },
    file: fileNameOf(shot),
    capture: shot.hash ?? hash,
    width: width ?? 0,
    height: height ?? 0,
    browser: browser ?? UNKNOWN_BROWSER,
    ...(selectorRegions.length > 0 && { selectorRegions }),
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
