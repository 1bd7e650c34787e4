import assert from "node:assert/strict";
import { extractStories } from "../../../shared/capture/story/in-page/extract-stories.ts";

const PREVIEW = "__STORYBOOK_PREVIEW__";

const extract = (ids: string[]) => extractStories({ ids, maxChars: 200_000, tooLarge: "too large" });

/** Puts a preview with these parameters of stories in place of a Storybook's. */
function showPreview(parameters: Record<string, unknown>): void {
  const storyOf = (id: string) => ({ parameters: { vrs: parameters[id] }, globals: {} });
  Reflect.set(globalThis, PREVIEW, {
    extract: async () => Object.fromEntries(Object.keys(parameters).map(id => [id, storyOf(id)])),
    storyStoreValue: { loadStory: async ({ storyId }: { storyId: string }) => storyOf(storyId) },
  });
}

describe("parameters of stories", () => {
  afterEach(() => Reflect.deleteProperty(globalThis, PREVIEW));

  it("are read as JSON", async () => {
    showPreview({ a: { delay: 1, click: () => {}, when: /x/ } });
    const { stories, errors } = await extract(["a"]);
    assert.deepEqual(JSON.parse(JSON.stringify(stories.a?.parameters.vrs)), { delay: 1, when: "/x/" });
    assert.deepEqual(errors, []);
  });

  it("are refused for the story whose parameters are too large, and only for that one", async () => {
    let shared: unknown = "x".repeat(1_000);
    for (let depth = 0; depth < 6; depth++) shared = Array.from({ length: 10 }, () => shared);
    showPreview({ small: { delay: 1 }, large: { shared } });
    const { stories, errors } = await extract(["small", "large"]);
    assert.deepEqual(Object.keys(stories), ["small"]);
    assert.match(errors.join(), /too large/);
  });
});
