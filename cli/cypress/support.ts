/** Adds `cy.vrsScreenshot`. Import it in Cypress's support file. It runs in the browser. */
import type { ScreenshotMetadata } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import type { CypressScreenshot } from "./plugin.ts";

/** Options of `cy.vrsScreenshot`. */
export interface CypressScreenshotOptions {
  /** Whether to capture the whole page instead of the viewport. Default: false. */
  readonly fullPage?: boolean;
  /** Space around the element, CSS px. */
  readonly padding?: number;
  /** CSS selectors of elements that are covered with black boxes. */
  readonly masks?: readonly string[];
  readonly environment?: string;
  readonly threshold?: number;
  readonly colorThreshold?: number;
  readonly ignoreRegions?: readonly { x: number; y: number; width: number; height: number }[];
  readonly previousNames?: readonly string[];
}

declare global {
  namespace Cypress {
    interface Chainable<Subject> {
      /** Captures the page, or the element of the chain, for vrs. @param name such as `Cart/empty` */
      vrsScreenshot(name: string, options?: CypressScreenshotOptions): Chainable<Subject>;
    }
  }
}

/** The parts of Cypress that the command uses. */
interface Chain {
  screenshot(name: string, options: object): Chain;
  then(next: (value: unknown) => unknown): Chain;
}
declare const cy: Pick<Chain, "screenshot"> & {
  wrap(value: unknown, options: object): Chain;
  task(name: string, value: unknown, options: object): Chain;
};
declare const Cypress: {
  Commands: {
    add(
      name: string,
      options: object,
      command: (subject: unknown, name: string, options?: CypressScreenshotOptions) => unknown,
    ): void;
  };
  browser: { displayName: string; version: string };
  spec: { relative: string };
  currentTest?: { titlePath: string[] };
  currentRetry?: number;
  config(name: "viewportWidth" | "viewportHeight"): number;
};

Cypress.Commands.add("vrsScreenshot", { prevSubject: "optional" }, (subject, name, options = {}) =>
  cy
    .task("vrsEnabled", null, { log: false })
    .then(isEnabled => (isEnabled ? capture(subject, name, options) : undefined))
    // Tests continue with the subject, as after `screenshot`.
    .then(() => cy.wrap(subject, { log: false })),
);

function capture(subject: unknown, name: string, options: CypressScreenshotOptions): Chain {
  const { fullPage = false, masks = [], padding } = options;
  let path = "";
  const settings = {
    overwrite: true,
    capture: fullPage ? "fullPage" : "viewport",
    blackout: [...masks],
    disableTimersAndAnimations: true,
    ...(subject !== undefined && padding !== undefined && { padding }),
    onAfterScreenshot: (_element: unknown, details: { path: string }) => {
      path = details.path;
    },
  };
  const target = subject === undefined ? cy : cy.wrap(subject, { log: false });
  return target.screenshot(name, settings).then(() => {
    const screenshot: CypressScreenshot = { name, path, metadata: metadataOf(options) };
    return cy.task("vrsScreenshot", screenshot, { log: false });
  });
}

function metadataOf(options: CypressScreenshotOptions): ScreenshotMetadata {
  const { environment, threshold, colorThreshold, ignoreRegions, previousNames } = options;
  const { browser, spec, currentTest, currentRetry = 0 } = Cypress;
  return {
    browser: `${browser.displayName} ${browser.version}`,
    viewport: { width: Cypress.config("viewportWidth"), height: Cypress.config("viewportHeight") },
    testFile: spec.relative.replaceAll("\\", "/"),
    ...(currentTest && { titlePath: currentTest.titlePath }),
    ...(currentRetry > 0 && { retry: currentRetry }),
    ...(environment !== undefined && { environment }),
    ...(threshold !== undefined && { threshold }),
    ...(colorThreshold !== undefined && { colorThreshold }),
    ...(ignoreRegions && { ignoreRegions: [...ignoreRegions] }),
    ...(previousNames && { previousNames: [...previousNames] }),
  };
}
