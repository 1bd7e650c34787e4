import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Page } from "playwright";

/** Of WCAG 2.2, which axe leaves out by default. */
const WITH_TARGETS = { rules: { "target-size": { enabled: true } } };
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

interface AxeViolation {
  id: string;
  impact: string | null;
  tags: string[];
  nodes: { html: string }[];
}

/**
 * Asserts that axe finds no problem of WCAG 2.2 AA and no serious other one in the page, in both color schemes. In the
 * second one, only contrast is checked. The page must have been opened with `bypassCSP`.
 * @param part selector of the checked part. By default, the whole page
 */
export async function assertAccessible(page: Page, part?: string): Promise<void> {
  const what = JSON.stringify(part ?? "html");
  await page.emulateMedia({ colorScheme: "light" });
  await page.evaluate(`if (!window.axe) { ${AXE} }`);
  const found = await page.evaluate<AxeViolation[]>(
    `axe.run(${what}, ${JSON.stringify(WITH_TARGETS)}).then(results => results.violations)`,
  );
  await page.emulateMedia({ colorScheme: "dark" });
  const inDark = await page.evaluate<AxeViolation[]>(
    `axe.run(${what}, { runOnly: ["color-contrast"] }).then(results => results.violations)`,
  );
  const serious = [...found, ...inDark].filter(
    ({ impact, tags }) =>
      impact === "serious" || impact === "critical" || tags.some(tag => tag.startsWith("wcag")),
  );
  const failures = serious.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(node => node.html)
        .join(" ")}`,
  );
  assert.deepEqual(failures, [], page.url());
}
