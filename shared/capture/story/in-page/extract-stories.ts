/** What a Storybook's preview says about a story. Values are JSON, without functions. */
export interface ExtractedStory {
  parameters: Record<string, unknown>;
  globals: Record<string, unknown>;
  /** Values of args as text that may be cut, by name. Absent if unknown. */
  args?: Record<string, string>;
}

export interface ExtractedStories {
  /** By the id of the story. Stories whose module failed to load are missing. */
  stories: Record<string, ExtractedStory>;
  /** Messages of modules that failed to load. */
  errors: string[];
}

export interface StoriesToExtract {
  ids: readonly string[];
  /** Limit for the settings of a story. An object that is referenced twice counts twice. */
  maxChars: number;
  /** Message for a story beyond it. */
  tooLarge: string;
}

/**
 * Reads the parameters and globals of stories from the preview. It loads the modules of all stories if most are asked
 * for, and otherwise only those that are. It is sent to the page as text: it must use nothing from
 * outside its body.
 */
export async function extractStories({
  ids,
  maxChars,
  tooLarge,
}: StoriesToExtract): Promise<ExtractedStories> {
  const POLL_MS = 50;
  const MAX_DEPTH = 8;
  /** Args can hold large objects, such as elements. */
  const MAX_ARGS = 20;
  const ARG_CHARS = 200;
  const ARG_DEPTH = 2;
  const MAX_ERRORS = 10;
  /** The others may be large, or hold functions and elements. */
  const PARAMETERS = ["vrs", "chromatic", "viewport"];
  interface Store {
    initializationPromise?: Promise<unknown>;
    storyIndex?: { entries?: Record<string, unknown> };
    cacheAllCSFFiles?(): Promise<void>;
    raw?(): { id: string }[];
    loadStory(story: { storyId: string }): Promise<unknown>;
  }
  interface Preview {
    ready?(): Promise<unknown>;
    extract?(): Promise<Record<string, unknown>>;
    storyStoreValue?: Store;
    storyStore?: Store;
  }
  let leftChars = maxChars;
  const json = (value: unknown, depth: number): unknown => {
    leftChars -= typeof value === "string" ? value.length + 2 : 2;
    if (leftChars < 0) throw new Error(tooLarge);
    if (typeof value === "function" || typeof value === "symbol" || depth > MAX_DEPTH) return undefined;
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Date || value instanceof RegExp) return String(value);
    if (Array.isArray(value)) return value.map(each => json(each, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        leftChars -= name.length;
        return [name, json(each, depth + 1)];
      }),
    );
  };
  const field = (value: unknown, name: string): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  const record = (value: unknown): Record<string, unknown> =>
    typeof value === "object" && value !== null ? { ...value } : {};
  /** Returns a value as text; null for one that says nothing to people, such as a function. */
  const textOf = (value: unknown, depth: number): string | null => {
    if (typeof value === "string") return JSON.stringify(value.slice(0, ARG_CHARS));
    if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
    if (typeof value !== "object" || depth > ARG_DEPTH || Reflect.has(value, "$$typeof")) return null;
    const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
    const entries = isPlain ? Object.entries(value) : [];
    if (!isPlain || entries.length > MAX_ARGS) return null;
    const parts = entries.flatMap(([name, each]) => {
      const text = textOf(each, depth + 1);
      if (text === null) return [];
      return [Array.isArray(value) ? text : `${name}: ${text}`];
    });
    return Array.isArray(value) ? `[${parts.join(", ")}]` : `{${parts.join(", ")}}`;
  };
  const textsOf = (args: unknown): Record<string, string> => {
    const texts = Object.entries(record(args)).flatMap(([name, value]) => {
      const text = name.length > ARG_CHARS ? null : textOf(value, 0);
      return text === null ? [] : [[name, text.slice(0, ARG_CHARS)]];
    });
    return Object.fromEntries(texts.slice(0, MAX_ARGS));
  };
  const pick = (story: unknown): ExtractedStory => {
    leftChars = maxChars;
    const parameters = field(story, "parameters");
    const picked = PARAMETERS.map(name => [name, json(field(parameters, name), 0)]);
    const globals = field(story, "globals") ?? field(story, "storyGlobals");
    const args = textsOf(field(story, "args") ?? field(story, "initialArgs"));
    return { parameters: Object.fromEntries(picked), globals: record(json(globals, 0)), args };
  };

  const read = (): Preview | undefined => Reflect.get(globalThis, "__STORYBOOK_PREVIEW__");
  while (read() === undefined) await new Promise(resolve => setTimeout(resolve, POLL_MS));
  const preview = read();
  await preview?.ready?.();
  const store = preview?.storyStoreValue ?? preview?.storyStore;
  await store?.initializationPromise;
  const stories: Record<string, ExtractedStory> = {};
  const isSome = ids.length * 2 < Object.keys(store?.storyIndex?.entries ?? {}).length;
  try {
    if (isSome) {
      for (const storyId of ids) stories[storyId] = pick(await store?.loadStory({ storyId }));
    } else if (preview?.extract) {
      for (const [id, story] of Object.entries(await preview.extract())) stories[id] = pick(story);
    } else {
      await store?.cacheAllCSFFiles?.();
      for (const story of store?.raw?.() ?? []) stories[story.id] = pick(story);
    }
    return { stories, errors: [] };
  } catch {
    // One module that fails to load fails all of them.
  }
  const errors = new Set<string>();
  for (const storyId of ids) {
    try {
      stories[storyId] = pick(await store?.loadStory({ storyId }));
    } catch (error) {
      errors.add(String(error).slice(0, 500));
    }
  }
  return { stories, errors: [...errors].slice(0, MAX_ERRORS) };
}
