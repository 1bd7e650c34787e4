import assert from "node:assert/strict";
import { join } from "node:path";
import { CaptureEngine } from "../../../cli/check/capture-engine.ts";
import { type PlannedStory, planStories, usualPreview } from "../../../cli/storybook/plan-stories.rule.ts";
import { readIndex } from "../../../cli/storybook/read-index.ts";
import { projectConfigSchema } from "../../../shared/project-config/project-config.ts";
import { StorybookTestContext } from "../../support/contexts/storybook-context.ts";
import { BROWSER_CACHE } from "../../support/drivers/runner.ts";
import { Site } from "../../support/fixtures/site.ts";
import { builtStorybook } from "../../support/storybooks/built-storybook.ts";
import { pagesIn } from "../../support/storybooks/storybook-pages.ts";

const THEME = `const withTraces = Story => {
  document.documentElement.dataset.scheme = "light";
  document.body.classList.add("kit");
  if (!document.querySelector("#layers")) {
    const layers = document.createElement("div");
    layers.id = "layers";
    document.body.append(layers);
  }
  return <><style>{".kit { letter-spacing: 1px }"}</style><Story /></>;
};

const withTheme =`;
/** A decorator as UI kits have it: a theme on the document, a container for dialogs, and styles with the story. */
const TRACES = [
  { file: ".storybook/preview.jsx", from: "const withTheme =", to: THEME },
  { file: ".storybook/preview.jsx", from: "[withTheme]", to: "[withTheme, withTraces]" },
];

/** A decorator of a theme that sets the document's style only when the theme changes, as stores do. */
const schemeOf = (wanted: string) => [
  {
    file: ".storybook/preview.jsx",
    from: "const withTheme =",
    to: `let scheme = "light";
const withScheme = (Story, { name }) => {
  const wanted = ${wanted};
  if (wanted !== scheme) document.body.style.filter = wanted === "dark" ? "invert(1)" : "";
  scheme = wanted;
  return <Story />;
};

const withTheme =`,
  },
  { file: ".storybook/preview.jsx", from: "[withTheme]", to: "[withTheme, withScheme]" },
];

/** A file of stories that comes with styles, as those that import a stylesheet. */
const STYLED = [
  {
    file: "src/counter.stories.jsx",
    from: "export default",
    to: `const style = document.createElement("style");
style.textContent = ".counter-only { color: red }";
document.head.append(style);
export default`,
  },
];

function engineOf(pages: number): CaptureEngine {
  const chromiumPath = process.env.CHROMIUM_PATH ?? null;
  return new CaptureEngine({ chromiumPath, firefoxPath: null, cacheDir: BROWSER_CACHE, pages });
}

const STORIES = ["Primary", "Quiet", "Experimental"];

describe("stories whose decorator sets a theme on the document", () => {
  let context: StorybookTestContext;
  let site: Site;
  const loads = () => site.requested.filter(path => path === "/iframe.html").length;

  before(async () => {
    context = await StorybookTestContext.start();
    const build = join(await builtStorybook("react", TRACES), "storybook-static");
    site = await Site.start(await pagesIn(build));
  });
  after(async () => {
    await context.stop();
    await site.stop();
  });

  const check = () => {
    const selected = STORIES.flatMap(story => ["--story", `Forms/Button/${story}`]);
    return context.check(site.url, "--concurrency", "1", ...selected);
  };

  it("have baselines from pages of their own", async () => {
    const { result } = await check();
    assert.equal(result.counts.new, STORIES.length);
    // One load reads their parameters. Then they share a preview, and all have their own pages.
    assert.equal(loads(), 1 + 1 + STORIES.length);
    assert.equal((await context.vrs("approve")).code, 0);
  });

  it("are checked in one page, besides the one that reads their parameters", async () => {
    const before = loads();
    const { result } = await check();
    assert.equal(result.counts.unchanged, STORIES.length);
    assert.equal(loads() - before, 2);
  });
});

describe("stories whose theme is set only when it changes", () => {
  let context: StorybookTestContext;

  before(async () => {
    context = await StorybookTestContext.start();
  });
  after(() => context.stop());

  const check = async (wanted: string) => {
    const build = join(await builtStorybook("react", schemeOf(wanted)), "storybook-static");
    const selected = STORIES.flatMap(story => ["--story", `Forms/Button/${story}`]);
    return context.check(build, "--concurrency", "1", ...selected);
  };

  it("are changed if they get the theme of the story before them", async () => {
    await check('name === "Primary" ? "dark" : "light"');
    assert.equal((await context.vrs("approve")).code, 0);
    const { result } = await check('"dark"');
    assert.deepEqual(result.counts, { ...result.counts, unchanged: 1, changed: STORIES.length - 1 });
  });
});

