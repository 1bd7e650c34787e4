import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Browser, BrowserContext } from "playwright";
import type { RenderingFingerprint } from "../../contracts/capture/rendering.ts";
import { takeScreenshot } from "../screenshot/capture-area.ts";
import { hashOf } from "../screenshot/take-screenshot.ts";
import { PAGE_SETTINGS } from "./browser-args.ts";
import { REFERENCE_SIZE, referencePage } from "./reference-page.ts";

/** Fonts are listed for secure origins only. No request reaches the network, because the page is fulfilled here. */
const ORIGIN = "http://localhost";
const DIGEST_CHARS = 16;

/** Flags that differ between machines and do not affect drawing. */
const IRRELEVANT_FLAGS = new Set([
  "--user-data-dir",
  "--remote-debugging-pipe",
  "--remote-debugging-port",
  "--no-sandbox",
  "--disable-setuid-sandbox",
  "--disable-dev-shm-usage",
  "--js-flags",
  "--host-resolver-rules",
  "--proxy-server",
  "--proxy-bypass-list",
]);

/** A browser that has started. */
interface Started {
  browser: Browser;
  /** For example `chromium 153.0.8010.0`. */
  version: string;
  /** Id of the browser's own process; 0 when it is not known. */
  pid: number;
  /** The start arguments, for systems that do not list them. */
  args: readonly string[];
}

/**
 * Measures how a browser draws: its build, its fonts, its flags, and the pixels of a reference page.
 * @throws Error of Playwright's
 */
export async function measureRendering(started: Started): Promise<RenderingFingerprint> {
  const context = await started.browser.newContext({ ...PAGE_SETTINGS, viewport: REFERENCE_SIZE });
  try {
    const [flags, { fonts, pixels }] = await Promise.all([flagsOf(started), drawn(context)]);
    const parts = {
      browser: started.version,
      fonts: digest(fonts.join("\n")),
      fontCount: fonts.length,
      flags: digest(flags.join("\n")),
      pixels: pixels.slice(0, DIGEST_CHARS),
    };
    return { id: digest(Object.values(parts).join("\n")), ...parts };
  } finally {
    await context.close().catch(() => {});
  }
}

async function drawn(context: BrowserContext): Promise<{ fonts: string[]; pixels: string }> {
  const body = referencePage();
  await context.route("**/*", route => route.fulfill({ contentType: "text/html; charset=utf-8", body }));
  const page = await context.newPage();
  const [session] = await Promise.all([
    context.newCDPSession(page),
    context.grantPermissions(["local-fonts"]).catch(() => {}),
    page.goto(ORIGIN),
  ]);
  const { result } = await session.send("Runtime.evaluate", {
    expression: `(${listFonts})()`,
    awaitPromise: true,
    userGesture: true,
    returnByValue: true,
  });
  const png = await takeScreenshot(session, { x: 0, y: 0, ...REFERENCE_SIZE });
  return {
    fonts: String(result.value ?? "")
      .split("\n")
      .filter(Boolean)
      .sort(),
    pixels: hashOf(png),
  };
}

/**
 * Lists the fonts of the browser. It runs in the page. A browser that lists no fonts is identified by its pixels alone.
 */
async function listFonts(): Promise<string> {
  const query: unknown = Reflect.get(window, "queryLocalFonts");
  if (typeof query !== "function") return "";
  const fonts: { postscriptName: string }[] = await query.call(window).catch(() => []);
  return fonts.map(({ postscriptName }) => postscriptName).join("\n");
}

/** Returns the flags as the system lists them, because a wrapper program may have added its own. */
async function flagsOf({ pid, args }: Started): Promise<string[]> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  const all = commandLine === "" ? args : commandLine.split(/[\0\n]/).slice(1);
  const flags = all.filter(flag => flag.startsWith("--") && !IRRELEVANT_FLAGS.has(flag.replace(/=.*$/s, "")));
  return [...new Set(flags)].sort();
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_CHARS);
}
