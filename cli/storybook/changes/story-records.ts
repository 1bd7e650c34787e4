import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import { parseJson } from "../../../shared/json.ts";
import type { LoadedFiles } from "../../../shared/storybook/changes/change-detector.ts";
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
  /** Hash of the source files that it depends on. Absent without statistics of the bundler. */
  sources: z.string().optional(),
});

const filesSchema = z.object({
  id: z.string(),
  /** Hashes of files by name. The one of a script may start with `=`, see `BuildFiles`. */
  loaded: z.record(z.string(), z.string().regex(/^=?[0-9a-f]{64}$/)),
});

const scriptSchema = z.object({
  /** Hash of a script's text with the short names that its bundler chose. */
  exact: sha256,
  /** Its hash in lists of loaded files. */
  hash: sha256,
});

const moduleSchema = z.object({
  /** Import path of a file of stories. */
  module: z.string(),
  /** Hash of the source files that it depends on. */
  sources: z.string().optional(),
  /** Id of the files that the page of one of its stories loaded. */
  files: z.string().optional(),
  /** Ids of the parameters of its stories, by the ids of the stories. */
  parameters: z.record(z.string(), z.string()),
});

const parametersSchema = z.object({
  id: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  globals: z.record(z.string(), z.unknown()),
});

/** What a story's page loaded when it was captured. */
export type StoryRecord = z.infer<typeof recordSchema>;
/** Scripts whose hashes are known. */
type KnownScript = z.infer<typeof scriptSchema>;
/** The parameters that the stories of a file had. */
export type ModuleRecord = z.infer<typeof moduleSchema>;
/** Parameters and globals of one or more stories. */
export type RecordedParameters = z.infer<typeof parametersSchema>;

export interface StoryRecords {
  stories: StoryRecord[];
  files: LoadedFiles[];
  scripts: KnownScript[];
  modules: ModuleRecord[];
  parameters: RecordedParameters[];
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
  const last = await readLines(join(folder, CHECKED));
  const { stories } = last;
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
  const modules = new Map([...before.modules, ...last.modules].map(each => [each.module, each]));
  const text = print({
    stories: approved,
    modules: [...modules.values()],
    files: [...last.files, ...before.files],
    scripts: [...last.scripts, ...before.scripts],
    parameters: [...last.parameters, ...before.parameters],
  });
  if (text === (await readFile(path, "utf8").catch(() => null))) return;
  const attributes = await readFile(join(directory, ATTRIBUTES), "utf8").catch(() => "");
  if (!attributes.includes(RECORDS))
    await writeAtomically(join(directory, ATTRIBUTES), attributes + ATTRIBUTE);
  await writeAtomically(path, text);
}

async function readLines(path: string): Promise<StoryRecords> {
  const text = await readFile(path, "utf8").catch(() => "");
  const records: StoryRecords = { stories: [], files: [], scripts: [], modules: [], parameters: [] };
  for (const line of text.split("\n")) {
    const value = parseJson(line);
    const isRead =
      add(recordSchema, value, records.stories) ||
      add(filesSchema, value, records.files) ||
      add(scriptSchema, value, records.scripts) ||
      add(moduleSchema, value, records.modules);
    if (!isRead) add(parametersSchema, value, records.parameters);
  }
  return records;
}

function add<T>(schema: z.ZodType<T>, value: unknown, list: T[]): boolean {
  const parsed = schema.safeParse(value);
  if (parsed.success) list.push(parsed.data);
  return parsed.success;
}

/** Returns the records as lines in an order that doesn't depend on the check. Lines that no story needs are left out. */
function print({ stories, files, scripts, modules, parameters }: StoryRecords): string {
  const usedFiles = new Set([...stories, ...modules].map(each => each.files));
  const sets = new Map(files.filter(({ id }) => usedFiles.has(id)).map(set => [set.id, set]));
  const loaded = new Set([...sets.values()].flatMap(set => Object.values(set.loaded)));
  const usedParameters = new Set(modules.flatMap(module => Object.values(module.parameters)));
  const lines = [
    ...sets.values(),
    ...new Map(scripts.filter(({ hash }) => loaded.has(hash)).map(each => [each.exact, each])).values(),
    ...modules,
    ...new Map(parameters.filter(({ id }) => usedParameters.has(id)).map(each => [each.id, each])).values(),
    ...stories.map(({ environment, ...story }) => ({
      ...story,
      ...(environment !== null && { environment }),
    })),
  ].map(line => JSON.stringify(line));
  return [...new Set(lines)]
    .sort()
    .map(line => `${line}\n`)
    .join("");
}
