import type { ServerResponse } from "node:http";
import { call } from "../../../shared/contracts/bus.ts";
import type { ReportPage } from "../../../shared/contracts/runs/run-outcomes.ts";
import { REPORT_CSP, renderReport } from "../../../shared/report/render/render-report.ts";
import type { ReportScreenshot } from "../../../shared/report/report-model.ts";
import { addressOf } from "../auth/authenticate.ts";
import { teamsOfReader } from "../auth/teams-of-reader.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Input } from "../routes/route.ts";
import { REPORT_NOTES } from "../texts.ts";
import { bytesOf, openImage } from "./open-image.ts";

/** Bytes of images in a saved report, at most: what a browser still opens with ease. */
const INLINE_AT_MOST = 100 * 1024 * 1024;
/** A reader who takes nothing of a file for so long keeps its place from others. */
const TAKES_NOTHING_MS = 60_000;
/** And so does one who takes little at a time: a file of the largest size comes within this at 2 Mbit/s. */
const TAKES_LONG_MS = 10 * 60_000;

type ReportInput = Input<unknown, { token?: string; download?: "0" | "1" }>;

/** Writes a run's report as HTML; with `download=1` as one file with its images inside. */
export async function serveReport(gateway: Gateway, input: ReportInput): Promise<undefined> {
  const { query, res } = input;
  if (query.download === "1") return await saveReport(gateway, input);
  const { run, screenshots } = await readWhole(gateway, input);
  const token = query.token === undefined ? "" : `&token=${encodeURIComponent(query.token)}`;
  writeHead(res);
  res.end(
    renderReport({
      run,
      screenshots: screenshots.map(withRelativeImages),
      downloadUrl: `?download=1${token}`,
    }),
  );
}

function writeHead(res: ServerResponse): void {
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  res.setHeader("Content-Security-Policy", REPORT_CSP);
  res.setHeader("Cache-Control", "no-store");
}

/** Writes the report as one file, which counts until its reader has it. @throws ServiceError rate_limited; unavailable while others are being saved */
async function saveReport(gateway: Gateway, input: ReportInput): Promise<undefined> {
  const { caller, params, req, res } = input;
  const { id = "" } = params;
  const gone = new AbortController();
  res.once("close", () => gone.abort());
  res.once("close", gateway.saved.admit(id, caller?.actor.id ?? addressOf(req)));
  // Those who may not read it wait for nothing, and nobody waits for them.
  const { run, screenshots } = await readWhole(gateway, input);
  const end = await gateway.saved.begin(id, gone.signal);
  res.once("close", end);
  if (res.destroyed) {
    end();
    return;
  }
  const inlined = await inlineImages(gateway, screenshots, () => res.destroyed);
  writeHead(res);
  res.setHeader("Content-Disposition", `attachment; filename="${id}.html"`);
  res.setTimeout(TAKES_NOTHING_MS, () => res.destroy());
  const timer = setTimeout(() => res.destroy(), TAKES_LONG_MS);
  res.once("close", () => clearTimeout(timer));
  res.end(renderReport({ run, screenshots: inlined, downloadUrl: null }));
}

/** The report in parts, put together: no message on the bus grows with the run. */
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
const IMAGES: ImageName[] = ["current", "baseline", "diff"];

/** Links as seen from the report itself, so that it works under whatever address it was opened at. */
function withRelativeImages(screenshot: ReportScreenshot): ReportScreenshot {
  const relative = (link: string | null) =>
    link && `..${link.slice(link.indexOf("/v1/images/") + "/v1".length)}`;
  const { current, baseline, diff } = screenshot.images;
  return {
    ...screenshot,
    images: { current: relative(current), baseline: relative(baseline), diff: relative(diff) },
  };
}

/** Returns how late a reader needs a screenshot: first what needs review, then minor changes, then the rest. */
function needOf({ status, minor }: ReportScreenshot): number {
  if (status !== "unchanged") return 0;
  return minor ? 1 : 2;
}

/** Images as `data:` URLs, those in question first, until the file would grow too large; the rest is left out, and said. @throws ServiceError unavailable when the store fails */
async function inlineImages(
  gateway: Gateway,
  screenshots: ReportScreenshot[],
  isUnwanted: () => boolean,
): Promise<ReportScreenshot[]> {
  let bytesLeft = INLINE_AT_MOST;
  const inlined = new Map<string, ReportScreenshot>();
  const inQuestionFirst = screenshots.toSorted((a, b) => needOf(a) - needOf(b));
  for (const screenshot of inQuestionFirst) {
    // Its reader went away: what is left would be read for nobody.
    if (isUnwanted()) break;
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

/** An image's bytes, or null when there is none. @throws ServiceError unavailable when the store fails */
async function readImage(gateway: Gateway, hash: string): Promise<Buffer | null> {
  const image = await openImage(gateway, hash);
  return image && bytesOf(gateway, image);
}
