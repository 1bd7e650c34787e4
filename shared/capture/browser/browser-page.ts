/** Playwright's page, as code of plugins gets it. Apart from the engine, so that the tool's published types need no Node. */
export type { Page as BrowserPage } from "playwright";
