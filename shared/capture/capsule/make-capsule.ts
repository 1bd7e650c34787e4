import { withTimeout } from "../../async.ts";
import type { Diagnostics } from "../../contracts/capture/diagnostics.ts";
import type { Lease } from "../browser/lease.ts";
import { masked } from "../diagnostics/mask-tokens.ts";
import type { PageImage } from "../screenshot/take-screenshot.ts";
import type { SecretValues } from "../sessions/secret-values.ts";
import { CAPSULE_BOUNDS, type Capsule, packCapsule, readCapsule } from "./capsule.ts";
import { LayoutColumns } from "./layout-columns.ts";
import { MAP_BOUNDS, mapChangedRules, mapUrlOf } from "./map-rules.ts";
import type { KeptBody } from "./page-responses.ts";

/** Attributes with URLs. */
const URL_START = /^(?:https?:)?\/\/|^\/|\?/;

/** What a capsule says about the page besides its layout. */
interface CapsuleSource {
  image: Pick<PageImage, "parts" | "scale">;
  diagnostics: Diagnostics | null;
  secrets: SecretValues;
  /** Reads the packed capsule of the baseline. Absent if it has none. */
  baseline: (() => Promise<Buffer>) | undefined;
}

/** A packed capsule, and the kept bodies of its responses. */
export interface MadeCapsule {
  packed: Buffer;
  bodies: KeptBody[];
}

/**
 * Reads what explains an image of the frozen page. It never fails the capture: a page that doesn't respond, or is too
 * large, gets a capsule without a layout or none.
 */
export async function makeCapsule(lease: Lease, source: CapsuleSource): Promise<MadeCapsule | null> {
  const late = () => new Error("late");
  return await withTimeout(readPage(lease, source), CAPSULE_BOUNDS.readMs, late).catch(() => null);
}

async function readPage(
  lease: Lease,
  { image, diagnostics, secrets, baseline }: CapsuleSource,
): Promise<MadeCapsule | null> {
  const mask = (text: string) => secrets.mask(text);
  const [page, { responses, bodies }] = await Promise.all([
    lease.driver.readLayout(),
    lease.responses.read(mask),
  ]);
  if (page === null) return null;
  const layout = page.layout ?? new LayoutColumns();
  const sheets = responses.flatMap(({ url, text }) => (text === null ? [] : [{ url: masked(url), text }]));
  const mapped = await mapRules(lease, responses, baseline);
  const viewport = lease.page.viewportSize() ?? { width: 0, height: 0 };
  const maskUrl = (url: string) => mask(masked(url));
  // Only texts are masked: numbers and hashes can contain a short secret by chance.
  const capsule: Capsule = {
    version: 1,
    url: maskUrl(lease.page.url()),
    browser: lease.browser.version,
    viewport,
    scale: image.scale,
    areas: image.parts,
    strings: layout.strings.map(text => (URL_START.test(text) ? maskUrl(text) : mask(text))),
    ...layout.packedStyles(),
    nodes: layout.nodes,
    responses: responses.map(({ text: _, contentType, ...response }) => {
      const type = contentType && mask(contentType).slice(0, CAPSULE_BOUNDS.chars);
      return { ...response, url: maskUrl(response.url), ...(type !== undefined && { contentType: type }) };
    }),
    failed: (diagnostics?.failedRequests ?? []).map(({ url, type, status, error }) => {
      return { url: maskUrl(url), type, status, error };
    }),
    sheets: withinChars([...sheets, ...layout.inlineSheets.map(text => ({ url: null, text }))]).map(
      ({ url, text }) => ({ url: url && mask(url), text: mask(text) }),
    ),
    ...(mapped.length > 0 && {
      mapped: mapped.map(({ url, selector, property, source }) => {
        return { url: mask(url), selector: mask(selector), property: mask(property), source: mask(source) };
      }),
    }),
    fonts: page.fonts.map(({ family, status }) => ({ family: mask(family), status })),
    isCut: layout.isCut || page.layout === null,
  };
  return { packed: await packCapsule(JSON.stringify(capsule)), bodies };
}

/** Finds the sources of rules that changed. A page without source maps costs nothing. */
async function mapRules(
  lease: Lease,
  responses: readonly { url: string; text: string | null }[],
  baseline: CapsuleSource["baseline"],
): Promise<NonNullable<Capsule["mapped"]>> {
  const sheets = responses.flatMap(({ url, text }) => (text === null ? [] : [{ url, text }]));
  if (baseline === undefined || sheets.every(sheet => mapUrlOf(sheet) === null)) return [];
  const late = () => new Error("late");
  const load = (url: string, maxChars: number) =>
    withTimeout(lease.driver.loadText(url, maxChars), MAP_BOUNDS.readMs, late).catch(() => null);
  return await baseline()
    .then(async packed => mapChangedRules(sheets, await readCapsule(packed), load))
    .catch(() => []);
}

/** Returns the first stylesheets within the limit. */
function withinChars(sheets: Capsule["sheets"]): Capsule["sheets"] {
  let left: number = CAPSULE_BOUNDS.sheetChars;
  return sheets.filter(({ text }) => {
    left -= text.length;
    return left >= 0;
  });
}