describe("previews that are opened before the stories are known", () => {
  let site: Site;
  let engine: CaptureEngine;
  const { signal } = new AbortController();
  const loads = () => site.requested.filter(path => path === "/iframe.html").length;

  before(async () => {
    site = await Site.start(await pagesIn(join(await builtStorybook("react", STYLED), "storybook-static")));
    engine = engineOf(1);
  });
  after(async () => {
    await engine.close();
    await site.stop();
  });

  it("show the first stories without another load, and name the files of the preview", async () => {
    const indexed = await readIndex(site.url, signal);
    const config = { ...projectConfigSchema.parse({}), viewports: [1280], masks: [".ad"] };
    const { stories } = planStories(indexed, { url: site.url, extracted: {}, config });
    const visitTo = (id: string, hash: string | null) => {
      const planned = stories.find(story => story.id === id);
      assert.ok(planned);
      const { url, viewport, height, settings: environment, options, story } = planned;
      const states = [{ state: null, baselineHash: hash }];
      return engine.visit(
        { url, site: site.url, viewport, height, environment, options, story, states },
        signal,
      );
    };
    const ids = ["forms-counter--initial", "forms-button--primary"];
    const alone = new Map<string, string>();
    for (const id of ids) {
      const [capture] = (await visitTo(id, null).captureOwnPage()) ?? [];
      assert.ok(capture && !(capture instanceof Error));
      alone.set(id, capture.hash);
    }
    await engine.openPreviews(usualPreview(site.url, config), 2, signal);
    const before = loads();
    for (const [id, hash] of alone) {
      const [capture] = (await visitTo(id, hash).captureInPreview()) ?? [];
      assert.ok(capture && !(capture instanceof Error));
      assert.equal(capture.hash, hash);
      assert.ok(capture.requested?.includes(`${site.url}/iframe.html?viewMode=story`));
    }
    assert.equal(loads(), before);
  });
});

describe("audited stories of several files", () => {
  let site: Site;
  let engine: CaptureEngine;
  const { signal } = new AbortController();
  const loads = () => site.requested.filter(path => path === "/iframe.html").length;

  before(async () => {
    site = await Site.start(await pagesIn(join(await builtStorybook("react", STYLED), "storybook-static")));
    engine = engineOf(1);
  });
  after(async () => {
    await engine.close();
    await site.stop();
  });

  it("share a preview with the modules of all, whose images only count as their baselines", async () => {
    const indexed = await readIndex(site.url, signal);
    const ids = ["forms-button--primary", "forms-counter--initial", "overlays-dialog--open"];
    const config = { ...projectConfigSchema.parse({}), viewports: [1280] };
    const chosen = indexed.filter(({ id }) => ids.includes(id));
    const { stories } = planStories(chosen, { url: site.url, extracted: {}, config });
    assert.equal(new Set(stories.map(({ importPath }) => importPath)).size, ids.length);
    const requestOf = (planned: PlannedStory, baselineHash: string | null, isAudited: boolean) => {
      const { url, site, viewport, height, settings: environment, options, ignoreSelectors } = planned;
      const story = planned.story && { ...planned.story, group: "audit", loaded: ids };
      return {
        ...{ url, site, viewport, height, environment, options, ignoreSelectors },
        ...(isAudited ? { story } : { story: planned.story, isFresh: true }),
        states: [{ state: null, baselineHash }],
      };
    };
    const preview = async (planned: PlannedStory, baselineHash: string | null) => {
      const visit = engine.visit(requestOf(planned, baselineHash, true), signal);
      const [capture] = (await visit.captureInPreview()) ?? [];
      return capture instanceof Error ? capture.message : (capture?.hash ?? null);
    };
    const alone = new Map<PlannedStory, string>();
    for (const planned of stories) {
      const [capture] = (await engine.capture(requestOf(planned, null, false), signal)) ?? [];
      if (capture !== undefined && !(capture instanceof Error)) alone.set(planned, capture.hash);
    }
    assert.equal(alone.size, ids.length);
    const before = loads();
    for (const [planned, hash] of alone) assert.equal(await preview(planned, hash), hash, planned.id);
    assert.equal(loads() - before, 1);
    const [first] = stories;
    assert.ok(first);
    assert.equal(await preview(first, "0".repeat(64)), null, "only its own page tells how it looks");
  });
});
