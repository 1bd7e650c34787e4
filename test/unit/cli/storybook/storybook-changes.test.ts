import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Baselines } from "../../../../cli/baselines/baselines.ts";
import { selectChanged, settingsOf } from "../../../../cli/storybook/changes/select-changed.ts";
import type { StoryRecord } from "../../../../cli/storybook/changes/story-records.ts";
import { type PlannedStory, planStories } from "../../../../cli/storybook/plan-stories.rule.ts";
import { RequestedUrls } from "../../../../shared/capture/story/requested-urls.ts";
import { projectConfigSchema } from "../../../../shared/project-config/project-config.ts";
import { BuildFiles, stableNames } from "../../../../shared/storybook/changes/build-files.ts";
import { canonicalScript } from "../../../../shared/storybook/changes/canonical-script.ts";
import { ChangeDetector, type LoadedFiles } from "../../../../shared/storybook/changes/change-detector.ts";

describe("the files of a build", () => {
  const folders: string[] = [];
  after(() => Promise.all(folders.map(folder => rm(folder, { recursive: true }))));

  async function build(files: Record<string, string>): Promise<BuildFiles> {
    const folder = await mkdtemp(join(tmpdir(), "vrs-build-"));
    folders.push(folder);
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return await BuildFiles.open(folder);
  }

  it("have names and content without the hashes of other files", async () => {
    const before = await build({
      "assets/iframe-AAAAaaaa.js": 'import("./a.stories-aBcdefgh.js")',
      "assets/a.stories-aBcdefgh.js": "one",
      "main.0123abcd.iframe.bundle.js": '{"a-stories":"99999999"}',
      "a-stories.99999999.iframe.bundle.js": "",
    });
    const later = await build({
      "assets/iframe-BBBBbbbb.js": 'import("./a.stories-12-45_78.js")',
      "assets/a.stories-12-45_78.js": "two",
      "main.456789ef.iframe.bundle.js": '{"a-stories":"88888888"}',
      "a-stories.88888888.iframe.bundle.js": "",
    });
    assert.equal(before.nameOf("assets/iframe-AAAAaaaa.js"), "assets/iframe-#.js");
    for (const name of ["assets/iframe-#.js", "main.#.iframe.bundle.js", "a-stories.#.iframe.bundle.js"])
      assert.equal(await before.hashOf(name), await later.hashOf(name), name);
    assert.notEqual(
      await before.hashOf("assets/a.stories-#.js"),
      await later.hashOf("assets/a.stories-#.js"),
    );
    assert.equal(await later.hashOf("missing.js"), null);
    assert.equal(later.nameOf("missing.js"), null);
  });

  it("have names with their content if bundlers give several the same one", async () => {
    const before = await build({
      "assets/index-AAAAaaaa.js": 'import "./a-aBcdefgh.js";one()',
      "assets/index-BBBBbbbb.js": "two()",
      "assets/a-aBcdefgh.js": 'import("./index-BBBBbbbb.js")',
      "icon-document.svg": "<svg/>",
      "icon-settings.svg": "<svg></svg>",
    });
    const later = await build({
      "assets/index-CCCCcccc.js": "two()",
      "assets/index-DDDDdddd.js": 'import "./a-12345678.js";one()',
      "assets/a-12345678.js": 'import("./index-CCCCcccc.js")',
      "icon-document.svg": "<svg/>",
      "icon-settings.svg": "<svg></svg>",
    });
    const other = await build({
      "assets/index-EEEEeeee.js": "two()",
      "assets/index-FFFFffff.js": 'import "./a-12345678.js";one()',
      "assets/a-12345678.js": 'import("./index-FFFFffff.js")',
    });
    const two = before.nameOf("assets/index-BBBBbbbb.js");
    assert.ok(two);
    assert.equal(later.nameOf("assets/index-CCCCcccc.js"), two);
    assert.equal(await before.hashOf(two), await later.hashOf(two));
    assert.equal(await before.hashOf("assets/a-#.js"), await later.hashOf("assets/a-#.js"));
    assert.notEqual(await before.hashOf("assets/a-#.js"), await other.hashOf("assets/a-#.js"));
    assert.notEqual(before.nameOf("icon-document.svg"), before.nameOf("icon-settings.svg"));
  });

  it("are read without a parser if the exact text is known", async () => {
    const files = { "a.js": "const one=1;f(one)" };
    const before = await build(files);
    const hash = await before.hashOf("a.js");
    const later = await build(files);
    later.addKnown([...before.exactHashes].map(([exact]) => [exact, "known"]));
    assert.equal(await later.hashOf("a.js"), "known");
    assert.deepEqual([...before.exactHashes.values()], [hash]);
  });

  it("have hashes of scripts as they are written, which need no parser", async () => {
    const before = await build({
      "assets/iframe-AAAAaaaa.js": 'const one=1;import("./a-aBcdefgh.js");f(one)',
      "assets/a-aBcdefgh.js": "",
      "logo.svg": "<svg/>",
    });
    const equal = await build({
      "assets/iframe-BBBBbbbb.js": 'const one=1;import("./a-12345678.js");f(one)',
      "assets/a-12345678.js": "",
      "logo.svg": "<svg/>",
    });
    const renamed = await build({
      "assets/iframe-BBBBbbbb.js": 'const two=1;import("./a-12345678.js");f(two)',
      "assets/a-12345678.js": "",
    });
    const name = "assets/iframe-#.js";
    const exact = await before.exactHashOf(name);
    assert.match(exact ?? "", /^=[0-9a-f]{64}$/);
    assert.equal(before.exactHashes.size, 0);
    assert.equal(await before.exactHashOf("logo.svg"), await before.hashOf("logo.svg"));
    assert.equal(await before.exactHashOf("missing.js"), null);
    assert.ok(await equal.hasHash(name, exact ?? ""));
    assert.ok(!(await renamed.hasHash(name, exact ?? "")));
    assert.ok(await renamed.hasHash(name, (await before.hashOf(name)) ?? ""));
    assert.ok(!(await renamed.hasHash("logo.svg", (await before.hashOf("logo.svg")) ?? "")));
  });

  it("keep names that would be equal, and words of eight letters", () => {
    const { names, tokens } = stableNames(["icon-DOCUMENT.svg", "icon-SETTINGS.svg", "a-12345678.js"]);
    assert.deepEqual([...names.values()], ["icon-DOCUMENT.svg", "icon-SETTINGS.svg", "a-#.js"]);
    assert.deepEqual([...tokens], [["12345678", "#"]]);
    assert.deepEqual(stableNames(["dark-variable.css"]).names.get("dark-variable.css"), "dark-variable.css");
  });
});

