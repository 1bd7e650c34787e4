/** Entries of the command-line tool's package. Its other files follow from their imports. */

/** The entry of the tool. */
export const TOOL = "cli/main.ts";
/** The entries for a project's own files, by their export. */
export const LIBRARIES = {
  ".": "cli/package/index.ts",
  "./client": "cli/client/index.ts",
  "./playwright": "cli/playwright/index.ts",
  "./vitest": "cli/vitest/index.ts",
  "./cypress": "cli/cypress/index.ts",
  "./cypress/support": "cli/cypress/support.ts",
  "./webdriverio": "cli/webdriverio/index.ts",
} as const;
/** The reporter's export. Playwright loads it by its name, so it has no types. */
export const REPORTER = "cli/playwright/reporter.ts";

/**
 * Packages that a project may have: the runners that call the adapters. Vitest isn't among them: for each installation,
 * npm would read the versions of its twenty optional packages, which takes two seconds.
 */
export const OPTIONAL_PEERS = {
  // The first version that is tested. A test that writes a missing screenshot must pass.
  "@playwright/test": ">=1.65.1",
  // The oldest version with the tested interface.
  cypress: ">=13.0.0",
  webdriverio: ">=9.0.0",
};

/** Folders that files of the tool read at run time. */
export const ASSETS = ["shared/report/page"];

/** The Node versions that the tool and its packages support. */
export const NODE_VERSIONS = ">=22.17.0";
