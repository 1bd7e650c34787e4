import { INDEX_FILES, type IndexedStory, readIndexedStories } from "../../shared/storybook/indexed-story.ts";
import { STORYBOOK_ERRORS } from "../../shared/storybook/texts.ts";
import { CommandError } from "../terminal.ts";
import { STORYBOOK_ERRORS as ERRORS } from "../texts/storybook.ts";
import { withStorybookErrors } from "./storybook-errors.ts";

const TIMEOUT_MS = 30_000;
const MAX_MIB = 64;

/** Reads the list of stories, in its order. @throws CommandError `storybook_unreachable`, `storybook_invalid` */
export async function readIndex(url: string, signal: AbortSignal): Promise<IndexedStory[]> {
  let status = 0;
  for (const file of INDEX_FILES) {
    const response = await get(`${url}/${file}`, signal);
    if (typeof response === "string")
      return withStorybookErrors(() => readIndexedStories(response, `${url}/${file}`));
    status = response;
  }
  throw new CommandError("storybook_invalid", STORYBOOK_ERRORS.noIndex(url, status));
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
