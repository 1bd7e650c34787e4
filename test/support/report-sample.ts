import type { Region } from "../../shared/compare/comparison.ts";
import type { ReviewView } from "../../shared/contracts/review-view.ts";
import type { ReportModel, ReportScreenshot } from "../../shared/report/report-model.ts";
import { type DrawnPage, drawMask, drawPage, pageHeight } from "./report-pages.ts";

/** Turns a PNG into the address by which the report shows it. */
export type Link = (png: Buffer, name: string) => string;

export const inline: Link = png => `data:image/png;base64,${png.toString("base64")}`;

/** A screenshot with nothing special about it, to be told apart by what a test cares for. */
export function screenshot(own: Partial<ReportScreenshot> & { id: string }): ReportScreenshot {
  return {
    route: "/",
    viewport: 1280,
    status: "unchanged",
    width: 1280,
    height: 3000,
    diffRatio: 0,
    diffPixels: 0,
    minor: false,
    regions: [],
    fingerprint: null,
    baseline: { runId: "run_0base", reason: "main at the merge base", width: 1280, height: 3000 },
    images: { current: null, baseline: null, diff: null },
    stable: true,
    moving: [],
    attempts: 1,
    browser: "chromium 153.0.8010.0",
    error: null,
    notes: [],
    review: null,
    reviews: [],
    carried: null,
    ...own,
  };
}

export function report(screenshots: ReportScreenshot[], run: Partial<ReportModel["run"]> = {}): ReportModel {
  return {
    run: {
      id: "run_01k8z4m2q7",
      project: "acme/shop",
      url: "https://pr-482.preview.acme.test",
      branch: "fix-header",
      scm: { owner: "acme", repo: "shop", sha: "3f9c1aa0c2d94be5c6a7", pr: 482 },
      status: "completed",
      conclusion: "changed",
      threshold: 0,
      createdAt: "2026-11-20T09:14:00.000Z",
      completedAt: "2026-11-20T09:15:12.000Z",
      error: null,
      ...run,
    },
    screenshots,
    downloadUrl: null,
  };
}

/** A run with every kind of screenshot, on drawn pages with real differences. */
export async function sampleReport(link: Link): Promise<ReportModel> {
  const changed = await Promise.all([
    compared("scr_price", "/pricing", 1280, { title: "Fair prices" }, { price: "34 €" }, link),
    compared("scr_home_1280", "/", 1280, { title: "Grow something" }, { button: "#b8423a" }, link),
    compared("scr_home_375", "/", 375, { title: "Grow it" }, { banner: true, price: "9 €" }, link),
    compared("scr_about", "/about", 1280, { title: "Who we are" }, { button: "#b8423a" }, link),
    compared(
      "scr_help",
      "/help/returns-and-refunds",
      1280,
      { title: "Returns" },
      { button: "#b8423a" },
      link,
    ),
    compared("scr_team", "/about/team", 1280, { title: "The team" }, { banner: true }, link),
  ]);
  const plain = link(await drawPage({ width: 1280, title: "Journal" }), "journal.png");
  const unchanged = ["/journal", "/journal/spring", "/contact", "/imprint"].map((route, index) =>
    screenshot({ id: `scr_same_${index}`, route, images: { current: plain, baseline: null, diff: null } }),
  );
  const minor = await Promise.all([
    compared("scr_minor", "/plans", 1280, { title: "Our plans" }, { price: "34 €" }, link),
    compared("scr_minor_375", "/plans", 375, { title: "Our plans" }, { price: "34 €" }, link),
  ]);
  return report([
    ...changed,
    ...(await withoutComparison(plain, link)),
    ...minor.map(shot => ({ ...shot, status: "unchanged" as const, minor: true })),
    ...unchanged,
  ]);
}

async function withoutComparison(plain: string, link: Link): Promise<ReportScreenshot[]> {
  const small = link(await drawPage({ width: 375, title: "Gifts" }), "gifts.png");
  const none = { current: null, baseline: null, diff: null };
  return [
    screenshot({
      id: "scr_new",
      route: "/gifts",
      viewport: 375,
      width: 375,
      height: 4200,
      status: "new",
      baseline: null,
      diffRatio: null,
      diffPixels: null,
      images: { ...none, current: small },
    }),
    screenshot({
      id: "scr_removed",
      route: "/sale",
      status: "removed",
      width: null,
      height: null,
      diffRatio: null,
      diffPixels: null,
      browser: null,
      images: { ...none, baseline: plain },
    }),
    screenshot({
      id: "scr_failed",
      route: "/checkout",
      status: "failed",
      width: null,
      height: null,
      diffRatio: null,
      diffPixels: null,
      browser: null,
      error: "The page answered 502 Bad Gateway. Check that the preview is up, then run again.",
    }),
    screenshot({
      id: "scr_unstable",
      route: "/live",
      stable: false,
      attempts: 5,
      moving: ["#ticker (text)", ".hero video (animation)"],
      images: { ...none, current: plain },
    }),
    screenshot({
      id: "scr_approved",
      route: "/terms",
      status: "changed",
      review: { state: "approved", approvals: 2, required: 2 },
      reviews: [said("ada", "approved", "09:41"), said("bob", "approved", "10:02")],
      diffRatio: 0.031,
      diffPixels: 119040,
      fingerprint: "f-terms",
      images: { ...none, current: plain, baseline: plain },
      regions: [{ x: 80, y: 1760, width: 900, height: 420 }],
      notes: [
        "The baseline was taken with chromium 151.0.7700.1, another build: text may be drawn differently.",
      ],
    }),
  ];
}

