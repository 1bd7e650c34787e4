import type { Condition } from "../../contracts/capture/steps.ts";
import type { Lease } from "../browser/lease.ts";
import { urlMatcher } from "../network/rules/url-glob.ts";
import { isSupersededNavigation } from "../page/load-failures.ts";
import { advancePage } from "../page/page-work.ts";
import { STEP_ERRORS } from "../texts.ts";
import { locatorOf } from "./locator.ts";
import { StepTimeout, TICK_MS, withMovingClock } from "./moving-clock.ts";

/**
 * Waits until a condition of the page is true. It is checked between steps of the page's clock, so that the page lives
 * equally long in each load.
 * @throws StepTimeout; CaptureError `timeout`; errors of Playwright
 */
export async function awaitCondition(lease: Lease, condition: Condition, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (let livedMs = 0; ; livedMs += TICK_MS) {
    // A function can return a promise, which may need timers.
    const check = await withMovingClock(lease, timeoutMs, () => isMet(lease, condition));
    if (check.value) return;
    livedMs += check.livedMs;
    if (livedMs >= timeoutMs && performance.now() >= end) throw new StepTimeout(null);
    await advancePage(lease, TICK_MS);
  }
}

/** Returns what a condition that did not become true means. */
export function explainCondition(condition: Condition, seconds: number): string {
  const { selector, text, request, function: expression } = condition;
  if (selector !== undefined) return STEP_ERRORS.notVisible(selector, seconds);
  if (text !== undefined) return STEP_ERRORS.notShown(`"${text}"`, seconds);
  if (request !== undefined) return STEP_ERRORS.notReceived(request, seconds);
  return expression === undefined ? STEP_ERRORS.stillLoading(seconds) : STEP_ERRORS.neverTrue(seconds);
}

async function isMet(lease: Lease, condition: Condition): Promise<boolean> {
  // A page that is just navigating meets nothing yet.
  return await check(lease, condition).catch((error: unknown) => {
    if (isSupersededNavigation(error)) return false;
    throw error;
  });
}

async function check({ page, network }: Lease, condition: Condition): Promise<boolean> {
  const { selector, text, request, function: expression } = condition;
  if (request !== undefined) {
    const matches = urlMatcher(request);
    return network.responses.some(url => matches(url));
  }
  if (expression !== undefined) return Boolean(await page.evaluate(expression));
  if (selector === undefined && text === undefined) return network.open.length === 0;
  const shown = selector === undefined ? page.getByText(text ?? "") : locatorOf(page, selector);
  return (await shown.filter({ visible: true }).count()) > 0;
}
