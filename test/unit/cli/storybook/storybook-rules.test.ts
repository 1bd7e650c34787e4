import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planStories } from "../../../../cli/storybook/plan-stories.rule.ts";
import { outputOf } from "../../../../cli/storybook/run-build.ts";
import { serveFolder } from "../../../../cli/storybook/static-server.ts";
import { CommandError } from "../../../../cli/terminal.ts";
import type { ExtractedStory } from "../../../../shared/capture/story/in-page/extract-stories.ts";
import { projectConfigSchema } from "../../../../shared/project-config/project-config.ts";
import type { IndexedStory } from "../../../../shared/storybook/indexed-story.ts";
import { globalsQuery } from "../../../../shared/storybook/parameters/globals-query.ts";
import { readSettings } from "../../../../shared/storybook/parameters/read-settings.ts";
import { namedViewports, toolbarViewport } from "../../../../shared/storybook/parameters/story-viewports.ts";
import { withTags } from "../../../../shared/storybook/plan-story-screenshots.rule.ts";
import { StorybookError } from "../../../../shared/storybook/storybook-error.ts";

const story = (id: string, more: Partial<IndexedStory> = {}): IndexedStory => ({
  ...{ id, title: "Forms/Button", name: id, importPath: "./button.stories.js", tags: [] },
  ...more,
});

function plan(
  stories: readonly IndexedStory[],
  extracted: Record<string, Partial<ExtractedStory>> = {},
  config = projectConfigSchema.parse({ threshold: 0.02 }),
) {
  const full = Object.entries(extracted).map(([id, { parameters = {}, globals = {} }]) => [
    id,
    { parameters, globals },
  ]);
  return planStories(stories, {
    url: "http://localhost:6006",
    extracted: Object.fromEntries(full),
    config,
  });
}

const shown = ({ stories }: ReturnType<typeof plan>) =>
  stories.map(
    ({ route, environment, viewport }) => `${route}${environment ? ` (${environment})` : ""} ${viewport}`,
  );

const refused = (work: () => unknown, message: RegExp) =>
  assert.throws(work, (error: unknown) => {
    assert.ok(error instanceof CommandError || error instanceof StorybookError);
    assert.equal(error.code, "parameters_invalid");
    assert.match(error.message, message);
    return true;
  });

describe("planning the screenshots of stories", () => {
  it("names stories by title and name, and by their ids if names repeat or are no names", () => {
    const stories = [
      story("a", { name: "Same" }),
      story("b", { name: "Same" }),
      story("c", { title: "/..", name: ".." }),
    ];
    assert.deepEqual(shown(plan(stories)), [
      "Forms/Button/Same (a) 1280",
      "Forms/Button/Same (b) 1280",
      "c 1280",
    ]);
  });

  it("addresses the preview with the story's id and the mode's globals", () => {
    const modes = { dark: { theme: "dark", viewport: 480 } };
    const [planned] = plan([story("a b")], { "a b": { parameters: { chromatic: { modes } } } }).stories;
    assert.equal(
      planned?.url,
      "http://localhost:6006/iframe.html?viewMode=story&id=a%20b&globals=theme%3Adark",
    );
    assert.deepEqual(planned?.story?.globals, { theme: "dark" });
  });

  it("puts the screenshots of a file, mode and viewport after each other", () => {
    const stories = [story("a"), story("x", { importPath: "./other.js" }), story("b")];
    const viewports = { parameters: { vrs: { viewports: [320, 800] } } };
    const planned = plan(stories, { a: viewports, b: viewports }).stories;
    assert.deepEqual(
      planned.map(({ id, viewport }) => `${id} ${viewport}`),
      ["a 320", "b 320", "a 800", "b 800", "x 1280"],
    );
  });

  it("uses the story's viewports, else that of the toolbar, else the configuration's", () => {
    const viewport = { options: { phone: { styles: { width: "360px", height: "640px" } } } };
    const toolbar = { parameters: { viewport }, globals: { viewport: { value: "phone" } } };
    const own = { ...toolbar, parameters: { viewport, chromatic: { viewports: [320, "tablet"] } } };
    const config = projectConfigSchema.parse({ viewports: [700, 900] });
    const planned = plan([story("a"), story("b"), story("c")], { a: own, b: toolbar }, config);
    assert.deepEqual(
      planned.stories.map(({ id, viewport: width, height }) => `${id} ${width} × ${height}`),
      ["a 320 × 800", "a 834 × 1112", "b 360 × 640", "c 700 × 800", "c 900 × 800"],
    );
  });

  it("counts disabled stories, and refuses unknown viewports and globals that no URL can hold", () => {
    const off = { parameters: { chromatic: { disableSnapshot: true } } };
    const on = { parameters: { chromatic: { disableSnapshot: true }, vrs: { skip: false } } };
    const { stories, disabled } = plan([story("a"), story("b")], { a: off, b: on });
    assert.deepEqual([stories.map(({ id }) => id), disabled], [["b"], 1]);
    const unknown = { parameters: { vrs: { viewports: ["wall"] } } };
    refused(() => plan([story("a")], { a: unknown }), /viewport "wall".*mobile1/);
    const modes = { fr: { locale: "fr<script>" } };
    refused(() => plan([story("a")], { a: { parameters: { vrs: { modes } } } }), /mode "fr".*"locale"/);
  });

  it("selects tags, and excludes those with an exclamation mark", () => {
    const stories = [story("a", { tags: ["dev"] }), story("b", { tags: ["dev", "slow"] }), story("c")];
    const ids = (...tags: string[]) =>
      withTags(stories, tags)
        .map(({ id }) => id)
        .join("");
    assert.deepEqual([ids(), ids("dev"), ids("!slow"), ids("dev", "!slow")], ["abc", "ab", "ac", "a"]);
  });
});

