import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { contentTypeOf } from "../../../cli/content-type.ts";
import { StorybookTestContext } from "../../support/contexts/storybook-context.ts";
import { type Page, Site } from "../../support/fixtures/site.ts";
import { builtStorybook } from "../../support/storybooks/built-storybook.ts";

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

/** Returns the files of a folder as pages. */
async function pagesIn(folder: string): Promise<Record<string, Page>> {
  const paths = await readdir(folder, { recursive: true });
  const pages = paths.map(path => {
    const serve: Page = (_request, response) => {
      response.setHeader("Content-Type", contentTypeOf(path));
      createReadStream(join(folder, path)).pipe(response);
    };
    return [`/${path}`, serve] as const;
  });
  return Object.fromEntries(pages);
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
