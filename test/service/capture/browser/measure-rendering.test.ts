import assert from "node:assert/strict";
import { chmod, cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Browser, chromium } from "playwright";
import { findBrowser } from "../../../../shared/capture/browser/browser-binary.ts";
import { BrowserPool } from "../../../../shared/capture/browser/browser-pool.ts";
import { measureRendering } from "../../../../shared/capture/browser/measure-rendering.ts";
import { captureInPool } from "../../../../shared/capture/capture-in-pool.ts";
import { CaptureError } from "../../../../shared/capture/capture-types.ts";
import {
  RENDERING_PARTS,
  type RenderingFingerprint,
  renderingFingerprint,
} from "../../../../shared/contracts/capture/rendering.ts";
import { poolOptions } from "../../../support/contexts/capture-context.ts";
import { BROWSER_CACHE } from "../../../support/drivers/runner.ts";
import { Site } from "../../../support/fixtures/site.ts";

/** Lists the font files in a folder. */
async function findFonts(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter(name => name.endsWith(".ttf"))
    .sort()
    .map(name => join(folder, name));
}

describe("rendering fingerprint of a browser", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-rendering-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const measure = async (chromiumPath: string | null = null): Promise<RenderingFingerprint> => {
    const measured: RenderingFingerprint[] = [];
    const pool = new BrowserPool({
      ...poolOptions(chromiumPath === null ? {} : { chromiumPath }),
      onMeasured: rendering => void measured.push(rendering),
    });
    try {
      await pool.measure();
    } finally {
      await pool.close();
    }
    return renderingFingerprint.parse(measured[0]);
  };

  /** Creates a program that starts the browser with more flags, or with other fonts. */
  const program = async (name: string, { flags = "", fonts }: { flags?: string; fonts?: string }) => {
    const { executablePath, env } = await findBrowser({ chromiumPath: null, cacheDir: BROWSER_CACHE });
    const settings = { ...env, ...(fonts !== undefined && { FONTCONFIG_FILE: fonts }) };
    const exports = Object.entries(settings).map(([key, value]) => `export ${key}='${value}'\n`);
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${exports.join("")}exec '${executablePath}' "$@" ${flags}\n`);
    await chmod(path, 0o755);
    return path;
  };

  const differing = (one: RenderingFingerprint, two: RenderingFingerprint): string[] =>
    (["id", ...RENDERING_PARTS] as const).filter(part => one[part] !== two[part]);

  it("is the same each time, also through a wrapper program", async () => {
    const first = await measure();
    assert.deepEqual(await measure(), first);
    assert.deepEqual(await measure(await program("same", {})), first);
    assert.match(first.browser, /^chromium \d+/);
    assert.ok(first.fontCount > 0);
  });

  it("differs with other flags, even when the reference page looks the same", async () => {
    const first = await measure();
    const colors = await measure(
      await program("colors", { flags: "--force-color-profile=color-spin-gamma24" }),
    );
    assert.deepEqual(differing(first, colors), ["id", "flags", "pixels"]);
    const unseen = await measure(await program("unseen", { flags: "--disable-webgl" }));
    assert.deepEqual(differing(first, unseen), ["id", "flags"]);
  });

  it("differs with other fonts", async () => {
    const { executablePath } = await findBrowser({ chromiumPath: null, cacheDir: BROWSER_CACHE });
    const fonts = await mkdtemp(join(folder, "fonts-"));
    // It has Open Sans only, because a browser without any font does not start.
    await cp(join(dirname(executablePath), "fonts"), fonts, { recursive: true });
    await rm((await findFonts(fonts)).at(-1) ?? "");
    const conf = join(folder, "fonts.conf");
    await writeFile(
      conf,
      `<?xml version="1.0"?><fontconfig><dir>${fonts}</dir><cachedir>${folder}</cachedir></fontconfig>`,
    );
    const first = await measure();
    const other = await measure(await program("fonts", { fonts: conf }));
    assert.ok(other.fontCount > 0 && other.fontCount < first.fontCount, `${other.fontCount} fonts`);
    assert.deepEqual(differing(first, other).slice(0, 2), ["id", "fonts"]);
    assert.ok(differing(first, other).includes("pixels"));
  });

  describe("of a browser whose flags the system doesn't list", () => {
    let browser: Browser;
    before(async () => {
      const { executablePath, env } = await findBrowser({ chromiumPath: null, cacheDir: BROWSER_CACHE });
      browser = await chromium.launch({ executablePath, env, chromiumSandbox: false });
    });
    after(() => browser?.close());

    const measureWith = (parts: { version?: string; args?: string[] } = {}) =>
      measureRendering({ browser, version: "chromium 153", pid: 0, args: [], ...parts });

    it("differs for another build of the browser", async () => {
      const [first, newer] = [await measureWith(), await measureWith({ version: "chromium 154" })];
      assert.deepEqual(differing(first, newer), ["id", "browser"]);
      assert.equal(newer.browser, "chromium 154");
    });

    it("uses the start arguments, without those that a machine adds", async () => {
      const first = await measureWith();
      const flags = await measureWith({ args: ["--force-color-profile=srgb"] });
      assert.deepEqual(differing(first, flags), ["id", "flags"]);
      const place = ["--user-data-dir=/a", "--remote-debugging-pipe", "--no-sandbox", "--proxy-server=a:1"];
      assert.deepEqual(await measureWith({ args: place }), first);
    });
  });

  it("is part of each screenshot", async () => {
    const site = await Site.start({ "/": "<h1>Home</h1>" });
    const measured: RenderingFingerprint[] = [];
    const pool = new BrowserPool({
      ...poolOptions(),
      onMeasured: rendering => void measured.push(rendering),
    });
    try {
      const request = { url: site.url, viewport: 320, baselineHash: null, options: {} };
      const captured = await captureInPool(pool, "key", request, new AbortController().signal);
      assert.ok(captured && !(captured instanceof CaptureError));
      assert.equal(captured.rendering, measured[0]?.id);
    } finally {
      await pool.close();
      await site.stop();
    }
  });
});