describe("the parameters of a story", () => {
  it("of Chromatic set the environment, the comparison and the delay", () => {
    const settings = readSettings("a", {
      chromatic: {
        ...{ delay: 300, diffThreshold: 0.2, ignoreSelectors: [".clock"], pauseAnimationAtEnd: true },
        ...{ prefersReducedMotion: "reduce", forcedColors: "active", media: "print", cropToViewport: true },
        unknown: {},
      },
    });
    assert.equal(settings.delayMs, 300);
    assert.equal(settings.colorThreshold, 0.2);
    assert.deepEqual(settings.environment, {
      reducedMotion: "reduce",
      forcedColors: "active",
      media: "print",
    });
    assert.deepEqual(settings.options, { fullPage: false });
    const selectors = settings.ignoreSelectors.map(({ selector }) => selector);
    assert.ok(selectors.includes(".clock") && selectors.includes(".chromatic-ignore"));
  });

  it("of vrs replace those of Chromatic", () => {
    const { delayMs, timeoutMs, colorThreshold, options, modes } = readSettings("a", {
      chromatic: {
        delay: 300,
        diffThreshold: 0.2,
        cropToViewport: true,
        modes: { a: {}, b: { disable: true } },
      },
      vrs: { delay: 1, timeout: 5, colorThreshold: 0.3, fullPage: true, padding: 4 },
    });
    assert.deepEqual([delayMs, timeoutMs, colorThreshold], [1_000, 5_000, 0.3]);
    assert.deepEqual(options, { fullPage: true, padding: 4 });
    assert.deepEqual(
      modes.map(({ name }) => name),
      ["a"],
    );
  });

  it("are refused with the story and the field", () => {
    refused(() => readSettings("a--b", { vrs: { viewport: 320 } }), /a--b.*parameters\.vrs/);
    refused(() => readSettings("a--b", { chromatic: { delay: "long" } }), /parameters\.chromatic\.delay/);
  });

  it("name viewports of every version of Storybook", () => {
    const styles = { width: "360px", height: "100%" };
    assert.equal(namedViewports({ viewports: { phone: { styles } } }).get("phone"), 360);
    assert.equal(namedViewports({ options: { phone: { styles } } }).get("phone"), 360);
    assert.equal(toolbarViewport({ defaultViewport: "phone" }, {}), "phone");
    assert.equal(toolbarViewport({ defaultViewport: "responsive" }, {}), null);
    assert.equal(toolbarViewport({}, { viewport: { value: "phone" } }), "phone");
    assert.equal(toolbarViewport({}, {}), null);
  });

  it("are rotated as the toolbar rotates them", () => {
    const rotated = { width: 1112, height: 834 };
    const landscape = { defaultViewport: "tablet", defaultOrientation: "landscape" };
    assert.deepEqual(toolbarViewport({}, { viewport: { value: "tablet", isRotated: true } }), rotated);
    assert.deepEqual(toolbarViewport(landscape, {}), rotated);
    assert.equal(toolbarViewport({}, { viewport: { value: "tablet", isRotated: false } }), "tablet");
    const options = {
      wide: { styles: { width: "900px", height: "100%" } },
      flat: { styles: { width: "320px", height: "180px" } },
    };
    assert.equal(toolbarViewport({ options }, { viewport: { value: "wide", isRotated: true } }), "wide");
    const flat = {
      parameters: { viewport: { options } },
      globals: { viewport: { value: "flat", isRotated: true } },
    };
    refused(() => plan([story("a")], { a: flat }), /viewport "180 × 320"/);
  });
});

describe("globals in the URL of a preview", () => {
  it("have Storybook's form", () => {
    const globals = {
      theme: "dark",
      dir: null,
      isOn: true,
      n: 1.5,
      list: ["a", 2],
      a: { b: "c" },
      color: "#0af",
    };
    assert.deepEqual(globalsQuery(globals), {
      query: "theme:dark;dir:!null;isOn:!true;n:1.5;list[]:a;list[]:2;a.b:c;color:!hex(0af)",
    });
  });

  it("can't hold other characters", () => {
    for (const value of ["a;b:c", "&x=1", "ä"])
      assert.deepEqual(globalsQuery({ theme: value }), { unsafe: "theme" });
    assert.deepEqual(globalsQuery({ "a;b": 1 }), { unsafe: "a;b" });
  });
});

describe("the output folder of a build script", () => {
  it("is read from its command", () => {
    assert.equal(outputOf("storybook build -o dist/sb --quiet"), "dist/sb");
    assert.equal(outputOf('storybook build --output-dir="my docs"'), "my docs");
    assert.equal(outputOf("build-storybook --output-dir-x y"), null);
  });
});

describe("a served build", () => {
  it("has another tag for a file with another content", async () => {
    const folder = await mkdtemp(join(tmpdir(), "vrs-served-"));
    const server = await serveFolder(folder);
    const tag = async () => {
      const response = await fetch(`${server.url}/a.js`);
      await response.arrayBuffer();
      return response.headers.get("etag");
    };
    try {
      await writeFile(join(folder, "a.js"), "let a = 1;");
      const first = await tag();
      assert.match(first ?? "", /^"\S+"$/);
      assert.equal(await tag(), first);
      await writeFile(join(folder, "a.js"), "let a = 10;");
      assert.notEqual(await tag(), first);
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  });
});
