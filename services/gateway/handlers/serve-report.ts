import type { ServerResponse } from "node:http";
import { call } from "../../../shared/contracts/bus.ts";
import type { ReportPage } from "../../../shared/contracts/runs/run-outcomes.ts";
import { REPORT_CSP, renderReport } from "../../../shared/report/render/render-report.ts";
import type { ReportScreenshot } from "../../../shared/report/report-model.ts";
import { addressOf } from "../auth/authenticate.ts";
import { teamsOfReader } from "../auth/teams-of-reader.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Input } from "../routes/route.ts";
import { REPORT_NOTES } from "../texts/api.ts";
import { bytesOf, openImage } from "./open-image.ts";

/** Images in an exported report. Browsers still open such a file easily. */
const MAX_INLINE_BYTES = 100 * 1024 * 1024;
/** A reader who reads nothing for this long blocks a slot for others. */
const IDLE_TIMEOUT_MS = 60_000;
/** So does a slow reader. The largest file takes this long at 2 Mbit/s. */
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;

type ReportInput = Input<unknown, { token?: string; download?: "0" | "1" }>;

/**
 * Answers with a run's report as HTML. With `download=1`, it is one file that contains its images. @throws ServiceError
 * unavailable while many others are opened
 */
export async function serveReport(gateway: Gateway, input: ReportInput): Promise<undefined> {
  const { query, res } = input;
  if (query.download === "1") return await saveReport(gateway, input);
  const token = query.token === undefined ? "" : `&token=${encodeURIComponent(query.token)}`;
  const html = await gateway.opened.open(async () => {
    const { run, screenshots } = await readWhole(gateway, input);
    return renderReport({
      run,
      screenshots: screenshots.map(withRelativeImages),
      downloadUrl: `?download=1${token}`,
    });
  });
  writeHead(res);
  res.end(html);
}

function writeHead(res: ServerResponse): void {
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  res.setHeader("Content-Security-Policy", REPORT_CSP);
  res.setHeader("Cache-Control", "no-store");
}

/**
 * Answers with the report as one file. It occupies a slot until the reader has it. @throws ServiceError
 * rate_limited; unavailable while others are exported
 */
async function saveReport(gateway: Gateway, input: ReportInput): Promise<undefined> {
  const { caller, params, req, res } = input;
  const { id = "" } = params;
  const gone = new AbortController();
  res.once("close", () => gone.abort());
  res.once("close", gateway.saved.admit(id, caller?.actor.id ?? addressOf(req)));
  // Access is checked first, so that readers without access take no slot.
  const { run, screenshots } = await readWhole(gateway, input);
  const release = await gateway.saved.acquire(id, gone.signal);
  res.once("close", release);
  if (res.destroyed) {
    release();
    return;
  }
  const inlined = await inlineImages(gateway, screenshots, () => res.destroyed);
  writeHead(res);
  res.setHeader("Content-Disposition", `attachment; filename="${id}.html"`);
  res.setTimeout(IDLE_TIMEOUT_MS, () => res.destroy());
  const timer = setTimeout(() => res.destroy(), DOWNLOAD_TIMEOUT_MS);
  res.once("close", () => clearTimeout(timer));
  res.end(renderReport({ run, screenshots: inlined, downloadUrl: null }));
}

/** Reads the report in parts, so that no message on the bus grows with the run. */
async function readWhole(
  gateway: Gateway,
  { context, req, caller, params: { id = "" }, query: { token } }: Input<unknown, { token?: string }>,
) {
  // Members need no link: theirs may have expired.
  const teams = caller ? [] : await teamsOfReader(gateway, context, req);
  const read = (cursor?: string): Promise<ReportPage> =>
    call(context, "runs.report", { id, token, cursor, teams });
  let page = await read();
  const screenshots = [...page.screenshots];
  while (page.nextCursor !== null) {
    page = await read(page.nextCursor);
    screenshots.push(...page.screenshots);
  }
  return { run: page.run, screenshots };
}

type ImageName = keyof ReportScreenshot["images"];
const IMAGES: ImageName[] = ["current", "baseline", "diff", "failure"];

/** Makes image links relative to the report, so that it works under any URL. */
function withRelativeImages(screenshot: ReportScreenshot): ReportScreenshot {
  const relative = (link: string | null) =>
    link && `..${link.slice(link.indexOf("/v1/images/") + "/v1".length)}`;
  const { current, baseline, diff, failure = null } = screenshot.images;
  return {
    ...screenshot,
    images: {
      current: relative(current),
      baseline: relative(baseline),
      diff: relative(diff),
      failure: relative(failure),
    },
  };
}

/** Returns the priority of a screenshot: first those to review, then minor changes, then the rest. */
function priorityOf({ status, minor }: ReportScreenshot): number {
  if (status !== "unchanged") return 0;
  return minor ? 1 : 2;
}

/**
 * Embeds images as `data:` URLs, most important first, up to the size limit. A note replaces each omitted image.
 * @throws ServiceError unavailable if the store fails
 */
async function inlineImages(
  gateway: Gateway,
  screenshots: ReportScreenshot[],
  isReaderGone: () => boolean,
): Promise<ReportScreenshot[]> {
  let bytesLeft = MAX_INLINE_BYTES;
  const inlined = new Map<string, ReportScreenshot>();
  const byPriority = screenshots.toSorted((a, b) => priorityOf(a) - priorityOf(b));
  for (const screenshot of byPriority) {
    // The reader disconnected.
    if (isReaderGone()) break;
    const images = { ...screenshot.images };
    const notes = [...screenshot.notes];
    const hashes = IMAGES.map(name => /([0-9a-f]{64})\.png$/.exec(images[name] ?? "")?.[1]);
    const fits = bytesLeft > 0;
    const pngs = await Promise.all(hashes.map(hash => (hash && fits ? readImage(gateway, hash) : null)));
    for (const [index, name] of IMAGES.entries()) {
      const [hash, png] = [hashes[index], pngs[index] ?? null];
      bytesLeft -= png?.length ?? 0;
      images[name] = png && `data:image/png;base64,${png.toString("base64")}`;
      if (hash !== undefined && !png) notes.push(REPORT_NOTES.imageOmitted(name));
    }
    inlined.set(screenshot.id, { ...screenshot, images, notes });
  }
  return screenshots.map(screenshot => inlined.get(screenshot.id) ?? screenshot);
}

/** Reads an image. Null if there is none. @throws ServiceError unavailable if the store fails */
async function readImage(gateway: Gateway, hash: string): Promise<Buffer | null> {
  const image = await openImage(gateway, hash);
  return image && bytesOf(gateway, image);
}
