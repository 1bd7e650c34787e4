/** Prepares a first start during setup: unpacks the browser and creates an empty database. */
import { findBrowser } from "../shared/capture/browser/browser-binary.ts";
import { hasPackagedBrowser } from "../shared/capture/browser/browser-choice.rule.ts";
import { loadConfig } from "../shared/config.ts";
import { prepareDatabaseTemplate } from "../shared/database-template.ts";

const config = loadConfig();
// Only the package's browser is unpacked. On other machines, the first start finds the system's browser.
const browser = hasPackagedBrowser(process) ? findBrowser(config) : null;
await Promise.all([browser, prepareDatabaseTemplate(config.cacheDir)]);
