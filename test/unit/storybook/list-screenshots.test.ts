import assert from "node:assert/strict";
import { storyRequestOf } from "../../../services/renderer/story-request-of.ts";
import type { ExtractedStory } from "../../../shared/capture/story/in-page/extract-stories.ts";
import type { Viewport } from "../../../shared/contracts/capture/viewport.ts";
import type { IndexedStory } from "../../../shared/storybook/indexed-story.ts";
import { listScreenshots } from "../../../shared/storybook/list-screenshots.rule.ts";
import { previewUrlOf, storybookUrl, storyUrl } from "../../../shared/storybook/story-urls.ts";
import { StorybookError } from "../../../shared/storybook/storybook-error.ts";

const story = (id: string, tags: string[] = []): IndexedStory => ({
  ...{ id, title: "Forms/Button", name: id, importPath: "./button.stories.js", tags },
});

function list(
  indexed: IndexedStory[],
  stories: Record<string, Partial<ExtractedStory>> = {},
  { tags = [], viewports = [800] }: { tags?: string[]; viewports?: Viewport[] } = {},
) {
  const full = Object.entries(stories).map(([id, { parameters = {}, globals = {}, args }]) => [
    id,
    { parameters, globals, ...(args && { args }) },
  ]);
  const read = { indexed, stories: Object.fromEntries(full), errors: ["Error: x"] };
  return listScreenshots(read, { tags, viewports });
}

const refused = (work: () => unknown, message: RegExp) =>
  assert.throws(work, (error: unknown) => {
    assert.ok(error instanceof StorybookError);
    assert.match(error.message, message);
    return true;
  });

describe("the list of a run's stories", () => {
  it("has what their captures need, and the numbers of others", () => {
    const vrs = { viewports: [320, { width: 700, height: 500 }], threshold: 0.2, delay: 1 };
    const { screenshots, disabled, excluded, errors } = list(
      [story("a", ["ok"]), story("b", ["ok"]), story("c")],
      { a: { parameters: { vrs }, args: { label: '"Save"' } }, b: { parameters: { vrs: { skip: true } } } },
      { tags: ["ok"] },
    );
    assert.deepEqual([disabled, excluded, errors], [1, 1, ["Error: x"]]);
    assert.deepEqual(
      screenshots.map(({ viewport, viewportHeight, threshold }) => [viewport, viewportHeight, threshold]),
      [
        [320, 800, 0.2],
        [700, 500, 0.2],
      ],
    );
    const [first] = screenshots;
    assert.deepEqual(first?.story.args, { label: '"Save"' });
    assert.deepEqual([first?.story.delayMs, first?.story.timeoutMs], [1_000, 15_000]);
  });

  it("has the args of modes, which their captures and reviewers get", () => {
    const modes = { plain: {}, busy: { args: { label: "Wait…", busy: true } } };
    const { screenshots } = list([story("a")], {
      a: { parameters: { vrs: { modes } }, args: { label: '"Save"', size: "2" } },
    });
    const [plain, busy] = screenshots.map(screenshot => screenshot.story);
    assert.ok(plain && busy);
    assert.deepEqual(plain.args, { label: '"Save"', size: "2" });
    assert.deepEqual(busy.args, { label: '"Wait…"', size: "2", busy: "true" });
    const requests = [plain, busy].map(each => storyRequestOf(each, "https://x.example"));
    assert.deepEqual(
      requests.map(({ args }) => args),
      [undefined, { label: "Wait…", busy: true }],
    );
    assert.notEqual(requests[0]?.group, requests[1]?.group);
  });

  it("is refused without a story, and with more screenshots than a run has", () => {
    refused(() => list([]), /has no stories/);
    refused(() => list([story("a")], {}, { tags: ["x"] }), /No story has the tags x/);
    refused(() => list([story("a")], { a: { parameters: { vrs: { skip: true } } } }), /disable all/);
    const many = Array.from({ length: 1001 }, (_, index) => story(`s${index}`));
    refused(
      () => list(many, {}, { viewports: [300, 400] }),
      /1,001 stories .* give 2,002 screenshots\. A run can have at most 2,000\. Select stories by tags/,
    );
    assert.equal(list(many.slice(1), {}, { viewports: [300, 400] }).screenshots.length, 2_000);
  });

  it("is refused for a story that no page can be", () => {
    refused(() => list([story("/etc")]), /The story \/etc can't be captured/);
    refused(
      () => list([story("a")], { a: { parameters: { vrs: { masks: [`\${secret.EDITOR_PASSWORD}`] } } } }),
      /The story a can't be captured: "story\.options" must not refer to secrets/,
    );
    for (const same of ["a", " a"])
      refused(
        () => list([story("a"), story(same)]),
        /story {1,2}a can't be captured: The story has the same id/,
      );
    const modes = { dark: { theme: `${"x".repeat(5_000)}` } };
    refused(
      () => list([story("a")], { a: { parameters: { vrs: { modes } } } }),
      /The story a can't be captured/,
    );
  });
});

describe("the URLs of stories", () => {
  it("begin with the Storybook's, whichever of its pages is named", () => {
    const base = "https://x.example/lib";
    for (const site of [base, `${base}/`, `${base}/index.html?path=/story/a`, `${base}/iframe.html?id=a`])
      assert.equal(storybookUrl(site), `${base}/iframe.html?viewMode=story`);
    assert.equal(
      previewUrlOf(base, { id: "a b", query: "theme:dark;n:1" }),
      `${base}/iframe.html?viewMode=story&id=a%20b&globals=theme%3Adark%3Bn%3A1`,
    );
    assert.equal(storyUrl(base, { id: "a", query: "" }), `${base}/?path=/story/a`);
  });
});
