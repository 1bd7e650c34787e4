import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import sharp from "sharp";
import { fileNameOf } from "../../../cli/baselines/file-name.ts";
import { readPointer } from "../../../cli/baselines/lfs.ts";
import { type ManifestEntry, parseManifest, printManifest } from "../../../cli/baselines/manifest.ts";
import { optimizePng } from "../../../cli/baselines/optimize-png.ts";
import { removeDrafts, writeAtomically } from "../../../cli/baselines/write-atomically.ts";
import { CommandError } from "../../../cli/terminal.ts";
import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { encodePng } from "../../support/fixtures/png.ts";

const entry = (more: Partial<ManifestEntry> = {}): ManifestEntry => ({
  route: "/pricing",
  state: null,
  environment: null,
  viewport: 375,
  file: "pricing--375.png",
  hash: "a".repeat(64),
  capture: "b".repeat(64),
  width: 375,
  height: 2000,
  browser: "chromium 153.0.8010.0",
  platform: "linux x64",
  ...more,
});

const keyWith = (more: Partial<ScreenshotKey>): ScreenshotKey => ({
  ...{ route: "/pricing", state: null, environment: null, viewport: 375 },
  ...more,
});

const anyKey = fc.record({
  route: fc.stringMatching(/^\/[-a-cA-C_./?~%ä@+]{0,6}$/),
  state: fc.option(fc.stringMatching(/^[-a-bA-B @+~ä]{1,4}$/)),
  environment: fc.option(fc.stringMatching(/^[a-b0-1][a-b0-1-]{0,4}$/)),
  viewport: fc.integer({ min: 240, max: 244 }),
});

describe("the name of a baseline's file", () => {
  const names: [route: string, name: RegExp][] = [
    ["/", /^index--375\.png$/],
    ["/pricing", /^pricing--375\.png$/],
    ["/blog/first-post", /^blog_first-post--375\.png$/],
    ["/index", /^index~[0-9a-f]{8}--375\.png$/],
    ["/Pricing", /^pricing~[0-9a-f]{8}--375\.png$/],
    ["/pricing/", /^pricing~[0-9a-f]{8}--375\.png$/],
    ["/blog_first-post", /^blog_first-post~[0-9a-f]{8}--375\.png$/],
    ["/search?q=a&page=2", /^search-q-a-page-2~[0-9a-f]{8}--375\.png$/],
    ["/%C3%BCber-uns", /^uber-uns~[0-9a-f]{8}--375\.png$/],
    ["/über-uns", /^uber-uns~[0-9a-f]{8}--375\.png$/],
    ["/日本", /^page~[0-9a-f]{8}--375\.png$/],
    ["/.env", /^env~[0-9a-f]{8}--375\.png$/],
    ["/%", /^page~[0-9a-f]{8}--375\.png$/],
    [`/${"long".repeat(100)}`, /^(long){20}~[0-9a-f]{8}--375\.png$/],
  ];
  for (const [route, name] of names) {
    it(`of ${route.slice(0, 30)}`, () => assert.match(fileNameOf(keyWith({ route })), name));
  }

  const variants: [variant: Partial<ScreenshotKey>, name: RegExp][] = [
    [{ state: "menu open" }, /^pricing\+menu-open--375\.png$/],
    [{ environment: "dark" }, /^pricing@dark--375\.png$/],
    [{ state: "menu open", environment: "dark" }, /^pricing\+menu-open@dark--375\.png$/],
    [{ route: "/", state: "menu open" }, /^index\+menu-open--375\.png$/],
    [{ route: "/Pricing", state: "Menu" }, /^pricing~[0-9a-f]{8}\+menu~[0-9a-f]{8}--375\.png$/],
    [{ state: "menu-open" }, /^pricing\+menu-open~[0-9a-f]{8}--375\.png$/],
    [{ state: "Menü öffnen" }, /^pricing\+menu-offnen~[0-9a-f]{8}--375\.png$/],
    [{ state: "100 %" }, /^pricing\+100~[0-9a-f]{8}--375\.png$/],
    [{ state: "日本" }, /^pricing\+state~[0-9a-f]{8}--375\.png$/],
    [{ state: "menu ".repeat(10).trim() }, /^pricing\+(menu-){7}menu~[0-9a-f]{8}--375\.png$/],
  ];
  for (const [variant, name] of variants) {
    it(`of ${JSON.stringify(variant)}`, () => assert.match(fileNameOf(keyWith(variant)), name));
  }

  it("is unique for every route, state, environment and width, also without case", () => {
    fc.assert(
      fc.property(anyKey, anyKey, (a, b) => {
        const same = keyOf(a) === keyOf(b);
        assert.equal(fileNameOf(a).toLowerCase() === fileNameOf(b).toLowerCase(), same);
        assert.match(fileNameOf(a), /^[a-z0-9][a-z0-9._~+@-]*\.png$/);
      }),
    );
  });

  it("fits in every file system", () => {
    const longest = {
      route: `/${"r".repeat(80)}`,
      state: "S".repeat(80),
      environment: "e".repeat(40),
      viewport: 3840,
    };
    assert.ok(fileNameOf(longest).length < 220);
  });
});

