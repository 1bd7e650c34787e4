import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ReportModel, ReportScreenshot } from "../../shared/report/report-model.ts";
import { mapBounded } from "../concurrency.ts";
import { COMPARE_TEXTS } from "../texts/compare.ts";
import type { ComparedPage, ComparisonResult } from "./comparison-result.ts";

/** Returns the bytes of an image. Null if there is none. */
export type ReadImage = (page: ComparedPage, kind: "current" | "baseline" | "diff") => Promise<Buffer | null>;

/** Pages whose images are read at the same time. */
const CONCURRENCY = 6;
/** A string, which the report is, can have 512 Mi characters. Base64 adds a third. */
const MOST_IMAGE_BYTES = 256 * 1024 * 1024;

/**
 * Returns the HTML report of a comparison, as one file with its images. Identical pages come without them, because they
 * would make the file large. Once the images reach the limit, the other pages come without them too, and say so.
 */
export async function reportOfComparison(
  { base, head, data, causes, counts }: ComparisonResult,
  madeWith: string,
  readImage: ReadImage,
  mostImageBytes = MOST_IMAGE_BYTES,
): Promise<ReportModel> {
  const now = new Date().toISOString();
  const isEqual = counts.changed + counts.added + counts.removed + counts.failed === 0;
  let left = mostImageBytes;
  const screenshots = await mapBounded(data, CONCURRENCY, async page => {
    if (page.status === "unchanged" && !page.minor) return screenshotOf(page, base.label, NONE);
    const images = left === 0 ? NONE : await readImages(page, readImage);
    const bytes = Object.values(images).reduce((sum, image) => sum + (image?.length ?? 0), 0);
    left = bytes > left ? 0 : left - bytes;
    const hasImages = Object.values(page.images).some(link => link !== null);
    if (left > 0 || !hasImages) return screenshotOf(page, base.label, images);
    return { ...screenshotOf(page, base.label, NONE), notes: [COMPARE_TEXTS.imagesOmitted] };
  });
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

type Images = Record<"current" | "baseline" | "diff", Buffer | null>;

const NONE: Images = { current: null, baseline: null, diff: null };

async function readImages(page: ComparedPage, readImage: ReadImage): Promise<Images> {
  return {
    current: await readImage(page, "current"),
    baseline: await readImage(page, "baseline"),
    diff: await readImage(page, "diff"),
  };
}

const dataUrl = (png: Buffer | null) => png && `data:image/png;base64,${png.toString("base64")}`;

function screenshotOf(page: ComparedPage, reason: string, images: Images): ReportScreenshot {
  const { base, head, status, id, route, state, environment, viewport } = page;
  return {
    ...{ id, route, state, environment, viewport },
    status: status === "added" || status === "comparing" ? STATUSES[status] : status,
    ...{ width: head?.width ?? null, height: head?.height ?? null, browser: head?.browser ?? null },
    ...{ diffRatio: page.diffRatio, diffPixels: page.diffPixels, faintPixels: page.faintPixels },
    ...{ minor: page.minor, regions: page.regions },
    ...{ fingerprint: page.fingerprint, explanation: page.explanation, error: page.error },
    baseline: base && { runId: base.runId ?? "", reason, width: base.width ?? 0, height: base.height ?? 0 },
    images: {
      current: dataUrl(images.current),
      baseline: dataUrl(images.baseline),
      diff: dataUrl(images.diff),
    },
    ...{ stable: true, moving: [], attempts: 1, notes: [], review: null, reviews: [], carried: null },
  };
}
