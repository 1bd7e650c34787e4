import { z } from "zod";
import { parseJson } from "../../../json.ts";

/** The parts of a HAR entry that vrs reads. */
const entrySchema = z.object({
  request: z.object({
    method: z.string(),
    url: z.string(),
    postData: z.object({ text: z.string().optional() }).optional(),
  }),
  response: z.object({
    /** 0 or below for a request without a response. */
    status: z.int(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
    content: z.object({
      mimeType: z.string().default(""),
      text: z.string().optional(),
      encoding: z.string().optional(),
    }),
    redirectURL: z.string().default(""),
  }),
});

const harSchema = z.object({
  log: z.object({
    /** Origin of the application at the recording. Only vrs writes it. */
    _site: z.string().optional(),
    entries: z.array(entrySchema),
  }),
});

export type HarEntry = z.infer<typeof entrySchema>;

/** The content of a HAR file. */
export interface Har {
  /** Origin of the application at the recording; null if unknown. */
  site: string | null;
  entries: HarEntry[];
}

/** Reads the text of a HAR file. Null if it is none. */
export function parseHar(text: string): Har | null {
  const { data } = harSchema.safeParse(parseJson(text));
  return data ? { site: data.log._site ?? null, entries: data.log.entries } : null;
}

/** Returns the text of a HAR file. Equal responses give equal text. */
export function printHar({ site, entries }: Har): string {
  const sorted = entries.toSorted((a, b) => compareTexts(sortKeyOf(a), sortKeyOf(b)));
  const log = {
    version: "1.2",
    creator: { name: "vrs", version: "1" },
    ...(site !== null && { _site: site }),
    entries: sorted.map(wholeEntry),
  };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function sortKeyOf({ request: { url, method, postData } }: HarEntry): string {
  return JSON.stringify([url, method, postData?.text]);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Adds the fields that HAR requires. None of them has a time, which would differ in every recording. */
function wholeEntry({ request, response }: HarEntry) {
  const sizes = { headersSize: -1, bodySize: -1 };
  const common = { httpVersion: "HTTP/1.1", cookies: [] };
  const { method, url, postData } = request;
  const { status, headers, content, redirectURL } = response;
  const size = Buffer.from(content.text ?? "", content.encoding === "base64" ? "base64" : "utf8").length;
  return {
    startedDateTime: "1970-01-01T00:00:00.000Z",
    time: 0,
    request: {
      ...{ method, url, ...common, headers: [], queryString: [] },
      ...(postData && { postData: { mimeType: "", ...postData } }),
      ...sizes,
    },
    response: {
      ...{ status, statusText: "", ...common, headers },
      ...{ content: { size, ...content }, redirectURL, ...sizes },
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  };
}
