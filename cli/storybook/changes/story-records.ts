import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import { parseJson } from "../../../shared/json.ts";
import { MANIFEST, parseManifest } from "../../baselines/manifest.ts";
import { writeAtomically } from "../../baselines/write-atomically.ts";

/**
 * Beside the manifest and in git, so that every checkout knows what the stories loaded for their baselines. A cache
 * would be missing on CI machines. Only approvals write it, so checks leave the repository as it is.
 */
const RECORDS = "stories.jsonl";
/** In the folder of the last check. */
const CHECKED = "stories.jsonl";
const ATTRIBUTES = ".gitattributes";
const ATTRIBUTE = [RECORDS, "text", "eol=lf", "merge=union\n"].join(" ");

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const recordSchema = z.object({
  route: z.string(),
  environment: z.string().nullable().default(null),
  viewport: z.int(),
  /** SHA-256 of the capture. */
  capture: sha256,
  /** Hash of the browser and of the story's own settings. */
  settings: z.string(),
  /** Id of the files that its page loaded. */
  files: z.string(),
});

const filesSchema = z.object({
  id: z.string(),
  /** Hashes of files by name. */
  loaded: z.record(z.string(), sha256),
});

/** What a story's page loaded when it was captured. */
export type StoryRecord = z.infer<typeof recordSchema>;
/** Files that the pages of one or more stories loaded. */
export type LoadedFiles = z.infer<typeof filesSchema>;

export interface StoryRecords {
  stories: StoryRecord[];
  files: LoadedFiles[];
}

/** Reads the records beside baselines. Damaged lines, such as those of a merge conflict, only cause captures. */
export async function readRecords(directory: string): Promise<StoryRecords> {
  return await readLines(join(directory, RECORDS));
}

/** Stores the records of a check, for an approval. @param folder of the check */
export async function storeRecords(folder: string, records: StoryRecords): Promise<void> {
  await writeAtomically(join(folder, CHECKED), print(records));
}

/**
 * Writes the records of the last check whose captures are the baselines now, beside them.
 * @param folder of the check
 * @param directory of the baselines
 */
export async function approveRecords(folder: string, directory: string): Promise<void> {
  const { stories, files } = await readLines(join(folder, CHECKED));
  if (stories.length === 0) return;
  const manifest = await readFile(join(directory, MANIFEST), "utf8").catch(() => null);
  if (manifest === null) return;
  const baselines = new Set(
    parseManifest(manifest, MANIFEST).map(entry => JSON.stringify([keyOf(entry), entry.capture])),
  );
  const isBaseline = (record: StoryRecord) =>
    baselines.has(JSON.stringify([keyOf({ ...record, state: null }), record.capture]));
  const path = join(directory, RECORDS);
  const before = await readLines(path);
  const checked = new Set(stories.map(record => keyOf({ ...record, state: null })));
  // The check may have been of some stories only.
  const others = before.stories.filter(record => !checked.has(keyOf({ ...record, state: null })));
  const approved = [...stories, ...others].filter(isBaseline);
  if (approved.length === 0) return;
  const text = print({ stories: approved, files: [...files, ...before.files] });
  if (text === (await readFile(path, "utf8").catch(() => null))) return;
  const attributes = await readFile(join(directory, ATTRIBUTES), "utf8").catch(() => "");
  if (!attributes.includes(RECORDS))
    await writeAtomically(join(directory, ATTRIBUTES), attributes + ATTRIBUTE);
  await writeAtomically(path, text);
}

async function readLines(path: string): Promise<StoryRecords> {
  const text = await readFile(path, "utf8").catch(() => "");
  const records: StoryRecords = { stories: [], files: [] };
  for (const line of text.split("\n")) {
    const value = parseJson(line);
    const story = recordSchema.safeParse(value);
    const files = filesSchema.safeParse(value);
    if (story.success) records.stories.push(story.data);
    else if (files.success) records.files.push(files.data);
  }
  return records;
}

/** Returns the records as lines in an order that doesn't depend on the check. */
function print({ stories, files }: StoryRecords): string {
  const used = new Set(stories.map(story => story.files));
  const sets = new Map(files.filter(({ id }) => used.has(id)).map(set => [set.id, JSON.stringify(set)]));
  const lines = stories.map(({ environment, ...story }) =>
    JSON.stringify({ ...story, ...(environment !== null && { environment }) }),
  );
  return [...new Set([...sets.values(), ...lines])]
    .sort()
    .map(line => `${line}\n`)
    .join("");
}