/** A run with every way in which a screenshot can be reviewed. */
export async function reviewedReport(link: Link): Promise<ReportModel> {
  const page = (id: string, route: string, change: Partial<DrawnPage>) =>
    compared(id, route, 1280, { title: "Fair prices" }, change, link);
  const [open, half, carried, approved, rejected, mended] = await Promise.all([
    page("scr_open", "/about", { price: "34 €" }),
    page("scr_half", "/pricing", { button: "#b8423a" }),
    page("scr_carried", "/cart", { banner: true }),
    page("scr_approved", "/terms", { price: "35 €" }),
    page("scr_rejected", "/checkout", { button: "#111" }),
    page("scr_mended", "/help", { price: "36 €" }),
  ]);
  const state = (name: "pending" | "approved" | "rejected", approvals: number) => ({
    review: { state: name, approvals, required: 2 },
  });
  const origin = { runId: "run_01k8z2aa0w", by: ["ada", "bob"], at: "2026-11-19T16:20:00.000Z" };
  const reason =
    "The button has lost its label, and a very long word is aDonaudampfschifffahrtsgesellschaft.";
  const past = { stands: false };
  return report([
    open,
    { ...half, ...state("pending", 1), reviews: [said("ada", "approved", "09:41")] },
    { ...carried, ...state("approved", 0), carried: origin },
    {
      ...approved,
      ...state("approved", 2),
      reviews: [said("ada", "approved", "09:41"), said("bob", "approved", "10:02")],
    },
    {
      ...rejected,
      ...state("rejected", 1),
      reviews: [said("ada", "approved", "09:41"), said("bob", "rejected", "10:03", { reason })],
    },
    {
      ...mended,
      reviews: [
        said("bob", "rejected", "10:04", { ...past, reason: "Wrong price." }),
        said("bob", "dismissed", "10:09", { reason: "It is the new price after all." }),
      ],
    },
  ]);
}

/** What somebody said on the day of the sample. */
export function said(
  name: string,
  verdict: ReviewView["verdict"],
  time: string,
  own: Partial<ReviewView> = {},
): ReviewView {
  const by = { kind: "user", id: `user_${name}`, name } as const;
  const stands = verdict !== "dismissed";
  return { verdict, by, countsAs: by.id, reason: null, at: `2026-11-20T${time}:00.000Z`, stands, ...own };
}

async function compared(
  id: string,
  route: string,
  width: number,
  before: Omit<DrawnPage, "width">,
  change: Partial<DrawnPage>,
  link: Link,
): Promise<ReportScreenshot> {
  const [old, now] = [
    { width, ...before },
    { width, ...before, ...change },
  ];
  const [oldPng, newPng] = await Promise.all([drawPage(old), drawPage(now)]);
  const mask = await drawMask(oldPng, newPng);
  const height = pageHeight(now);
  return screenshot({
    id,
    route,
    viewport: width,
    status: "changed",
    width,
    height,
    diffRatio: mask.ratio,
    diffPixels: mask.pixels,
    regions: regionsOf(now, change),
    fingerprint: JSON.stringify(change),
    baseline: { runId: "run_01k8yx0n3a", reason: "main at the merge base", width, height: pageHeight(old) },
    images: {
      current: link(newPng, `${id}.png`),
      baseline: link(oldPng, `${id}-baseline.png`),
      diff: link(mask.png, `${id}-mask.png`),
    },
  });
}

/** Where the drawn change is. */
function regionsOf({ width }: DrawnPage, change: Partial<DrawnPage>): Region[] {
  const pad = width < 600 ? 20 : 80;
  const bottom = width < 600 ? 4200 : 3000;
  return [
    ...(change.button ? [{ x: width - pad - 120, y: 16, width: 120, height: 40 }] : []),
    ...(change.price ? [{ x: pad + 18, y: 1080, width: 70, height: 28 }] : []),
    ...(change.banner ? [{ x: 0, y: bottom - 320, width, height: 500 }] : []),
  ];
}
