import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StorybookTestContext } from "../../support/contexts/storybook-context.ts";
import { AloneCapture } from "../../support/storybooks/alone-capture.ts";
import { builtStorybook } from "../../support/storybooks/built-storybook.ts";

/** Stories that leave something in globals, storage, styles, timers, focus or scroll positions. */
const LEAKS = [{ file: ".storybook/main.js", from: "../src/", to: "../leaks/" }];

describe("stories in random order", () => {
  let context: StorybookTestContext;
  let folder: string;

  before(async () => {
    context = await StorybookTestContext.start();
    folder = await mkdtemp(join(tmpdir(), "vrs-leaks-"));
    await cp(join(await builtStorybook("react", LEAKS), "storybook-static"), folder, { recursive: true });
  });
  after(async () => {
    await context.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Lists the stories of the build in another order. */
  async function shuffle(seed: number): Promise<string[]> {
    const path = join(folder, "index.json");
    const index: { entries: Record<string, unknown> } = JSON.parse(await readFile(path, "utf8"));
    const entries = Object.entries(index.entries);
    let state = seed;
    const random = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return state;
    };
    const shuffled = entries.map(entry => ({ entry, at: random() })).sort((a, b) => a.at - b.at);
    index.entries = Object.fromEntries(shuffled.map(({ entry }) => entry));
    await writeFile(path, JSON.stringify(index));
    return Object.keys(index.entries);
  }

  let ids: string[];
  let checked: readonly { route: string; hash: string | null }[];

  it("are all captured", async () => {
    ids = await shuffle(1);
    const { result } = await context.check(folder);
    assert.equal(result.counts.new, 40);
    checked = result.screenshots;
  });

  it("have the same bytes as each of them alone", async () => {
    const alone = await AloneCapture.start(folder);
    try {
      const hashes = await alone.hashes(ids);
      const differing = checked.filter(({ route, hash }) => hashes.get(route) !== hash);
      assert.deepEqual(
        differing.map(({ route }) => route),
        [],
      );
    } finally {
      await alone.stop();
    }
  });

  it("are unchanged in any other order", async () => {
    assert.equal((await context.vrs("approve")).code, 0);
    for (const seed of [2, 3]) {
      await shuffle(seed);
      const { result } = await context.check(folder);
      assert.deepEqual(
        result.screenshots.filter(({ status }) => status !== "unchanged").map(({ route }) => route),
        [],
      );
    }
  });
});
