import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { keyOf, type ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { CheckedScreenshot, CheckResult } from "../check/check-result.ts";
import { selects } from "../check/screenshots/select-screenshots.ts";
import type { Baselines } from "./baselines.ts";

/** Selects screenshots of a check to approve. An empty filter selects all. */
export interface ApprovalFilter {
  /** Routes or glob patterns. */
  routes?: readonly string[] | undefined;
  /** px */
  widths?: readonly number[] | undefined;
  /** Names of environments; `default` is the one without settings. */
  environments?: readonly string[] | undefined;
  /** Fingerprint of a change, or a prefix of it. */
  group?: string | undefined;
  /** Keys of single screenshots. */
  keys?: readonly string[] | undefined;
  /** Also minor changes, which don't need approval. */
  minor?: boolean | undefined;
}

/** The effect of one approved screenshot on the baselines. */
export type ApprovalStep =
  | { kind: "write"; shot: CheckedScreenshot; was: "changed" | "new" }
  | { kind: "rename"; shot: CheckedScreenshot; from: ScreenshotKey }
  | { kind: "remove"; shot: CheckedScreenshot };

export interface Approval {
  steps: ApprovalStep[];
  /** Selected screenshots without a capture, which can't be approved. */
  failed: ScreenshotKey[];
}

/**
 * Decides how approving a check's screenshots changes the baselines. A renamed route takes over its removed
 * baseline.
 */
export function planApproval(result: CheckResult, filter: ApprovalFilter): Approval {
  const { routes = [], widths = [], environments = [], group, keys, minor = false } = filter;
  const isSelectedPage = selects({ routes, widths, environments });
  const isSelected = (shot: CheckedScreenshot) =>
    isSelectedPage(shot) &&
    (group === undefined || shot.fingerprint?.startsWith(group) === true) &&
    (keys === undefined || keys.includes(keyOf(shot)));
  const selected = result.screenshots.filter(isSelected);
  const renamed = new Set<string>();
  const steps: ApprovalStep[] = [];
  for (const shot of selected) {
    const from = renamedBaseline(shot, minor);
    if (from === null) continue;
    renamed.add(keyOf(from));
    steps.push({ kind: "rename", shot, from });
  }
  for (const shot of selected) {
    const { status } = shot;
    if (renamedBaseline(shot, minor) !== null) continue;
    if (status === "changed" || status === "new") {
      steps.push({ kind: "write", shot, was: status });
    }
    if (minor && shot.minor) steps.push({ kind: "write", shot, was: "changed" });
    if (isApprovableFailure(shot)) steps.push({ kind: "write", shot, was: "changed" });
    if (status === "removed" && !renamed.has(keyOf(shot))) steps.push({ kind: "remove", shot });
  }
  const failed = selected.filter(shot => shot.status === "failed" && !isApprovableFailure(shot));
  return { steps, failed: failed.map(pickPage) };
}

/** Returns the baseline of another name or width that approval replaces by the screenshot; null if there is none. */
function renamedBaseline(shot: CheckedScreenshot, minor: boolean): ScreenshotKey | null {
  const { status, renamedFrom, replaces } = shot;
  if (status === "new") return renamedFrom === null ? null : { ...pickPage(shot), route: renamedFrom };
  if (replaces === null || status === "removed") return null;
  const isPending =
    status === "unchanged" ? minor || !shot.minor : status === "changed" || isApprovableFailure(shot);
  return isPending ? { ...pickPage(shot), ...replaces } : null;
}

/**
 * Returns whether a captured screenshot failed only because its baseline is unreadable. Approving it is the
 * fix.
 */
function isApprovableFailure({ status, error, files }: CheckedScreenshot): boolean {
  return status === "failed" && error?.code === "unreadable_baseline" && files.current !== null;
}

/**
 * Returns the steps that aren't done yet. An earlier approval, possibly an interrupted one, may have done
 * some.
 */
export function pendingSteps(steps: readonly ApprovalStep[], now: Baselines): ApprovalStep[] {
  return steps.filter(step => {
    const baseline = now.of(step.shot);
    if (step.kind === "remove") return baseline !== null;
    if (step.kind === "rename" && now.of(step.from) !== null) return true;
    return baseline === null || baseline.capture !== step.shot.hash;
  });
}

/**
 * Returns the steps whose baseline changed since the check, for example by a merge. The reviewed difference
 * isn't the one that would be approved.
 */
export function movedSteps(steps: readonly ApprovalStep[], now: Baselines): ApprovalStep[] {
  return steps.filter(step => {
    if (step.kind !== "rename") return now.of(step.shot)?.hash !== step.shot.baseline?.hash;
    const old = now.of(step.from);
    if (step.shot.replaces !== null) return old !== null && old.hash !== step.shot.baseline?.hash;
    return old !== null && old.capture !== step.shot.hash;
  });
}
