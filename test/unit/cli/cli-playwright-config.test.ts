import assert from "node:assert/strict";
import { withVrs } from "../../../cli/playwright/with-vrs.ts";

const OURS = /^--blink-settings=.*mainFrameClipsContent=false$/;

describe("withVrs", () => {
  const argv = process.argv;
  const variables = ["VRS_PLAYWRIGHT_FOLDER", "VRS_PLAYWRIGHT_BROWSER"];
  afterEach(() => {
    process.argv = argv;
    for (const name of variables) delete process.env[name];
  });

  const wrap = (config: Parameters<typeof withVrs>[0]) => withVrs(config, { enabled: true });
  const argsOf = ({ use }: Parameters<typeof withVrs>[0]) => use?.launchOptions?.args;

  it("lets Chromium draw beyond its window, and keeps the user's options", () => {
    const launchOptions = { args: ["--lang=de", "--blink-settings=imagesEnabled=false"], slowMo: 3 };
    const { use } = wrap({ use: { launchOptions } });
    assert.deepEqual(use?.launchOptions, {
      ...launchOptions,
      args: [...launchOptions.args, "--blink-settings=imagesEnabled=false,mainFrameClipsContent=false"],
    });
    assert.match(argsOf(wrap({}))?.[0] ?? "", OURS);
  });

  it("gives the argument to projects of Chromium only", () => {
    const { use, projects = [] } = wrap({
      use: { launchOptions: { args: ["--shared"] } },
      projects: [
        {},
        { use: { browserName: "firefox" } },
        { use: { defaultBrowserType: "webkit" } },
        { use: { launchOptions: { args: ["--own"] } } },
      ],
    });
    assert.deepEqual(use?.launchOptions?.args, ["--shared"]);
    const [first, firefox, webkit, last] = projects.map(argsOf);
    assert.deepEqual([first?.[0], first?.length, OURS.test(first?.[1] ?? "")], ["--shared", 2, true]);
    assert.deepEqual([firefox, webkit], [undefined, undefined]);
    assert.deepEqual([last?.[0], last?.length], ["--own", 2]);
  });

  it("gives no argument to a browser that the command line names, in workers too", () => {
    process.argv = [...argv, "--browser=webkit"];
    assert.equal(argsOf(wrap({})), undefined);
    process.argv = argv;
    assert.equal(argsOf(wrap({})), undefined);
  });

  it("changes nothing when it is disabled", () => {
    const config = { use: { launchOptions: { args: ["--own"] } } };
    assert.equal(withVrs(config, { enabled: false }), config);
  });
});
