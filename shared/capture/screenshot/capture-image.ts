import type { ElementHandle } from "playwright";
import type { CaptureOptions } from "../../contracts/capture/capture-options.ts";
import type { IgnoreSelector, SelectorRegions } from "../../contracts/capture/ignore-region.ts";
import type { ElementTarget } from "../../contracts/capture/steps.ts";
import type { Lease } from "../browser/lease.ts";
import { CaptureError } from "../capture-types.ts";
import { findIgnored, selectorRegionsIn } from "../page/find-ignored.ts";
import { freeze } from "../page/freeze.ts";
import { areaOfWindow, areasOfElements, revealElements } from "../page/in-page/element-areas.ts";
import { awaitPageWork, refuseSelector } from "../page/page-work.ts";
import { awaitCondition } from "../steps/await-condition.ts";
import { isInvalidLocator, locatorOf } from "../steps/locator.ts";
import { StepTimeout } from "../steps/moving-clock.ts";
import { areaOfContent } from "../story/in-page/area-of-content.ts";
import { PAGE_ERRORS } from "../texts.ts";
import type { PageArea } from "./capture-area.ts";
import { type PageImage, takeImage } from "./take-screenshot.ts";

/** The widest viewport that a run can have. Wider pages are cut. */
const MAX_WIDTH_PX = 3840;
/** Space around a story, for shadows and outlines. */
const STORY_PADDING_PX = 16;
/** More elements than anyone reviews in one image. */
const MAX_ELEMENTS = 100;

/** What a screenshot shows. */
export type ImageTarget = Pick<
  CaptureOptions,
  "element" | "padding" | "fullPage" | "maxHeight" | "masks" | "hide"
> & {
  timeoutMs: number;
  ignoreSelectors: readonly IgnoreSelector[];
  /** Whether it shows only the content of a story, unless it shows elements or the whole page. */
  isStory: boolean;
};

/** An image of a page, and where the elements are whose changes don't count. */
export interface CapturedImage extends PageImage {
  selectorRegions: SelectorRegions[];
}

/**
 * Freezes the page and captures an image of it. The page stays frozen.
 * @returns null when the page navigated to another document since it settled
 * @throws CaptureError
 */
export async function captureImage(lease: Lease, target: ImageTarget): Promise<CapturedImage | null> {
  const { element } = target;
  const elements = element === undefined ? null : await findElements(lease, element, target.timeoutMs);
  const size = await freeze(lease, target);
  if (size === null) return null;
  const { scale, driver, limits } = lease;
  const viewport = lease.page.viewportSize()?.width ?? 0;
  const page = { ...size, width: Math.min(size.width, Math.max(MAX_WIDTH_PX, viewport)) };
  const { areas, paddingPx } =
    elements === null
      ? await shownOfPage(lease, page, target)
      : { areas: await areasOf(lease, elements), paddingPx: target.padding ?? 0 };
  const shown = areas.map(area => withPadding(area, paddingPx, page));
  const maxHeightPx = Math.min(target.maxHeight ?? limits.maxHeightPx, limits.maxHeightPx);
  const found = await findIgnored(lease, target.ignoreSelectors);
  const image = await takeImage(area => driver.capture(area), shown, { scale, maxHeightPx });
  return { ...image, selectorRegions: selectorRegionsIn(image, found) };
}

/** Returns the areas of a screenshot without elements, and the space around them, px. */
async function shownOfPage(
  lease: Lease,
  page: { width: number; height: number },
  target: ImageTarget,
): Promise<{ areas: PageArea[]; paddingPx: number }> {
  const isCropped = target.isStory && target.fullPage === undefined;
  const content = isCropped ? await awaitPageWork(lease, lease.page.evaluate(areaOfContent)) : null;
  if (content !== null) return { areas: [content], paddingPx: target.padding ?? STORY_PADDING_PX };
  const shown = isCropped ? { ...target, fullPage: false } : target;
  return { areas: [await pageArea(lease, page, shown)], paddingPx: 0 };
}

async function pageArea(
  lease: Lease,
  page: { width: number; height: number },
  { fullPage = true }: ImageTarget,
): Promise<PageArea> {
  if (fullPage) return { x: 0, y: 0, ...page };
  return await awaitPageWork(lease, lease.page.evaluate(areaOfWindow));
}

async function areasOf(lease: Lease, elements: ElementHandle<Element>[]): Promise<PageArea[]> {
  const areas = await awaitPageWork(lease, lease.page.evaluate(areasOfElements, elements));
  await Promise.all(elements.map(element => element.dispose()));
  return areas;
}

/** Finds the visible elements of a screenshot. @throws CaptureError `selector_missing` */
async function findElements(
  lease: Lease,
  target: ElementTarget,
  timeoutMs: number,
): Promise<ElementHandle<Element>[]> {
  const { selector, all } = typeof target === "string" ? { selector: target, all: false } : target;
  const matches = locatorOf(lease.page, selector);
  const visible = matches.filter({ visible: true });
  await awaitCondition(lease, { selector }, timeoutMs).catch(async (error: unknown) => {
    if (isInvalidLocator(error)) refuseSelector(selector);
    if (!(error instanceof StepTimeout)) throw error;
    const count = await awaitPageWork(lease, matches.count());
    const why = count === 0 ? PAGE_ERRORS.elementMissing : PAGE_ERRORS.elementInvisible;
    throw new CaptureError("selector_missing", why(selector, timeoutMs / 1000));
  });
  const handles = await awaitPageWork(lease, (all ? visible : visible.first()).elementHandles());
  const elements = handles.filter(isElement).slice(0, MAX_ELEMENTS);
  await awaitPageWork(lease, lease.page.evaluate(revealElements, elements));
  return elements;
}

function isElement(handle: ElementHandle): handle is ElementHandle<Element> {
  return handle.asElement() !== null;
}

/** Adds space around an area, within the page, and rounds to whole px. */
function withPadding(area: PageArea, paddingPx: number, page: { width: number; height: number }): PageArea {
  const x = Math.max(0, Math.floor(area.x - paddingPx));
  const y = Math.max(0, Math.floor(area.y - paddingPx));
  const right = Math.min(page.width, Math.ceil(area.x + area.width + paddingPx));
  const bottom = Math.min(page.height, Math.ceil(area.y + area.height + paddingPx));
  return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) };
}
