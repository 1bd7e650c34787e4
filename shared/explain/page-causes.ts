import type { Capsule } from "../capture/capsule/capsule.ts";
import type { Cause, CauseFile } from "../contracts/runs/explanation.ts";
import { causeKey, type DraftCause } from "./draft-cause.ts";
import { fileKey } from "./loaded-files.ts";
import { nameOfFile } from "./name-of-file.ts";
import { CAUSE_TEXTS } from "./texts.ts";

/** Types without which a whole page looks different. */
const PAGE_WIDE = new Set(["stylesheet", "script", "font", "document"]);

/** Finds causes that affect the whole page: what it failed to load, the browser, and the viewport. */
export function findPageCauses(before: Capsule, after: Capsule): DraftCause[] {
  return [
    ...environmentCauses(before, after),
    ...documentCauses(before, after),
    ...failedFiles(before, after),
    ...missingSheets(before, after),
    ...fallbackFonts(before, after),
  ];
}

function environmentCauses(before: Capsule, after: Capsule): DraftCause[] {
  const causes: DraftCause[] = [];
  const [old, now] = [sizeOf(before), sizeOf(after)];
  if (old !== now)
    causes.push(pageCause("viewport", CAUSE_TEXTS.viewport(old, now), { before: old, after: now }));
  if (before.browser !== after.browser) {
    const text = CAUSE_TEXTS.browser(before.browser, after.browser);
    causes.push(pageCause("browser", text, { before: before.browser, after: after.browser }));
  }
  return causes;
}

function sizeOf({ viewport: { width, height }, scale }: Capsule): string {
  return `${width} × ${height} px${scale === 1 ? "" : ` at ${scale}×`}`;
}

function documentCauses(before: Capsule, after: Capsule): DraftCause[] {
  const [was, is] = [statusOf(before), statusOf(after)];
  const [from, to] = [URL.parse(before.url)?.pathname, URL.parse(after.url)?.pathname];
  if (is !== null && is >= 400 && is !== was)
    return [
      pageCause("document", CAUSE_TEXTS.status(is), {
        before: was === null ? null : String(was),
        after: String(is),
      }),
    ];
  // A monitor's page keeps its path, and so does a page on another deployment.
  const last = (path: string | undefined) =>
    path
      ?.split("/")
      .filter(part => part !== "")
      .at(-1) ?? "";
  if (to === undefined || last(from) === last(to)) return [];
  return [pageCause("document", CAUSE_TEXTS.redirect(to), { before: from ?? null, after: to })];
}

function statusOf({ responses }: Capsule): number | null {
  return responses.find(({ type }) => type === "document")?.status ?? null;
}

function failedFiles(before: Capsule, after: Capsule): DraftCause[] {
  const failures = (capsule: Capsule) =>
    new Map(capsule.failed.map(failed => [`${failed.type} ${fileKey(failed.url, capsule.url)}`, failed]));
  const [old, now] = [failures(before), failures(after)];
  const causes: DraftCause[] = [];
  for (const [key, { url, type, status, error }] of now) {
    if (old.has(key) || !(PAGE_WIDE.has(type) || type === "image" || type === "fetch" || type === "xhr"))
      continue;
    const text = CAUSE_TEXTS.failed(nameOfFile(url, after.url), String(status ?? error ?? ""));
    const file: CauseFile = { url, change: "failed" };
    causes.push(
      pageCause("failed_request", text, {
        file,
        after: String(status ?? error),
        isPageWide: PAGE_WIDE.has(type),
      }),
    );
  }
  for (const [key, { url, type }] of old) {
    if (now.has(key) || !PAGE_WIDE.has(type)) continue;
    if (!after.responses.some(response => `${response.type} ${fileKey(response.url, after.url)}` === key))
      continue;
    const text = CAUSE_TEXTS.recovered(nameOfFile(url, before.url));
    causes.push(pageCause("failed_request", text, { file: { url, change: "added" } }));
  }
  return causes;
}

/** Finds stylesheets that the page no longer requests. */
function missingSheets(before: Capsule, after: Capsule): DraftCause[] {
  const keys = (capsule: Capsule, list: { url: string; type: string }[]) =>
    new Set(list.filter(({ type }) => type === "stylesheet").map(({ url }) => fileKey(url, capsule.url)));
  const now = keys(after, [...after.responses, ...after.failed]);
  return before.responses.flatMap(({ url, type }) => {
    if (type !== "stylesheet" || now.has(fileKey(url, before.url))) return [];
    const text = CAUSE_TEXTS.missing(nameOfFile(url, before.url));
    return [pageCause("missing_file", text, { file: { url, change: "removed" } })];
  });
}

/** Finds fonts that loaded before and don't now. */
function fallbackFonts(before: Capsule, after: Capsule): DraftCause[] {
  const loaded = ({ fonts }: Capsule) =>
    new Set(
      fonts.flatMap(({ family, status }) => (status === "loaded" ? [family.replace(/["']/g, "")] : [])),
    );
  const now = loaded(after);
  const lost = [...loaded(before)].filter(family => !now.has(family));
  return lost.map(family => pageCause("font", CAUSE_TEXTS.font(family), { before: family }));
}

function pageCause(
  kind: Cause["kind"],
  text: string,
  facts: Partial<Pick<Cause, "before" | "after" | "file">> & { isPageWide?: boolean },
): DraftCause {
  const { isPageWide = true, before = null, after = null, file = null } = facts;
  const cause = { kind, text, selector: null, elements: 0, property: null, before, after, file, rule: null };
  return { ...cause, key: causeKey(cause, ""), isPageWide, area: 0 };
}
