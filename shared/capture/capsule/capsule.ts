import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";

/** Limits of a capsule. Pages beyond them are read in part or not at all. */
export const CAPSULE_BOUNDS = {
  /** Nodes of the browser's process. A page with more gets no layout. */
  pageNodes: 120_000,
  /** Characters of a page's attributes and texts. A page with more gets no layout. */
  pageChars: 8_000_000,
  /** Elements that are kept. */
  nodes: 20_000,
  /** Characters of a kept text or attribute. */
  chars: 200,
  frames: 8,
  responses: 300,
  /** Bytes of a response that is hashed by its content. Larger ones are hashed by their validators. */
  hashedBytes: 2 * 1024 * 1024,
  /** Characters of all stylesheets together. */
  sheetChars: 1_000_000,
  fonts: 50,
  /** Reading a page. */
  readMs: 4_000,
  /** Unpacked, when it is read again. */
  unpackedBytes: 32 * 1024 * 1024,
} as const;

const isIndex = (value: unknown) => Number.isInteger(value) && Number(value) >= -1;
const isIndexes = (value: unknown) => Array.isArray(value) && value.every(isIndex);
/** Long columns are checked by hand: a schema for each number takes most of the time of reading a capsule. */
const indexes = z.custom<number[]>(isIndexes);
const pairs = z.custom<number[][]>(value => Array.isArray(value) && value.every(isIndexes));
const numbers = z.custom<number[]>(value => Array.isArray(value) && value.every(Number.isFinite));

/** A response of the page. */
const responseSchema = z.object({
  /** Without the query's secrets. */
  url: z.string(),
  /** What the page requested, such as `stylesheet`. */
  type: z.string(),
  status: z.int(),
  /** Start of the SHA-256 of the body, or of its validators. Null if neither is known. */
  hash: z.string().nullable(),
  /** SHA-256 of the kept body, hex. Absent if it isn't kept. */
  body: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  contentType: z.string().max(200).optional(),
});

const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

/** What is kept beside an image to explain it: the layout and what the page loaded. */
const capsuleSchema = z.object({
  version: z.literal(1),
  url: z.string(),
  browser: z.string(),
  /** CSS px. */
  viewport: z.object({ width: z.number(), height: z.number() }),
  /** Image pixels per CSS pixel. */
  scale: z.number(),
  /** Areas of the page that the image shows, CSS px. `top` is in px of the image. */
  areas: z.array(z.object({ area: box, top: z.number() })),
  strings: z.array(z.string()),
  /** Names of the computed properties. */
  properties: z.array(z.string()),
  /** The most frequent value of each property, as indexes of `strings`. */
  defaults: indexes,
  /** Each different style: property and value of what differs from the defaults, in turn. */
  styles: pairs,
  /** The elements in document order, one column for each fact. */
  nodes: z.object({
    /** -1 for the root of the page. */
    parent: indexes,
    tag: indexes,
    /** -1 for an element that is not rendered. */
    style: indexes,
    /** x, y, width and height in turn, CSS px of the page. */
    boxes: numbers,
    /** Text of the element itself; -1 without one. */
    text: indexes,
    /** Name and value of its attributes, in turn. */
    attributes: pairs,
  }),
  responses: z.array(responseSchema),
  /** Requests that failed or were refused. */
  failed: z.array(
    z.object({ url: z.string(), type: z.string(), status: z.int().nullable(), error: z.string().nullable() }),
  ),
  /** Source of the stylesheets. The URL is null for those within the page. */
  sheets: z.array(z.object({ url: z.string().nullable(), text: z.string() })),
  /** Where the sources of changed rules are, such as `src/button.css:12`. Absent without source maps. */
  mapped: z
    .array(z.object({ url: z.string(), selector: z.string(), property: z.string(), source: z.string() }))
    .optional(),
  fonts: z.array(z.object({ family: z.string(), status: z.string() })),
  /** Whether a limit left out parts of the page. */
  isCut: z.boolean(),
});

export type Capsule = z.infer<typeof capsuleSchema>;
export type CapsuleResponse = z.infer<typeof responseSchema>;

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Packs the JSON of a capsule. Equal capsules give equal bytes. */
export async function packCapsule(json: string): Promise<Buffer> {
  return await zip(json, { level: 4 });
}

/** Reads a capsule. @throws Error if it is none, or too large */
export async function readCapsule(packed: Buffer): Promise<Capsule> {
  const json = await unzip(packed, { maxOutputLength: CAPSULE_BOUNDS.unpackedBytes });
  return capsuleSchema.parse(JSON.parse(json.toString("utf8")));
}
