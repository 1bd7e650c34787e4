import assert from "node:assert/strict";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import sharp from "sharp";
import { decodePng } from "../../../shared/compare/bitmap.ts";
import { compareScreenshots } from "../../../shared/compare/compare.ts";
import { openPng, UnreadableImageError } from "../../../shared/compare/png-file.ts";
import { COLOR_TYPES, chunk, chunksOf, transparency, writePng } from "../../support/fixtures/png-kinds.ts";

const [WIDTH, HEIGHT] = [29, 23];
const FLIPS = 300;

/** Numbers that a seed decides, from 0 up to a bound. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return bound => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Sample bytes of a page: mostly few values side by side, some noise. @param noise the seed of what only this one has */
function sampleBytes(seed: number, noise: number): (index: number) => number {
  const own = numbers(noise);
  const shared = numbers(seed);
  let last = 0;
  return () => {
    if (shared(4) === 0) last = shared(256);
    return own(12) === 0 ? own(256) : last;
  };
}

/** As the profile of a real display, which is not sRGB. */
async function profileChunk(): Promise<Buffer> {
  const png = sharp({ create: { width: 1, height: 1, channels: 3, background: "#808080" } });
  const file = await png.withIccProfile("p3").png().toBuffer();
  const profile = chunksOf(file).find(({ type }) => type === "iCCP");
  assert(profile);
  return chunk("iCCP", profile.data);
}

async function isRefused(baseline: Buffer, current: Buffer): Promise<boolean> {
  try {
    await compareScreenshots(baseline, current);
    return false;
  } catch (error) {
    if (error instanceof UnreadableImageError) return true;
    throw error;
  }
}

/** Every kind of PNG by what it is called. */
function* kinds(profile: Buffer) {
  const gamma = chunk("gAMA", Buffer.from([0, 1, 0x86, 0xa0]));
  for (const type of COLOR_TYPES) {
    const clear = transparency(type);
    const extras = { plain: [], "a profile": [profile], gamma: [gamma], ...(clear && { tRNS: [clear] }) };
    for (const depth of type.depths) {
      for (const isInterlaced of [false, true]) {
        for (const [name, extra] of Object.entries(extras)) {
          const title = `${type.name}, ${depth} bits, ${name}${isInterlaced ? ", interlaced" : ""}`;
          yield { title, type, depth, isInterlaced, extra };
        }
      }
    }
  }
}

describe("a PNG of any kind", () => {
  let profile: Buffer;
  before(async () => {
    profile = await profileChunk();
  });

  it("is decoded as pngjs decodes it, which pixelmatch reads files with", async () => {
    for (const kind of kinds(profile)) {
      const file = writePng(kind, WIDTH, HEIGHT, sampleBytes(1, 2));
      const { data } = await decodePng(openPng(file));
      assert.deepEqual(Buffer.from(data), PNG.sync.read(file).data, kind.title);
    }
  });

  it("has the changed pixels that pixelmatch counts, beside one of any other kind too", async () => {
    const all = [...kinds(profile)];
    let changed = 0;
    for (const [index, kind] of all.entries()) {
      const before = writePng(kind, WIDTH, HEIGHT, sampleBytes(3, 4));
      const other = all[(index * 7 + 5) % all.length] ?? kind;
      for (const [title, after] of [
        [kind.title, writePng(kind, WIDTH, HEIGHT, sampleBytes(3, 5))],
        [`${kind.title} beside ${other.title}`, writePng(other, WIDTH, HEIGHT, sampleBytes(3, 5))],
      ] as const) {
        const [a, b] = [PNG.sync.read(before).data, PNG.sync.read(after).data];
        const { diffPixels } = await compareScreenshots(before, after);
        assert.equal(diffPixels, pixelmatch(a, b, undefined, WIDTH, HEIGHT, { threshold: 0.1 }), title);
        if (diffPixels > 0) changed++;
      }
    }
    assert(changed > all.length, "most pairs differ");
  });
});

describe("a damaged PNG", () => {
  const text = chunk("tEXt", Buffer.from("Title\0Start page", "latin1"));
  const size = chunk("pHYs", Buffer.from([0, 0, 11, 19, 0, 0, 11, 19, 1]));

  /** One of each color type, with a chunk of every kind that it may have. */
  async function files() {
    const profile = await profileChunk();
    return COLOR_TYPES.flatMap(type => {
      const clear = transparency(type);
      const extra = [profile, ...(clear ? [clear] : []), size, text];
      return [
        { name: `${type.name} with all chunks`, kind: { type, depth: 8, extra } },
        { name: type.name, kind: { type, depth: 8, extra: [] } },
      ].map(({ name, kind }) => ({
        name,
        file: writePng(kind, WIDTH, HEIGHT, sampleBytes(6, 7)),
        other: writePng(kind, WIDTH, HEIGHT, sampleBytes(6, 8)),
      }));
    });
  }

  async function assertRefused(damaged: Buffer, other: Buffer, title: string): Promise<void> {
    assert(await isRefused(damaged, Buffer.from(damaged)), `${title}, beside itself`);
    assert(await isRefused(damaged, other), `${title}, as the baseline`);
    assert(await isRefused(other, damaged), `${title}, as the current screenshot`);
  }

  it("is refused with a flip of any bits of any byte, in chunks of every kind", async () => {
    for (const { name, file, other } of await files()) {
      const random = numbers(9);
      const chunks = chunksOf(file);
      for (let flip = 0; flip < FLIPS; flip++) {
        // Chunks in turn: nearly all bytes are the profile's and the pixels'.
        const { type, start, end } = chunks[flip % chunks.length] ?? { type: "", start: 0, end: 0 };
        const at = start + random(end - start);
        const damaged = Buffer.from(file);
        damaged.writeUInt8(damaged.readUInt8(at) ^ (1 + random(255)), at);
        await assertRefused(damaged, other, `${name}, byte ${at} in ${type}`);
      }
    }
  });

  it("is refused when it is cut off at the end of a chunk or anywhere in one", async () => {
    for (const { name, file, other } of await files()) {
      const random = numbers(10);
      for (const { type, start, end } of chunksOf(file)) {
        for (const length of [start, start + 1 + random(end - start - 1)]) {
          await assertRefused(file.subarray(0, length), other, `${name}, ${length} bytes, cut at ${type}`);
        }
      }
    }
  });

  it("is refused when a chunk of its pixels is missing", async () => {
    for (const { name, file, other } of await files()) {
      const [first, second] = chunksOf(file).filter(({ type }) => type === "IDAT");
      assert(first && second);
      const without = (from: number, to: number) =>
        Buffer.concat([file.subarray(0, from), file.subarray(to)]);
      await assertRefused(without(first.start, second.end), other, `${name}, without pixels`);
      for (const { start, end } of [first, second]) {
        assert(await isRefused(without(start, end), other), `${name}, without ${start} to ${end}`);
      }
    }
  });
});
