import type { CheckedShot, CheckResult, Shot } from "../check/check-result.ts";
import { selects } from "../check/select-shots.ts";
import { type Baselines, keyOf } from "./baselines.ts";

/** Which of a check's screenshots to approve; all where nothing is said. */
export interface ApprovalFilter {
  /** Routes, or globs of them. */
  routes?: readonly string[] | undefined;
  /** px */
  widths?: readonly number[] | undefined;
  /** Fingerprint of a change, or its beginning. */
  group?: string | undefined;
  /** Also minor changes, which don't need approval. */
  minor?: boolean | undefined;
}

/** What one approved screenshot does to the baselines. */
export type ApprovalStep =
  | { kind: "write"; shot: CheckedShot; was: "changed" | "new" }
  | { kind: "rename"; shot: CheckedShot; from: Shot }
  | { kind: "remove"; shot: CheckedShot };

export interface Approval {
  steps: ApprovalStep[];
  /** Screenshots that were meant and could not be captured: there is nothing to approve. */
  failed: Shot[];
}

/** Decides what approving a check's screenshots changes. A renamed route takes its removed baseline along. */
export function planApproval(result: CheckResult, filter: ApprovalFilter): Approval {
  const { routes = [], widths = [], group, minor = false } = filter;
  const isSelected = selects({ routes, widths });
  const isMeant = (shot: CheckedShot) =>
    isSelected(shot) && (group === undefined || shot.fingerprint?.startsWith(group) === true);
  const meant = result.screenshots.filter(isMeant);
  const renamed = new Set<string>();
  const steps: ApprovalStep[] = [];
  for (const shot of meant) {
    if (shot.status !== "new" || shot.renamedFrom === null) continue;
    const from = { route: shot.renamedFrom, viewport: shot.viewport };
    renamed.add(keyOf(from));
    steps.push({ kind: "rename", shot, from });
  }
  for (const shot of meant) {
    const { status } = shot;
    if (status === "changed" || (status === "new" && shot.renamedFrom === null)) {
      steps.push({ kind: "write", shot, was: status });
    }
    if (minor && shot.minor) steps.push({ kind: "write", shot, was: "changed" });
    if (isApprovableFailure(shot)) steps.push({ kind: "write", shot, was: "changed" });
    if (status === "removed" && !renamed.has(keyOf(shot))) steps.push({ kind: "remove", shot });
  }
  const failed = meant.filter(shot => shot.status === "failed" && !isApprovableFailure(shot));
  return { steps, failed: failed.map(({ route, viewport }) => ({ route, viewport })) };
}

/** Whether a captured screenshot failed only because its baseline is unreadable: approving it is the fix. */
function isApprovableFailure({ status, error, files }: CheckedShot): boolean {
  return status === "failed" && error?.code === "unreadable_baseline" && files.current !== null;
}

/** Steps that are not done yet: what was approved before, perhaps by a process that was ended, need not be again. */
export function openSteps(steps: readonly ApprovalStep[], now: Baselines): ApprovalStep[] {
  return steps.filter(step => {
    const baseline = now.of(step.shot);
    if (step.kind === "remove") return baseline !== null;
    if (step.kind === "rename" && now.of(step.from) !== null) return true;
    return baseline === null || baseline.capture !== step.shot.hash;
  });
}

/**
 * Steps whose baseline is not the one that the check compared with: a branch was changed or merged meanwhile, so that
 * the difference that was looked at is not the one that would be approved.
 */
export function movedSteps(steps: readonly ApprovalStep[], now: Baselines): ApprovalStep[] {
  return steps.filter(step => {
    if (step.kind !== "rename") return now.of(step.shot)?.hash !== step.shot.baseline?.hash;
    const old = now.of(step.from);
    return old !== null && old.capture !== step.shot.hash;
  });
}
