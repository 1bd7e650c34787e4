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

/** Returns pseudorandom numbers below a bound. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return bound => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/**
 * Returns sample bytes of a page: mostly runs of few values, with some noise. @param noise seed of this image's own
 * noise
 */
function sampleBytes(seed: number, noise: number): (index: number) => number {
  const own = numbers(noise);
  const shared = numbers(seed);
  let last = 0;
  return () => {
    if (shared(4) === 0) last = shared(256);
    return own(12) === 0 ? own(256) : last;
  };
}

/** Returns a color profile like a real display's, which isn't sRGB. */
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

/** Yields every kind of PNG with its name. */
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

describe("PNGs of every kind", () => {
  let profile: Buffer;
  before(async () => {
    profile = await profileChunk();
  });

  it("are decoded like pngjs, which pixelmatch reads files with", async () => {
    for (const kind of kinds(profile)) {
      const file = writePng(kind, WIDTH, HEIGHT, sampleBytes(1, 2));
      const { data } = await decodePng(openPng(file));
      assert.deepEqual(Buffer.from(data), PNG.sync.read(file).data, kind.title);
    }
  });

  it("have the changed pixels that pixelmatch counts, also compared with other kinds", async () => {
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

  /** Returns one file of each color type, with a chunk of every kind that it can have. */
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

  it("is refused with any flipped bits, in chunks of every kind", async () => {
    for (const { name, file, other } of await files()) {
      const random = numbers(9);
      const chunks = chunksOf(file);
      for (let flip = 0; flip < FLIPS; flip++) {
        // Flips bits in each chunk in turn, because nearly all bytes belong to the profile and the pixels.
        const { type, start, end } = chunks[flip % chunks.length] ?? { type: "", start: 0, end: 0 };
        const at = start + random(end - start);
        const damaged = Buffer.from(file);
        damaged.writeUInt8(damaged.readUInt8(at) ^ (1 + random(255)), at);
        await assertRefused(damaged, other, `${name}, byte ${at} in ${type}`);
      }
    }
  });

  it("is refused when it is cut off anywhere", async () => {
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
