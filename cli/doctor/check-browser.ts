import type { BrowserPlace } from "../browser-place.ts";
import { type Finding, fault, messageOf, ok, warning } from "./finding.ts";

export interface BrowserFindings {
  findings: Finding[];
  /** As `chromium 153.0.8010.0`; null where none starts. */
  version: string | null;
}

/** Whether there is a browser, whether it starts, in its sandbox, and whether there are fonts. */
export async function checkBrowser(place: BrowserPlace): Promise<BrowserFindings> {
  const { probeBrowser } = await import("../../shared/capture/probe-browser.ts");
  try {
    const { version, executablePath, sandbox, missingScripts } = await probeBrowser(place);
    return {
      version,
      findings: [ok("Browser", `${version}, ${executablePath}`), sandboxed(sandbox), fonts(missingScripts)],
    };
  } catch (error) {
    // The message says what to do.
    return { version: null, findings: [fault("Browser", messageOf(error), null)] };
  }
}

function sandboxed(has: boolean): Finding {
  if (has) return ok("Sandbox", "on");
  return warning(
    "Sandbox",
    "off: this machine does not let the browser build one",
    "Fine for pages that you trust. Else run as a user other than root, where unprivileged user namespaces are allowed.",
  );
}

function fonts(missing: string[]): Finding {
  if (missing.length === 0) return ok("Fonts", "for all scripts that were tried");
  return warning(
    "Fonts",
    `none for ${missing.join(", ")}: such text is rendered as boxes`,
    "If your pages have any, install fonts, as with `apt-get install fonts-noto fonts-noto-cjk fonts-noto-color-emoji`.",
  );
}
