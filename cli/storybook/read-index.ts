import { z } from "zod";
import { parseJson } from "../../shared/json.ts";
import { CommandError } from "../terminal.ts";
import { STORYBOOK_ERRORS as ERRORS } from "../texts/storybook.ts";

/** A story in a Storybook's list. */
export interface IndexedStory {
  /** Such as `forms-button--primary`. */
  id: string;
  /** Such as `Forms/Button`. */
  title: string;
  /** Such as `Primary`. */
  name: string;
  /** Module of the story, such as `./src/button.stories.jsx`. */
  importPath: string;
  tags: readonly string[];
}

const TIMEOUT_MS = 30_000;
const MAX_MIB = 64;
/** Format 5, of Storybook 8 and later, and 4, of Storybook 7. */
const FILES = ["index.json", "stories.json"];

const entrySchema = z.object({
  id: z.string().min(1).max(1_000),
  title: z.string().max(1_000),
  name: z.string().max(1_000),
  importPath: z.string().max(2_000).default(""),
  tags: z.array(z.string()).default([]),
  /** Absent in format 3, whose pages of docs are stories, too. */
  type: z.string().default("story"),
  /** A test belongs to the story that it acts on. */
  subtype: z.string().default("story"),
  parameters: z.looseObject({ docsOnly: z.boolean().optional() }).optional(),
});

const indexSchema = z.union([
  z.object({ entries: z.record(z.string(), entrySchema) }),
  z.object({ stories: z.record(z.string(), entrySchema) }),
]);

/** Reads the list of stories, in its order. @throws CommandError `storybook_unreachable`, `storybook_invalid` */
export async function readIndex(url: string, signal: AbortSignal): Promise<IndexedStory[]> {
  let status = 0;
  for (const file of FILES) {
    const response = await get(`${url}/${file}`, signal);
    if (typeof response === "string") return storiesOf(response, `${url}/${file}`);
    status = response;
  }
  throw new CommandError("storybook_invalid", ERRORS.noIndex(url, status));
}

function storiesOf(text: string, url: string): IndexedStory[] {
  const parsed = indexSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join(".") || ".";
    throw new CommandError("storybook_invalid", ERRORS.badIndex(url, path), parsed.error);
  }
  const entries = "entries" in parsed.data ? parsed.data.entries : parsed.data.stories;
  return Object.values(entries)
    .filter(
      ({ type, subtype, parameters }) => type === "story" && subtype === "story" && !parameters?.docsOnly,
    )
    .map(({ id, title, name, importPath, tags }) => ({ id, title, name, importPath, tags }));
}

/** @returns the text, or the status of a response without one */
async function get(url: string, signal: AbortSignal): Promise<string | number> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
    if (!response.ok) {
      await response.body?.cancel();
      return response.status;
    }
    return await bodyOf(response);
  } catch (error) {
    signal.throwIfAborted();
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError("storybook_unreachable", ERRORS.unreachable(url, why), error);
  }
}

async function bodyOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_MIB * 1024 * 1024) throw new Error(ERRORS.indexTooLarge(MAX_MIB));
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
