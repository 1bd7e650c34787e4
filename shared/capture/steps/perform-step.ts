import type { Page } from "playwright";
import type { Step } from "../../contracts/capture/steps.ts";
import type { Lease } from "../browser/lease.ts";
import { scrollPage } from "../page/in-page/settle-page.ts";
import type { SecretValues } from "../sessions/secret-values.ts";
import { locatorOf } from "./locator.ts";

/** Steps that are actions of Playwright on the open page. */
export type PageAction = Exclude<Step, { action: "goto" | "screenshot" | "waitFor" }>;

/** Replaces the references to secrets in what a step types. @throws CaptureError */
export async function resolveStep(step: PageAction, secrets: SecretValues): Promise<PageAction> {
  if (step.action === "fill") return { ...step, value: await secrets.resolve(step.value) };
  if (step.action !== "select") return step;
  return { ...step, value: await Promise.all([step.value].flat().map(value => secrets.resolve(value))) };
}

/**
 * Performs a step on the page, until the signal aborts. The page's clock has to advance meanwhile.
 * @throws Error of Playwright's
 */
export async function performStep(lease: Lease, step: PageAction, signal: AbortSignal): Promise<void> {
  const { page } = lease;
  const options = { timeout: 0, signal };
  // A navigation that an action starts is followed afterwards.
  const free = { ...options, noWaitAfter: true };
  switch (step.action) {
    case "click":
      return await locatorOf(page, step.selector).click({
        ...free,
        button: step.button,
        clickCount: step.count,
      });
    case "hover":
      return await locatorOf(page, step.selector).hover(options);
    case "focus":
      return await locatorOf(page, step.selector).focus(options);
    case "fill":
      return await locatorOf(page, step.selector).fill(step.value, options);
    case "press":
      if (step.selector === undefined) return await page.keyboard.press(step.key);
      return await locatorOf(page, step.selector).press(step.key, free);
    case "select":
      await locatorOf(page, step.selector).selectOption(step.value, options);
      return;
    case "check":
      return await locatorOf(page, step.selector).setChecked(step.checked ?? true, options);
    case "drag":
      return await locatorOf(page, step.selector).dragTo(locatorOf(page, step.to), options);
    case "upload": {
      const files = step.files.map(({ name, contentType, base64 }) => ({
        name,
        mimeType: contentType,
        buffer: Buffer.from(base64, "base64"),
      }));
      return await locatorOf(page, step.selector).setInputFiles(files, options);
    }
    case "scrollTo":
      return await scroll(page, step, signal);
    case "setViewport": {
      const height = step.height ?? page.viewportSize()?.height ?? 0;
      return await lease.resize({ width: step.width, height });
    }
  }
}

async function scroll(
  page: Page,
  { selector, y = 0 }: Extract<Step, { action: "scrollTo" }>,
  signal: AbortSignal,
): Promise<void> {
  if (selector === undefined) return await page.evaluate(scrollPage, y);
  const show = (element: Element) => element.scrollIntoView({ block: "start", behavior: "instant" });
  await locatorOf(page, selector).evaluate(show, undefined, { timeout: 0, signal });
}
