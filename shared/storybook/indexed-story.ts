import { z } from "zod";
import { parseJson } from "../json.ts";
import { StorybookError } from "./storybook-error.ts";
import { STORYBOOK_ERRORS as ERRORS } from "./texts.ts";

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

/** Lists of stories: format 5, of Storybook 8 and later, and 4, of Storybook 7. */
export const INDEX_FILES = ["index.json", "stories.json"] as const;

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

/**
 * Reads a list of stories, in its order.
 * @param text content of the file at `url`
 * @throws StorybookError `storybook_invalid`
 */
export function readIndexedStories(text: string, url: string): IndexedStory[] {
  const parsed = indexSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join(".") || ".";
    throw new StorybookError("storybook_invalid", ERRORS.badIndex(url, path), parsed.error);
  }
  const entries = "entries" in parsed.data ? parsed.data.entries : parsed.data.stories;
  return Object.values(entries)
    .filter(
      ({ type, subtype, parameters }) => type === "story" && subtype === "story" && !parameters?.docsOnly,
    )
    .map(({ id, title, name, importPath, tags }) => ({ id, title, name, importPath, tags }));
}
