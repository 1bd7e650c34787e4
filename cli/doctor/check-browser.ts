import type { BrowserLocation } from "../browser-location.ts";
import { DOCTOR_TEXTS as TEXTS } from "../texts/doctor.ts";
import { type Finding, failure, messageOf, ok, warning } from "./finding.ts";

const { names } = TEXTS;

export interface BrowserFindings {
  findings: Finding[];
  /** Such as `chromium 153.0.8010.0`; null if no browser starts. */
  version: string | null;
}

/** Checks whether a browser is installed and starts in its sandbox, and whether there are fonts. */
export async function checkBrowser(place: BrowserLocation): Promise<BrowserFindings> {
  const { probeBrowser } = await import("../../shared/capture/browser/probe-browser.ts");
  try {
    const { version, executablePath, sandbox, missingScripts } = await probeBrowser(place);
    return {
      version,
      findings: [
        ok(names.browser, `${version}, ${executablePath}`),
        sandboxed(sandbox),
        fonts(missingScripts),
      ],
    };
  } catch (error) {
    // The message says what to do.
    return { version: null, findings: [failure(names.browser, messageOf(error), null)] };
  }
}

function sandboxed(has: boolean): Finding {
  if (has) return ok(names.sandbox, TEXTS.sandboxOn);
  return warning(names.sandbox, TEXTS.sandboxOff, TEXTS.fixSandbox);
}

function fonts(missing: string[]): Finding {
  if (missing.length === 0) return ok(names.fonts, TEXTS.fontsFound);
  return warning(names.fonts, TEXTS.fontsMissing(missing), TEXTS.fixFonts);
}
