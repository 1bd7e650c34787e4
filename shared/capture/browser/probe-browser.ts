import { DEFAULT_LIMITS } from "../capture-limits.ts";
import { findBrowser } from "./browser-binary.ts";
import { launchChromium } from "./launch-browser.ts";

/** What a browser can do on this machine. */
export interface BrowserProbe {
  executablePath: string;
  /** For example `chromium 153.0.8010.0`. */
  version: string;
  sandbox: boolean;
  /** Scripts without a font here, such as `Korean`. Their characters are rendered as boxes. */
  missingScripts: string[];
}

/** One character of each script, which few fonts of other scripts have. */
const SCRIPTS: Readonly<Record<string, string>> = {
  Latin: "g",
  Greek: "ψ",
  Cyrillic: "ж",
  Chinese: "漢",
  Japanese: "か",
  Korean: "한",
  Arabic: "ع",
  Hebrew: "א",
  Hindi: "क",
  Thai: "ก",
  emoji: "😀",
};

/**
 * Finds the browser, starts it and closes it again.
 * @throws Error that says what to do when no browser is found, or when none starts
 */
export async function probeBrowser(place: {
  chromiumPath: string | null;
  cacheDir: string;
}): Promise<BrowserProbe> {
  const binary = await findBrowser(place);
  const launched = await launchChromium(binary, DEFAULT_LIMITS, { direct: true, sandbox: true });
  try {
    const page = await launched.browser.newPage();
    const missingScripts = await page.evaluate(scriptsWithoutFont, SCRIPTS);
    const version = `chromium ${launched.browser.version()}`;
    const { sandbox } = launched;
    return { executablePath: binary.executablePath, version, sandbox, missingScripts };
  } finally {
    await launched.browser.close();
  }
}

/**
 * Lists the scripts without a font. It runs in the page. A character without a font looks the same as an unassigned
 * one.
 */
function scriptsWithoutFont(scripts: Readonly<Record<string, string>>): string[] {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 48;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return [];
  const drawn = (text: string) => {
    context.clearRect(0, 0, 48, 48);
    context.font = "32px sans-serif";
    context.fillText(text, 4, 36);
    return canvas.toDataURL();
  };
  const nothing = [drawn("\u{10fffd}"), drawn("")];
  return Object.keys(scripts).filter(name => nothing.includes(drawn(scripts[name] ?? "")));
}
