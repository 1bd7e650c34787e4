import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readIndex, writeIndex } from "../../../shared/archives/archive-index.ts";
import { unpackArchive } from "../../../shared/archives/unpack-archive.ts";
import { isAllowedHost } from "../../../shared/capture/archive/allowed-hosts.rule.ts";
import { byteRange } from "../../../shared/capture/archive/byte-range.rule.ts";
import { findFile } from "../../../shared/capture/archive/find-file.rule.ts";
import { tarGzOf, tarOf, zipOf } from "../../support/fixtures/made-archives.ts";

const FILES: [string, string][] = [
  ["index.html", "<h1>Home</h1>"],
  ["assets/app.js", "let a"],
  ["assets/copy.js", "let a"],
  ["café/ü.txt", ""],
];
const ENTRIES = FILES.map(([name, content]) => ({ name, content }));
const LIMITS = { unpackedBytes: 1e9 };

describe("Archives", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-archives-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function unpack(bytes: Buffer) {
    const files = join(folder, createHash("sha256").update(bytes).digest("hex"));
    await mkdir(files);
    await writeFile(join(folder, "archive"), bytes);
    const found = await unpackArchive(join(folder, "archive"), files, LIMITS);
    const contents = await Promise.all(
      found.map(async ({ path, hash }) => [path, await readFile(join(files, hash), "utf8")]),
    );
    return { index: writeIndex(found), contents };
  }

  it("have the same id in every format and order", async () => {
    const zip = await unpack(zipOf(ENTRIES));
    assert.deepEqual(zip.contents, FILES);
    const others = [
      zipOf(ENTRIES.map(entry => ({ ...entry, method: 0, mode: 0o100644 }))),
      zipOf([{ name: "assets/", method: 0 }, ...ENTRIES.toReversed()]),
      await tarOf(ENTRIES),
      await tarGzOf([
        { name: "./", type: "directory" },
        ...ENTRIES.map(each => ({ ...each, name: `./${each.name}` })),
      ]),
    ];
    for (const bytes of others) assert.equal((await unpack(bytes)).index.id, zip.index.id);
    const changed = await unpack(zipOf([...ENTRIES, { name: "more.txt", content: "x" }]));
    assert.notEqual(changed.index.id, zip.index.id);
  });

  it("have an index that can be read again", () => {
    const files = [{ path: "a", hash: "0".repeat(64), bytes: 3 }];
    assert.deepEqual(readIndex(writeIndex(files).bytes), files);
    assert.throws(() => readIndex(Buffer.from("{}")), /index/);
    assert.throws(() => readIndex(Buffer.from("nothing")), /index/);
  });

  it("end with the disk's failure while they are unpacked, which says nothing about the archive", async () => {
    const archive = join(folder, "archive");
    // Two parts of the file arrive apart from each other, so that the failure comes between them.
    const content = randomBytes(1_000_000).toString("hex");
    for (const bytes of [await tarGzOf([{ name: "a", content }]), await zipOf([{ name: "a", content }])]) {
      await writeFile(archive, bytes);
      const missing = join(folder, "missing");
      await assert.rejects(unpackArchive(archive, missing, LIMITS), { code: "ENOENT" });
    }
  });
});

describe("Files of an archive", () => {
  const FOUND: [string, string, ReturnType<typeof findFile>][] = [
    ["/", "/", { status: 200, path: "index.html" }],
    ["/iframe.html", "/", { status: 200, path: "iframe.html" }],
    ["/iframe", "/", { status: 200, path: "iframe.html" }],
    ["/docs", "/", { status: 301, location: "/docs/" }],
    ["/docs/", "/", { status: 200, path: "docs/index.html" }],
    ["/a%20b.txt", "/", { status: 200, path: "a b.txt" }],
    ["/%E0%A4%A", "/", { status: 404, path: "404.html" }],
    ["/missing", "/", { status: 404, path: "404.html" }],
    ["/missing.js", "/", { status: 404, path: "404.html" }],
    ["/base/", "/base/", { status: 200, path: "index.html" }],
    ["/base", "/base/", { status: 301, location: "/base/" }],
    ["/base/docs/", "/base/", { status: 200, path: "docs/index.html" }],
    ["/docs/", "/base/", { status: 404, path: "404.html" }],
  ];
  const files = new Set(["index.html", "iframe.html", "docs/index.html", "a b.txt", "404.html"]);

  for (const [path, base, expected] of FOUND)
    it(`answer ${path} below ${base}`, () => {
      assert.deepEqual(
        findFile(path, base, each => files.has(each)),
        expected,
      );
    });

  it("answer every page of a single-page application, and no missing script", () => {
    const has = (path: string) => path === "200.html";
    assert.deepEqual(findFile("/users/7", "/", has), { status: 200, path: "200.html" });
    assert.deepEqual(findFile("/old.js", "/", has), { status: 404, path: null });
  });

  const RANGES: [string | undefined, number, ReturnType<typeof byteRange>][] = [
    [undefined, 10, null],
    ["bytes=0-3", 10, { start: 0, end: 3 }],
    ["bytes=4-", 10, { start: 4, end: 9 }],
    ["bytes=-3", 10, { start: 7, end: 9 }],
    ["bytes=-30", 10, { start: 0, end: 9 }],
    ["bytes=0-99", 10, { start: 0, end: 9 }],
    ["bytes=10-", 10, "unsatisfiable"],
    ["bytes=-0", 10, "unsatisfiable"],
    ["bytes=5-2", 10, null],
    ["bytes=0-1,3-4", 10, null],
    ["items=0-1", 10, null],
    ["bytes=-", 10, null],
  ];
  for (const [header, bytes, expected] of RANGES)
    it(`read the range ${header}`, () => assert.deepEqual(byteRange(header, bytes), expected));

  const HOSTS: [string, string[], boolean][] = [
    ["https://fonts.example.com/a", ["fonts.example.com"], true],
    ["https://fonts.example.com/a", ["example.com"], false],
    ["https://fonts.example.com/a", ["*.example.com"], true],
    ["https://example.com/a", ["*.example.com"], false],
    ["https://evilexample.com/a", ["*.example.com"], false],
    ["https://fonts.example.com:8443/a", ["fonts.example.com"], false],
    ["https://fonts.example.com:8443/a", ["fonts.example.com:8443"], true],
    ["https://FONTS.example.com./a", ["Fonts.example.com"], true],
    ["https://fonts.example.com/a", [], false],
  ];
  for (const [url, allowed, expected] of HOSTS)
    it(`${expected ? "reach" : "can't reach"} ${url} with ${allowed}`, () =>
      assert.equal(isAllowedHost(new URL(url), allowed), expected));
});
