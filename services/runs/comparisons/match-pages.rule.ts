import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";

/** A page of a comparison. One of its sides can be missing. */
export interface MatchedPage<Page extends ScreenshotKey> {
  /** The head side's page, else the base side's. */
  page: Page;
  base: Page | null;
  head: Page | null;
}

/** Which pages of the two sides count. Undefined is no filter, and a null environment is the default one. */
export interface MatchFilter {
  baseEnvironment?: string | null | undefined;
  headEnvironment?: string | null | undefined;
  route?: string | undefined;
  viewport?: number | undefined;
}

/**
 * Matches the pages of two sides by route, state, environment and viewport, in this order. If one side is limited to an
 * environment, pages match whatever their environment is.
 */
export function matchPages<Page extends ScreenshotKey>(
  base: readonly Page[],
  head: readonly Page[],
  filter: MatchFilter,
): MatchedPage<Page>[] {
  const { baseEnvironment, headEnvironment } = filter;
  const acrossEnvironments = baseEnvironment !== undefined || headEnvironment !== undefined;
  const keyFor = (page: Page) => keyOf(acrossEnvironments ? { ...page, environment: null } : page);
  const ofBase = firstByKey(base.filter(isWanted(filter, baseEnvironment)), keyFor);
  const ofHead = firstByKey(head.filter(isWanted(filter, headEnvironment)), keyFor);
  const keys = [...new Set([...ofBase.keys(), ...ofHead.keys()])];
  return keys
    .flatMap(key => {
      const [one = null, other = null] = [ofBase.get(key), ofHead.get(key)];
      const page = other ?? one;
      return page ? [{ page, base: one, head: other }] : [];
    })
    .toSorted((one, other) => compareKeys(one.page, other.page));
}

function isWanted({ route, viewport }: MatchFilter, environment: string | null | undefined) {
  return (page: ScreenshotKey) =>
    (environment === undefined || page.environment === environment) &&
    (route === undefined || page.route === route) &&
    (viewport === undefined || page.viewport === viewport);
}

/** Without a filter on one side, a page can be in several environments there. The default one counts first. */
function firstByKey<Page extends ScreenshotKey>(
  pages: readonly Page[],
  keyFor: (page: Page) => string,
): Map<string, Page> {
  const byKey = new Map<string, Page>();
  for (const page of pages.toSorted(compareKeys)) if (!byKey.has(keyFor(page))) byKey.set(keyFor(page), page);
  return byKey;
}

function compareKeys(one: ScreenshotKey, other: ScreenshotKey): number {
  return (
    compareText(one.route, other.route) ||
    compareText(one.state ?? "", other.state ?? "") ||
    compareText(one.environment ?? "", other.environment ?? "") ||
    one.viewport - other.viewport
  );
}

/** Independent of the machine's language. */
function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
