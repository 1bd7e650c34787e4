import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { InvalidArchiveError } from "../../../shared/archives/invalid-archive.ts";
import { unpackArchive } from "../../../shared/archives/unpack-archive.ts";
import { rawTarHeader, tarGzOf, tarOf, type ZipEntry, zipOf } from "../../support/fixtures/made-archives.ts";

const MIB = 1024 * 1024;
const LIMITS = { unpackedBytes: 32 * MIB };

const file = (name: string, more: Partial<ZipEntry> = {}): ZipEntry => ({ name, content: "x", ...more });
const zip = (...entries: ZipEntry[]) => zipOf(entries);
const end = Buffer.alloc(1024);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => file(`${index}.txt`));

/** Each archive, and what its refusal says. */
const HOSTILE: [string, () => Buffer | Promise<Buffer>, RegExp][] = [
  // Names, in both formats.
  ["zip with ..", () => zip(file("../evil")), /"\.\." or "\."/],
  ["zip with .. inside", () => zip(file("a/../../evil")), /"\.\." or "\."/],
  ["zip with a . inside", () => zip(file("a/./b")), /"\.\." or "\."/],
  ["zip with .. at the end", () => zip(file("a/..")), /"\.\." or "\."/],
  ["zip with an absolute path", () => zip(file("/etc/passwd")), /absolute/],
  ["zip with a drive", () => zip(file("C:/evil")), /absolute/],
  ["zip with a relative drive", () => zip(file("c:evil")), /absolute/],
  ["zip with backslashes", () => zip(file("..\\evil")), /backslash/],
  ["zip with a share", () => zip(file("\\\\host\\evil")), /backslash/],
  ["zip with two slashes", () => zip(file("a//b")), /empty name/],
  ["zip with NUL", () => zip(file("a\0b")), /control characters/],
  ["zip with a line break", () => zip(file("a\nb")), /control characters/],
  [
    "zip with invalid UTF-8",
    () => zip(file("", { name: Buffer.from([0x61, 0xff, 0xfe]) })),
    /not valid UTF-8/,
  ],
  ["zip with no name", () => zip(file("")), /empty name/],
  ["zip with the root as a file", () => zip(file(".")), /empty name/],
  ["zip with a long path", () => zip(file(`${"abcdefghi/".repeat(110)}x`)), /more than 1,024 bytes/],
  ["zip with a long name", () => zip(file("x".repeat(256))), /more than 255 bytes/],
  ["zip with deep folders", () => zip(file(`${"a/".repeat(33)}x`)), /more than 32 folders/],
  ["tar with ..", () => tarOf([{ name: "../evil", content: "x" }]), /"\.\." or "\."/],
  ["tar with an absolute path", () => tarOf([{ name: "/etc/passwd", content: "x" }]), /absolute/],
  ["tar with backslashes", () => tarOf([{ name: "a\\b", content: "x" }]), /backslash/],
  ["tar.gz with ..", () => tarGzOf([{ name: "a/../../evil", content: "x" }]), /"\.\." or "\."/],
  [
    "tar with .. in a long path",
    () => tarOf([{ name: `${"a/".repeat(80)}../../x`, content: "x" }]),
    /"\.\." or "\."|more than 32/,
  ],
  // The same file twice.
  ["zip with a file twice", () => zip(file("a"), file("a")), /in the archive twice/],
  ["zip with a file twice by ./", () => zip(file("a"), file("./a")), /in the archive twice/],
  ["zip with names that differ in case", () => zip(file("a.js"), file("A.js")), /upper and lower case/],
  ["zip with folders that differ in case", () => zip(file("a/1"), file("A/2")), /upper and lower case/],
  ["zip with two Unicode forms", () => zip(file("caf\u00e9"), file("cafe\u0301")), /upper and lower case/],
  ["zip with a file as a folder", () => zip(file("a"), file("a/b")), /both a file and a folder/],
  ["zip with a folder as a file", () => zip(file("a/b"), file("a")), /both a file and a folder/],
  ["tar with a file twice", () => tarOf([{ name: "a" }, { name: "a" }]), /in the archive twice/],
  // Kinds of entries.
  ["zip with a symbolic link", () => zip(file("a", { mode: 0o120777 })), /symbolic or hard link/],
  ["zip with a device", () => zip(file("a", { mode: 0o020666 })), /not a file or a folder/],
  ["zip with a pipe", () => zip(file("a", { mode: 0o010666 })), /not a file or a folder/],
  ["zip with a socket", () => zip(file("a", { mode: 0o140666 })), /not a file or a folder/],
  ["zip with a folder that has bytes", () => zip(file("a/")), /not a file or a folder/],
  ["tar with a symbolic link", () => tarOf([{ name: "a", type: "symlink", linkname: "/etc" }]), /link/],
  ["tar with a hard link", () => tarOf([{ name: "a", type: "link", linkname: "b" }]), /link/],
  ["tar with a device", () => tarOf([{ name: "a", type: "character-device" }]), /not a file/],
  ["tar with a block device", () => tarOf([{ name: "a", type: "block-device" }]), /not a file/],
  ["tar with a pipe", () => tarOf([{ name: "a", type: "fifo" }]), /not a file/],
  ["tar with a sparse file", () => Buffer.concat([rawTarHeader({ 156: "S" }), end]), /not a file/],
  // Encryption and compression.
  ["zip with a password", () => zip(file("a", { flags: 0x801 })), /encrypted/],
  ["zip with strong encryption", () => zip(file("a", { flags: 0x841 })), /encrypted|damaged/],
  ["zip with another compression", () => zip(file("a", { method: 12 })), /unsupported method/],
  // Sizes that lie.
  [
    "zip with more bytes than it says",
    () => zip(file("a", { content: "x".repeat(999), size: 1 })),
    /damaged/,
  ],
  ["zip with fewer bytes than it says", () => zip(file("a", { size: 500 })), /damaged/],
  [
    "zip with a stored size that differs",
    () => zip(file("a", { method: 0, size: 9 })),
    /damaged|other bytes/,
  ],
  ["zip with bytes beyond its end", () => zip(file("a", { compressedSize: 2 ** 31 })), /damaged|overlap/],
  ["zip with a wrong checksum", () => zip(file("a", { crc: 1 })), /checksum/],
  ["zip that shares bytes", () => zip(file("a"), file("b", { sameAs: 0 })), /shares its bytes/],
  ["zip that claims many entries", () => zipOf([file("a")], { count: 60_000 }), /more than 20,000|damaged/],
  ["tar that ends early", () => rawTarHeader({ 124: "00000100000\0" }, "x"), /damaged/],
  [
    "tar with a negative size",
    () => Buffer.concat([rawTarHeader({ 124: "\xff".repeat(12) }), end]),
    /other bytes/,
  ],
  [
    "tar with a huge size",
    () => rawTarHeader({ 124: `\x80${"\0".repeat(3)}\x7f${"\xff".repeat(7)}` }),
    /damaged|other bytes/,
  ],
  [
    "tar with a huge path header",
    () => rawTarHeader({ 156: "x", 124: "00400000000\0" }, "x".repeat(9000)),
    /damaged/,
  ],
  // Bombs.
  ["zip bomb", () => zip(file("a", { content: Buffer.alloc(20 * MIB) })), /more than 200 times/],
  ["zip of many entries", () => zip(...numbered(20_001)), /more than 20,000/],
  ["tar.gz bomb", () => tarGzOf([{ name: "a", content: Buffer.alloc(20 * MIB) }]), /more than 200 times/],
  ["gzip of zeros", () => gzipSync(Buffer.alloc(20 * MIB)), /no files|damaged/],
  [
    "archive above the limit",
    () =>
      zip(...[1, 2, 3].map(name => file(`${name}`, { content: Buffer.alloc(12 * MIB, "abc"), method: 0 }))),
    /more than 32 MiB/,
  ],
  [
    "file above the limit",
    () => zip(file("a", { content: Buffer.alloc(65 * MIB, 1), method: 0 })),
    /64 MiB|32 MiB/,
  ],
  // No archives.
  ["nothing", () => Buffer.alloc(0), /not a zip, tar/],
  ["text", () => Buffer.from("hello"), /not a zip, tar/],
  ["HTML", () => Buffer.from("<!doctype html>".repeat(100)), /not a zip, tar/],
  ["rar", () => Buffer.from("Rar!\x1a\x07\x00"), /not a zip, tar/],
  ["zip that is cut", () => zip(...numbered(9)).subarray(0, 200), /damaged/],
  ["gzip that is cut", async () => (await tarGzOf([{ name: "a", content: "x" }])).subarray(0, 30), /damaged/],
  ["gzip of text", () => gzipSync("hello"), /damaged/],
  ["zip without files", () => zip(), /no files/],
  ["zip with only folders", () => zip({ name: "a/", method: 0 }), /no files/],
];

describe("Hostile archives", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-hostile-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function unpack(bytes: Buffer) {
    const archive = join(folder, "archive");
    const files = join(folder, "files");
    await mkdir(files);
    await writeFile(archive, bytes);
    return await unpackArchive(archive, files, LIMITS);
  }

  for (const [name, make, reason] of HOSTILE)
    it(`refuse a ${name}`, async () => {
      const bytes = await make();
      await assert.rejects(unpack(bytes), (error: unknown) => {
        assert.ok(error instanceof InvalidArchiveError, String(error));
        assert.match(error.message, reason);
        return true;
      });
      assert.deepEqual((await readdir(folder)).sort(), ["archive", "files"]);
      for (const left of await readdir(join(folder, "files"))) assert.match(left, /^[0-9a-f-]{36,64}$/);
    });

  it("have at least 40 kinds", () => assert.ok(HOSTILE.length >= 40));
});
