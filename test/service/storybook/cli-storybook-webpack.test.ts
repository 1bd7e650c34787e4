import assert from "node:assert/strict";
import { join } from "node:path";
import { StorybookTestContext } from "../../support/contexts/storybook-context.ts";
import { builtStorybook } from "../../support/storybooks/built-storybook.ts";

describe("vrs storybook with Storybook 7, webpack and web components", () => {
  let context: StorybookTestContext;
  let build: string;

  before(async () => {
    context = await StorybookTestContext.start();
    build = join(await builtStorybook("web-components"), "storybook-static");
  });
  after(() => context.stop());

  it("captures stories with play functions, and fails broken ones", async () => {
    const { shots, result } = await context.check(build);
    assert.deepEqual(
      [...shots].map(([name, { status }]) => `${name} ${status}`),
      [
        "Notices/Box/Plain at 1280 new",
        "Notices/Box/Broken at 1280 failed",
        "Inputs/Rating stars/Two at 1280 new",
        "Inputs/Rating stars/Rated at 1280 new",
        "Inputs/Rating stars/On Phone at 360 new",
      ],
    );
    const message = "The story failed to render: The notice has no text.";
    assert.equal(shots.get("Notices/Box/Broken at 1280")?.error?.message, message);
    const hashOf = (name: string) => shots.get(`Inputs/Rating stars/${name}`)?.hash;
    assert.notEqual(hashOf("Rated at 1280"), hashOf("Two at 1280"));
    assert.equal(hashOf("On Phone at 360"), hashOf("Two at 1280"));
    assert.equal(result.conclusion, "failed");
  });

  it("builds with the project's script, and skips what did not change", async () => {
    assert.equal((await context.vrs("approve")).code, 0);
    const { result, err } = await context.check(build, "--build", "--only-changed");
    assert.match(err, /Building the Storybook with "build-storybook"\./);
    assert.deepEqual(result.changedStories, { captured: 2, skipped: 3, audited: 1, missed: [] });
    assert.equal(result.counts.unchanged, 1);
  });
});