describe("the manifest", () => {
  it("is the same text for every order of its lines", () => {
    const entries = [entry({ route: "/b" }), entry({ viewport: 1440 }), entry({ route: "/a" }), entry()];
    const text = printManifest(entries);
    assert.equal(printManifest(parseManifest(text, "m").toReversed()), text);
    assert.equal(text.split("\n").length, 6);
    assert.deepEqual(
      parseManifest(text, "m").map(({ route, viewport }) => `${route} ${viewport}`),
      ["/a 375", "/b 375", "/pricing 375", "/pricing 1440"],
    );
  });

  it("has the same lines after it is read and written", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyKey, { selector: keyOf }), keys => {
        const entries = keys.map(key => entry({ ...key, file: fileNameOf(key) }));
        const read = parseManifest(printManifest(entries), "m");
        assert.equal(printManifest(read), printManifest(entries));
        assert.deepEqual(
          new Map(read.map(line => [keyOf(line), line])),
          new Map(entries.map(line => [keyOf(line), line])),
        );
      }),
    );
  });

  it("of pages without states and environments is the text of earlier versions", () => {
    const { state: _state, environment: _environment, ...line } = entry();
    assert.equal(printManifest([entry()]), `{"vrsBaselines":1}\n${JSON.stringify(line)}\n`);
  });

  it("tells earlier versions that they can't read states and environments", () => {
    const text = printManifest([entry(), entry({ environment: "dark", file: "pricing@dark--375.png" })]);
    const [head, plain, dark] = text.split("\n").map(line => (line === "" ? null : JSON.parse(line)));
    assert.deepEqual(head, { vrsBaselines: 2 });
    assert.equal("state" in plain || "environment" in plain || "state" in dark, false);
    assert.equal(dark.environment, "dark");
  });

  it("keeps both lines of a merge, and accepts Windows line ends", () => {
    const merged = `${printManifest([entry()])}${JSON.stringify(entry({ hash: "c".repeat(64) }))}\r\n`;
    assert.deepEqual(
      parseManifest(merged, "m").map(({ hash }) => hash.slice(0, 1)),
      ["a", "c"],
    );
  });

  const failures: [text: string, message: RegExp][] = [
    ["<<<<<<< HEAD\n", /m:1: This line is part of a merge conflict\. Keep/],
    ["{\n", /m:1: This line is not JSON\. Restore/],
    [`${printManifest([])}{"route":"/"}\n`, /m:2: This line is damaged/],
    ['{"vrsBaselines":3}\n', /m:1: A newer version/],
    [JSON.stringify(entry({ file: "../../x.png" })), /m:1: This line is damaged/],
  ];
  for (const [text, message] of failures) {
    it(`refuses ${text.slice(0, 30).trim()}`, () => {
      assert.throws(
        () => parseManifest(text, "m"),
        error =>
          error instanceof CommandError && error.code === "manifest_invalid" && message.test(error.message),
      );
    });
  }
});

describe("a pointer of Git LFS", () => {
  const oid = "d".repeat(64);
  const pointer = Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12345\n`);

  it("stands for the hash of the content", () => {
    assert.equal(readPointer(pointer), oid);
  });

  it("is not recognized in other files", () => {
    assert.equal(readPointer(Buffer.from("version https://git-lfs.github.com/spec/v1\n")), null);
    assert.equal(readPointer(Buffer.concat([pointer, Buffer.alloc(2000)])), null);
  });
});

describe("a baseline's PNG", () => {
  it("has the same pixels in fewer bytes", async () => {
    const data = Uint8Array.from({ length: 200 * 100 * 4 }, (_, i) => (i % 4 === 3 ? 255 : (i * 7) % 64));
    const png = encodePng({ width: 200, height: 100, data });
    const packed = await optimizePng(png);
    assert.ok(packed.length < png.length, `${packed.length} of ${png.length}`);
    const [before, after] = await Promise.all([png, packed].map(file => sharp(file).raw().toBuffer()));
    assert.ok(before && after && before.equals(after));
  });

  it("stays unchanged if it can't be smaller", async () => {
    const data = Uint8Array.from({ length: 64 * 64 * 4 }, (_, i) => (i % 4 === 3 ? 255 : (i * 31) % 256));
    const packed = await optimizePng(encodePng({ width: 64, height: 64, data }));
    assert.ok((await optimizePng(packed)).equals(packed));
  });
});

describe("writing a file atomically", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-whole-"));
  });
  after(() => rm(folder, { recursive: true }));

  it("leaves no temporary file, and keeps the old file on failure", async () => {
    const file = join(folder, "a.json");
    await writeAtomically(file, "old");
    await writeAtomically(file, "new", { lasting: true });
    assert.equal(await readFile(file, "utf8"), "new");
    await assert.rejects(writeAtomically(join(folder, "missing", "b"), "x"));
    assert.deepEqual(await readdir(folder), ["a.json"]);
  });

  it("removes files of killed processes, and not those of running ones", async () => {
    const [old, fresh] = [join(folder, ".vrs-draft-1-old"), join(folder, ".vrs-draft-1-fresh")];
    await Promise.all([writeFile(old, "half"), writeFile(fresh, "half")]);
    await utimes(old, 1, 1);
    await removeDrafts(folder);
    assert.deepEqual((await readdir(folder)).sort(), [".vrs-draft-1-fresh", "a.json"]);
  });
});