describe("a script without its short names", () => {
  const isSame = (a: string, b: string) => canonicalScript(a) === canonicalScript(b);

  it("is the same with other names for what it declares", () => {
    assert.ok(isSame("const a=1,b=2;f(a,b)", "const x=1,a=2;f(x,a)"));
    assert.ok(
      isSame("import{j as e}from'./r.js';export{e as j}", "import{j as t}from'./r.js';export{t as j}"),
    );
    assert.ok(isSame("function f({a,b=2}){return{a,c:b}}", "function g({a:x,b:y=2}){return{a:x,c:y}}"));
    assert.ok(isSame("t:for(;;)break t", "r:for(;;)break r"));
  });

  it("is another one with other properties, texts, globals or uses", () => {
    assert.ok(!isSame("const a={x:1}", "const a={y:1}"));
    assert.ok(!isSame("const a={};a.x", "const a={};a.y"));
    assert.ok(!isSame("const a='x'", "const a='y'"));
    assert.ok(!isSame("new Map", "new Set"));
    assert.ok(!isSame("const a=1,b=2;f(a,b)", "const a=1,b=2;f(b,a)"));
    assert.ok(!isSame("import{a}from'x';a", "import{b}from'x';b"));
    assert.ok(!isSame("export{a};const a=1", "export{b};const b=1"));
  });

  it("is unchanged if it isn't a script", () => {
    assert.equal(canonicalScript("const = <"), "const = <");
  });
});

