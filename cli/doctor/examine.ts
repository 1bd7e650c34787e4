import { browserLocation } from "../browser-location.ts";
import type { Terminal } from "../terminal.ts";
import { checkBrowser } from "./check-browser.ts";
import { checkMachine } from "./check-machine.ts";
import { checkAddress, checkBaselines, checkConfig } from "./check-project.ts";
import { checkService } from "./check-service.ts";
import type { Finding } from "./finding.ts";

/** Examines everything that a check needs. Reports each finding when it is known, in a fixed order. */
export async function examine(
  terminal: Terminal,
  path: string | undefined,
  report: (finding: Finding) => void,
): Promise<Finding[]> {
  const found: Finding[] = [];
  const add = (...findings: Finding[]) => {
    for (const finding of findings) report(finding);
    found.push(...findings);
  };
  add(...(await checkMachine(terminal)));
  const { configuration, finding } = await checkConfig(terminal, path);
  const own = configuration?.config.browser.path;
  const browser = await checkBrowser(browserLocation(terminal.env, configuration?.root ?? terminal.cwd, own));
  terminal.signal.throwIfAborted();
  add(...browser.findings, finding);
  if (configuration) {
    add(await checkAddress(configuration, terminal.signal));
    add(...(await checkBaselines(configuration, browser.version)));
  }
  add(await checkService(terminal));
  return found;
}
