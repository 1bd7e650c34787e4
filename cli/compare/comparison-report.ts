import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ReportModel, ReportScreenshot } from "../../shared/report/report-model.ts";
import { COMPARE_TEXTS } from "../texts/compare.ts";
import type { ComparedPage, ComparisonResult } from "./comparison-result.ts";

/** Returns the bytes of an image. Null if there is none. */
export type ReadImage = (page: ComparedPage, kind: "current" | "baseline" | "diff") => Promise<Buffer | null>;

/** Images that are read at the same time. */
const CONCURRENCY = 6;

/**
 * Returns the HTML report of a comparison, as one file with its images. Identical pages come without them, because they
 * would make the file large.
 */
export async function reportOfComparison(
  { base, head, data, causes, counts }: ComparisonResult,
  madeWith: string,
  readImage: ReadImage,
): Promise<ReportModel> {
  const now = new Date().toISOString();
  const isEqual = counts.changed + counts.added + counts.removed + counts.failed === 0;
  const screenshots: ReportScreenshot[] = [];
  const waiting = [...data.entries()];
  const readSome = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, page] = next;
      screenshots[index] = await screenshotOf(page, base.label, readImage);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, readSome));
  return {
    run: {
      ...{ id: null, madeWith, url: "", branch: null, scm: null, status: "completed" },
      project: COMPARE_TEXTS.title(base.label, head.label),
      conclusion: isEqual ? "passed" : "changed",
      threshold: Math.max(0, ...data.map(({ threshold }) => threshold)),
      ...{ createdAt: now, completedAt: now, error: null, causes },
    },
    screenshots,
    downloadUrl: null,
  };
}

/** Returns a function that reads images of files. The masks are only in memory. */
export function readFromDisk(masks: ReadonlyMap<string, Buffer>): ReadImage {
  return async ({ id, images }, kind) => {
    if (kind === "diff") return masks.get(id) ?? null;
    const link = images[kind];
    return link === null ? null : readFile(fileURLToPath(link));
  };
}

const STATUSES = { added: "new", comparing: "pending" } as const;

async function screenshotOf(
  page: ComparedPage,
  reason: string,
  readImage: ReadImage,
): Promise<ReportScreenshot> {
  const { base, head, status, id, route, state, environment, viewport } = page;
  const isShown = status !== "unchanged" || page.minor;
  const image = async (kind: "current" | "baseline" | "diff") => {
    const bytes = isShown ? await readImage(page, kind) : null;
    return bytes && `data:image/png;base64,${bytes.toString("base64")}`;
  };
  return {
    ...{ id, route, state, environment, viewport },
    status: status === "added" || status === "comparing" ? STATUSES[status] : status,
    ...{ width: head?.width ?? null, height: head?.height ?? null, browser: head?.browser ?? null },
    ...{ diffRatio: page.diffRatio, diffPixels: page.diffPixels, faintPixels: page.faintPixels },
    ...{ minor: page.minor, regions: page.regions },
    ...{ fingerprint: page.fingerprint, explanation: page.explanation, error: page.error },
    baseline: base && { runId: base.runId ?? "", reason, width: base.width ?? 0, height: base.height ?? 0 },
    images: {
      current: await image("current"),
      baseline: await image("baseline"),
      diff: await image("diff"),
    },
    ...{ stable: true, moving: [], attempts: 1, notes: [], review: null, reviews: [], carried: null },
  };
}
