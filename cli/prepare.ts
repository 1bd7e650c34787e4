/** Prepares a first start during setup: unpacks the browser and creates an empty database. */
import { findBrowser } from "../shared/capture/browser/browser-binary.ts";
import { loadConfig } from "../shared/config.ts";
import { prepareDatabaseTemplate } from "../shared/database-template.ts";

const config = loadConfig();
await Promise.all([findBrowser(config), prepareDatabaseTemplate(config.cacheDir)]);
