import { readFile } from "node:fs/promises";
import { readCapsule } from "../../../shared/capture/capsule/capsule.ts";
import type { VisitRequest } from "../../../shared/capture/capture-types.ts";
import { joinRegions } from "../../../shared/contracts/capture/ignore-region.ts";
import { keyOf, pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { ProofResult } from "../../../shared/contracts/runs/proof.ts";
import { ProofEnd, type ProofWork, proveCause } from "../../../shared/prove/prove-cause.ts";
import { describeProof } from "../../../shared/report/describe-proof.ts";
import type { Baseline, BaselinesToCompare } from "../../baselines/baselines.ts";
import { PROOF_NOTES as TEXTS } from "../../texts/check.ts";
import type { CheckedScreenshot } from "../check-result.ts";
import { type CheckWork, requestOf } from "./check-screenshots.ts";
import { type PlannedVisit, screenshotsOf } from "./plan-screenshots.ts";

/** Changes that are proved. Each takes a few captures, and more would hardly have other causes. */
const MAX_PROOFS = 10;

/**
 * Proves which file causes changes: captures their pages again with files that their baselines loaded. Of changes with
 * the same causes, one is proved.
 * @returns all screenshots, those with a proof among them
 * @throws CommandError `no_browser`; the signal's reason
 */
export async function proveChanges(
  checked: readonly CheckedScreenshot[],
  visits: readonly PlannedVisit[],
  baselines: BaselinesToCompare,
  work: CheckWork,
  signal: AbortSignal,
): Promise<CheckedScreenshot[]> {
  const changes = new Map<string, CheckedScreenshot>();
  for (const shot of checked) {
    const causes = causesOf(shot);
    if (shot.status === "changed" && !changes.has(causes)) changes.set(causes, shot);
  }
  const proofs = new Map<string, CheckedScreenshot["proof"]>();
  const chosen = [...changes.values()].slice(0, MAX_PROOFS);
  if (changes.size > chosen.length)
    work.onEvent({ type: "note", message: TEXTS.more(changes.size - chosen.length) });
  for (const shot of chosen) {
    work.onEvent({ type: "note", message: TEXTS.proving(pageName(shot), shot.viewport) });
    const visit = visits.find(each => screenshotsOf([each]).some(one => keyOf(one) === keyOf(shot)));
    const result = visit && (await prove(shot, visit, baselines, work, signal));
    if (result) proofs.set(keyOf(shot), viewOf(result));
  }
  return checked.map(shot => ({ ...shot, proof: proofs.get(keyOf(shot)) ?? null }));
}

/** Returns what changes with the same causes share. A change without a known cause is alone. */
function causesOf(shot: CheckedScreenshot): string {
  const causes = shot.explanation?.causes.map(({ key }) => key) ?? [];
  return causes.length > 0 ? JSON.stringify(causes.toSorted()) : keyOf(shot);
}

function viewOf(result: ProofResult): NonNullable<CheckedScreenshot["proof"]> {
  const { outcome, files, captures } = result;
  return { status: "done", outcome, text: describeProof(result), files, captures };
}

/** Proves one change. Null if its baseline was not captured on this machine, so that its files are unknown. */
async function prove(
  shot: CheckedScreenshot,
  visit: PlannedVisit,
  { compared, here }: BaselinesToCompare,
  work: CheckWork,
  signal: AbortSignal,
): Promise<ProofResult | null> {
  const planned = screenshotsOf([visit]).find(one => keyOf(one) === keyOf(shot));
  const baseline = [compared.of(shot), here?.of(shot) ?? null].find(
    one => one !== null && one.hash === shot.baseline?.hash,
  );
  if (!planned || !baseline || shot.hash === null || shot.diffPixels === null) return null;
  const states = [{ state: shot.state, baselineHash: null }];
  const request = await requestOf(visit, states, work);
  return await proveCause(
    proofWorkOf({ ...shot, hash: shot.hash }, baseline, { planned, request, work, signal }),
  );
}

function proofWorkOf(
  shot: CheckedScreenshot & { hash: string },
  baseline: Baseline,
  {
    planned,
    request,
    work,
    signal,
  }: {
    planned: { colorThreshold: number | undefined; ignoreRegions: Parameters<typeof joinRegions>[0] };
    request: VisitRequest;
    work: CheckWork;
    signal: AbortSignal;
  },
): ProofWork {
  const { engine, folder } = work;
  const hashes = { baseline: baseline.capture, current: shot.hash };
  const images = {
    baseline,
    current: {
      ...{ capture: shot.hash, width: shot.width, height: shot.height },
      read: () => readFile(shot.files.current ?? ""),
    },
  };
  const ignoreRegions = joinRegions(planned.ignoreRegions, shot.selectorRegions, baseline.selectorRegions);
  const options = { colorThreshold: planned.colorThreshold, ignoreRegions, signal };
  return {
    ...{ currentHash: shot.hash, diffPixels: shot.diffPixels ?? 0 },
    suspects: shot.explanation?.causes.flatMap(({ file }) => file?.url ?? []) ?? [],
    capsule: async side => {
      const hash = hashes[side];
      const packed = hash === null ? null : await folder.capsules.read(shot, hash);
      if (packed === null) throw new ProofEnd("not_kept");
      return await readCapsule(packed);
    },
    bodies: wanted => folder.responses.read(wanted),
    capture: async (expected, replace) => {
      const states = [{ state: shot.state, baselineHash: hashes[expected] }];
      const visit = { ...request, states, isFresh: true, ...(replace && { replace }) };
      const [captured] = (await engine.capture(visit, signal)) ?? [];
      signal.throwIfAborted();
      if (captured === undefined) throw new ProofEnd("failed");
      return captured;
    },
    changedPixels: async (side, captured) =>
      (await engine.compare(images[side], captured, options)).diffPixels,
  };
}