describe("selecting the stories that may have changed", () => {
  const BROWSER = "chromium 1.0";
  const CAPTURE = "a".repeat(64);
  const hashes: Record<string, string> = { "a.js": "1", "b.js": "2" };
  const build = { hasHash: async (name: string, hash: string) => hashes[name] === hash };
  const files: LoadedFiles[] = [
    { id: "same", loaded: { "a.js": "1", "b.js": "2" } },
    { id: "other", loaded: { "a.js": "1", "b.js": "3" } },
    { id: "gone", loaded: { "c.js": "1" } },
  ];
  const stories = (count: number): PlannedStory[] => {
    const indexed = Array.from({ length: count }, (_, index) => ({
      ...{ id: `s${index}`, title: "T", name: `s${index}`, importPath: "./t.js", tags: [] },
    }));
    return planStories(indexed, { url: "http://x", extracted: {}, config: projectConfigSchema.parse({}) })
      .stories;
  };
  const record = (story: PlannedStory, more: Partial<StoryRecord> = {}): StoryRecord => {
    const { route, environment, viewport } = story;
    return {
      route,
      environment,
      viewport,
      capture: CAPTURE,
      settings: settingsOf(story, BROWSER),
      files: "same",
      ...more,
    };
  };
  const baselines = (capture: string | null): Baselines => ({
    ...{ directory: "", ref: null, all: () => [] },
    of: shot => ({
      ...{ ...shot, file: "x.png", path: null, hash: "", capture, width: 1, height: 1 },
      ...{ browser: BROWSER, platform: "linux", selectorRegions: [], read: async () => Buffer.from("") },
    }),
  });
  const noSources = { hashOf: async (): Promise<string | null> => null };
  const select = async (
    planned: PlannedStory[],
    records: StoryRecord[],
    { capture = CAPTURE, browser = BROWSER, random = (): number => 0, sources = noSources } = {},
  ) =>
    selectChanged(planned, {
      records,
      baselines: baselines(capture),
      detector: new ChangeDetector({ records: { files }, build, sources }),
      browser,
      random,
    });

  it("skips those that load the same files as for their baselines, except an audit of 2%", async () => {
    const planned = stories(150);
    const { captured, skipped, audited } = await select(
      planned,
      planned.map(story => record(story)),
      {
        random: () => 0.999,
      },
    );
    assert.equal(audited.size, 3);
    assert.deepEqual(
      captured.map(({ id }) => id),
      ["s147", "s148", "s149"],
    );
    assert.equal(skipped.length, 147);
  });

  it("audits up to ten stories of any files in one preview, which has their modules", async () => {
    const planned = stories(600);
    const [first] = planned;
    assert.ok(first);
    const { captured, audited } = await select(
      planned,
      planned.slice(1).map(story => record(story)),
    );
    assert.equal(audited.size, 12);
    const [changed, ...others] = captured;
    assert.equal(changed, first, "those that may have changed keep the preview of their file");
    const groups = Map.groupBy(others, ({ story }) => story?.group);
    assert.deepEqual(
      [...groups.values()].map(group => [group.length, group[0]?.story?.loaded?.length]),
      [
        [10, 10],
        [2, 2],
      ],
    );
    for (const { id, story } of others) assert.ok(story?.loaded?.includes(id));
    assert.ok(!groups.has(first.story?.group));
  });

  it("captures those with another file, baseline, browser or setting, or without a record", async () => {
    const [story] = stories(1);
    assert.ok(story);
    const isCaptured = async (records: StoryRecord[], more: { capture?: string; browser?: string } = {}) => {
      const { captured, audited } = await select([story], records, more);
      return captured.length === 1 && audited.size === 0;
    };
    assert.ok(!(await isCaptured([record(story)])));
    assert.ok(await isCaptured([]));
    assert.ok(await isCaptured([record(story, { files: "other" })]));
    assert.ok(await isCaptured([record(story, { files: "gone" })]));
    assert.ok(await isCaptured([record(story, { files: "unknown" })]));
    assert.ok(await isCaptured([record(story, { settings: "older" })]));
    assert.ok(await isCaptured([record(story)], { capture: "b".repeat(64) }));
    assert.ok(await isCaptured([record(story)], { browser: "chromium 2.0" }));
  });

  it("captures those whose static files changed, although their sources did not", async () => {
    const isUnchanged = (name: string) =>
      new ChangeDetector({
        records: { files: [{ id: "set", loaded: { [name]: "before" } }] },
        build: { hasHash: async (_name, hash) => hash === "after" },
        sources: { hashOf: async () => "same" },
      }).isUnchanged({ files: "set", sources: "same" }, "./a.stories.js");
    for (const bundled of [
      "assets/button-#.css",
      "assets/index-0a1b2c3d.js",
      "assets/index-BQynf7SN.js",
      "main.bc4b58c1.iframe.bundle.js",
    ])
      assert.ok(await isUnchanged(bundled), bundled);
    for (const file of [
      "acme-stylesheet.css",
      "dark-variable.css",
      "theme.variables.css",
      "mock-service-worker.js",
      "logo.svg",
    ])
      assert.ok(!(await isUnchanged(file)), file);
  });
});

describe("the URLs that a page has requested", () => {
  it("are unknown if there were too many to keep, until the next page", () => {
    const urls = new RequestedUrls();
    for (let count = 0; count < 10_000; count++) urls.add(`http://x/${count}.js`);
    urls.add("http://x/0.js");
    assert.equal(urls.all()?.length, 10_000);
    urls.add("http://x/one-more.js");
    assert.equal(urls.all(), null);
    urls.clear();
    urls.add("http://x/a.js");
    assert.deepEqual(urls.all(), ["http://x/a.js"]);
  });
});
