import { decodeMask } from "../../../shared/compare/read-mask.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import {
  type PreviewRule,
  RULE_BOUNDS,
  type RulePreview,
} from "../../../shared/contracts/noise/ignore-rules.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import { findProject } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { effectOf } from "./decide-region.ts";
import { type Hidden, hiddenBy } from "./hidden-pixels.rule.ts";
import { type RuleEffect, scaleOf } from "./ignore-rule.rule.ts";
import { countLastRuns, findChangedScreenshots, type PreviewedScreenshot } from "./preview.store.ts";

/** Masks that are read at the same time. */
const CONCURRENCY = 8;

/**
 * Returns what a rule would have hidden in the last ten completed runs, computed from the changed pixels of their
 * comparisons. @throws ServiceError not_found
 */
export async function previewRule(
  context: RunsContext,
  { teamId }: Caller,
  { project: name, ...body }: PreviewRule,
): Promise<RulePreview> {
  const em = context.em();
  const project = await findProject(em, teamId, name);
  if (!project) throw notFound("project", name);
  const effect = effectOf(body);
  const most = RULE_BOUNDS.previewScreenshots;
  const bounds = { runs: RULE_BOUNDS.previewRuns, screenshots: most + 1 };
  const found = await findChangedScreenshots(em, project.id, effect, bounds);
  const looked = found.slice(0, most);
  const own = looked.find(({ viewport }) => viewport === body.viewport);
  const rule = { ...effect, scale: own ? scaleOf(own.imageWidth, own.viewport) : 1 };
  const hidden: { screenshot: PreviewedScreenshot; hides: Hidden }[] = [];
  for (let at = 0; at < looked.length; at += CONCURRENCY) {
    const batch = looked.slice(at, at + CONCURRENCY);
    const results = await Promise.all(batch.map(each => hiddenIn(context, rule, each)));
    hidden.push(
      ...results.flatMap((hides, index) => {
        const screenshot = batch[index];
        return hides && screenshot && hides.pixels > 0 ? [{ screenshot, hides }] : [];
      }),
    );
  }
  const unchanged = hidden.filter(({ hides }) => hides.isUnchanged);
  const sum = (count: (hides: Hidden) => number) =>
    hidden.reduce((total, { hides }) => total + count(hides), 0);
  return {
    runs: await countLastRuns(em, project.id, bounds.runs),
    compared: looked.length,
    isComplete: found.length <= most,
    hidden: unchanged.length,
    reduced: hidden.length - unchanged.length,
    regions: sum(({ regions }) => regions.length),
    pixels: sum(({ pixels }) => pixels),
    approved: unchanged.filter(({ screenshot }) => screenshot.review === "approved").length,
    data: hidden.slice(0, RULE_BOUNDS.previewListed).map(({ screenshot, hides }) => ({
      ...{ id: screenshot.id, runId: screenshot.runId, at: screenshot.at.toISOString() },
      ...pickPage(screenshot),
      image: context.links.image(teamId, screenshot.hash),
      ...{ imageWidth: screenshot.imageWidth, imageHeight: screenshot.imageHeight },
      outcome: hides.isUnchanged ? "unchanged" : "changed",
      ...{ pixels: hides.pixels, regions: hides.regions },
      review: reviewOf(screenshot),
    })),
  };
}

/** Null if the changed pixels aren't kept anymore. */
async function hiddenIn(
  { images, warn }: RunsContext,
  rule: RuleEffect,
  screenshot: PreviewedScreenshot,
): Promise<Hidden | null> {
  try {
    const mask = await decodeMask(await images.get(screenshot.maskHash));
    return hiddenBy(
      rule,
      { ...screenshot, scale: scaleOf(screenshot.imageWidth, screenshot.viewport) },
      mask,
    );
  } catch (error) {
    warn(error, LOG_MESSAGES.noMask(screenshot.id));
    return null;
  }
}

function reviewOf({ review, isNoise }: PreviewedScreenshot): RulePreview["data"][number]["review"] {
  if (review === "rejected" && isNoise) return "noise";
  return review === "approved" || review === "rejected" ? review : null;
}
