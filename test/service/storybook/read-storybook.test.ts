import assert from "node:assert/strict";
import { join } from "node:path";
import { ArchiveSite } from "../../../shared/capture/archive/archive-site.ts";
import { readStorybook } from "../../../shared/capture/story/read-storybook.ts";
import { StorybookError } from "../../../shared/storybook/storybook-error.ts";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import type { Page } from "../../support/fixtures/site.ts";
import { builtStorybook } from "../../support/storybooks/built-storybook.ts";
import { pagesIn } from "../../support/storybooks/storybook-pages.ts";

describe("reading the stories of a Storybook that responds late", () => {
  let context: CaptureTestContext;
  /** Requests for the list of stories that get no response. */
  let unanswered = 0;

  before(async () => {
    const pages = await pagesIn(join(await builtStorybook("react"), "storybook-static"));
    const listed = pages["/index.json"];
    const list: Page = (request, response) => {
      if (unanswered-- <= 0 && typeof listed === "function") listed(request, response);
    };
    context = await CaptureTestContext.start({ ...pages, "/index.json": list }, { captureMs: 15_000 });
  });
  after(() => context.stop());

  const read = async () => {
    const request = { url: `${context.site.url}/iframe.html`, options: {}, viewport: 1280 };
    return await readStorybook(context.pool, "storybook", request, new AbortController().signal);
  };

  it("succeeds if only the first attempt takes too long", async () => {
    unanswered = 1;
    const { indexed, stories } = await read();
    assert.ok(indexed.length > 0);
    assert.deepEqual(
      indexed.filter(({ id }) => !(id in stories)),
      [],
    );
  });

  it("rejects with the error of the store if a file of its archive can't be read", async () => {
    const archive = new ArchiveSite({
      site: "http://archive.localhost/",
      files: [{ path: "iframe.html", hash: "0".repeat(64), bytes: 10 }],
      allowHosts: [],
      open: async () => {
        throw new Error("The store doesn't respond.");
      },
    });
    const url = "http://archive.localhost/iframe.html";
    const request = { url, options: {}, viewport: 1280, archive };
    const reading = readStorybook(context.pool, "archive", request, new AbortController().signal);
    await assert.rejects(reading, { message: "The store doesn't respond." });
  });

  it("fails if the second attempt takes too long, too", async () => {
    unanswered = 2;
    await assert.rejects(read(), error => error instanceof StorybookError && /15 s/.test(error.message));
    assert.equal(unanswered, 0);
  });
});
