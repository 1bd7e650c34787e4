import type { Locator, Page } from "playwright";

/**
 * Returns the elements that a locator of the options means: `label=`, `placeholder=` and `testid=` as Playwright's
 * getBy… functions find them, everything else as a selector of Playwright.
 */
export function locatorOf(page: Page, selector: string): Locator {
  const [, engine, text = ""] = /^(label|placeholder|testid)=(.*)$/s.exec(selector) ?? [];
  if (engine === "label") return page.getByLabel(unquoted(text));
  if (engine === "placeholder") return page.getByPlaceholder(unquoted(text));
  if (engine === "testid") return page.getByTestId(unquoted(text));
  return page.locator(selector);
}

/** Returns whether an error says that a locator has no meaning, and not that its page was lost or replaced. */
export function isInvalidLocator(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^locator\.\w+: (?!.*(?:closed|crashed|destroyed|detached))/is.test(error.message) &&
    error.name !== "TimeoutError"
  );
}

/** Quotes are optional, as in Playwright's own `text=`. */
function unquoted(text: string): string {
  return /^"(.*)"$/s.exec(text)?.[1] ?? text;
}
