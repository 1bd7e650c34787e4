import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Naming, namesBy } from "../../../cli/screenshots/naming.ts";
import { ScreenshotsTestContext } from "../../support/contexts/screenshots-context.ts";

describe("names of other tools' image files", () => {
  const names = (naming: Naming, ...paths: string[]) => paths.map(namesBy(naming, paths));

  it("reads the test file, name and project of a Playwright snapshot, of one system", () => {
    assert.deepEqual(
      names(
        "playwright",
        "tests/shop.spec.ts-snapshots/home-1-chromium-linux",
        "tests/shop.spec.ts-snapshots/home-1-chromium-darwin",
        "tests/shop.spec.ts-snapshots/home-1-Mobile-Safari-linux",
        "tests/shop.spec.ts-snapshots/dialog/open-own-project-linux",
        "tests/shop.spec.ts-snapshots/same-everywhere",
        "tests/photo",
      ),
      [
        { name: "tests/shop.spec.ts/home-1", environment: "chromium" },
        null,
        { name: "tests/shop.spec.ts/home-1", environment: "Mobile-Safari" },
        { name: "tests/shop.spec.ts/dialog/open-own-project" },
        { name: "tests/shop.spec.ts/same-everywhere" },
        null,
      ],
    );
    assert.deepEqual(names("playwright", "a-snapshots/b-webkit-darwin", "a-snapshots/b-webkit-win32"), [
      { name: "a/b", environment: "webkit" },
      null,
    ]);
  });

  it("reads the scenario, selector and viewport of a BackstopJS bitmap", () => {
    assert.deepEqual(
      names(
        "backstop",
        "backstop_default_Home_page_0_document_0_phone",
        "20261124-120000/backstop_default_Home_page_1_header_1_tablet_h",
        "my_id_Home_0_document_0_phone",
        "20261124-120000/failed_diff_backstop_default_Home_page_0_document_0_phone",
        "failed_diff",
      ),
      [
        { name: "Home_page", environment: "phone" },
        { name: "Home_page/header", environment: "tablet_h" },
        { name: "my_id_Home", environment: "phone" },
        null,
        null,
      ],
    );
  });

  it("reads the width and browser of a Lost Pixel shot", () => {
    assert.deepEqual(
      names("lost-pixel", "home__[w480px]", "home__[w480px|firefox]", "button--primary__[webkit]", "a__b"),
      [
        { name: "home", width: 480 },
        { name: "home", environment: "firefox", width: 480 },
        { name: "button--primary", environment: "webkit" },
        { name: "a__b" },
      ],
    );
  });

  it("takes paths of reg-suit", () => {
    assert.deepEqual(names("reg-suit", "Button/primary"), [{ name: "Button/primary" }]);
  });
});

describe("importing baselines", () => {
  let context: ScreenshotsTestContext;
  beforeEach(async () => {
    context = await ScreenshotsTestContext.start();
    for (const [width, color] of [
      [480, "#08f"],
      [768, "#f80"],
    ] as const)
      await context.draw(`.lostpixel/baseline/home__[w${width}px].png`, color, { width });
  });
  afterEach(() => context.stop());

  const imported = (...args: string[]) =>
    context.vrs("import", "--from", "lost-pixel", ".lostpixel/baseline", ...args);

  it("writes them once, with their names and widths, and checks of new screenshots find them", async () => {
    assert.match((await imported("--dry-run")).out, /2 baselines would change/);
    const { code, out } = await imported();
    assert.equal(code, 0);
    assert.match(out, /added {2}home at 480 px .*\nadded {2}home at 768 px /);
    assert.match((await imported()).out, /Nothing to approve/);
    await context.draw(".lostpixel/current/home__[w480px].png", "#08f", { width: 480 });
    await context.draw(".lostpixel/current/home__[w768px].png", "#0f8", { width: 768 });
    const { reported } = await context.check(
      ...["--screenshots", ".lostpixel/current", "--naming", "lost-pixel"],
    );
    assert.deepEqual(reported, ["unchanged home at 480", "changed home at 768"]);
  });

  it("leaves the last check to vrs approve, also with --dry-run", async () => {
    await context.draw("shots/Card.png", "#0a5");
    await context.check("--screenshots", "shots", "--name", "cards");
    await imported("--dry-run");
    assert.match((await context.vrs("approve")).out, /^added {2}Card at 120 px .*\n1 baseline changed/);
    await context.draw("shots/Card.png", "#a05");
    await context.check("--screenshots", "shots", "--name", "cards");
    await imported();
    assert.match((await context.vrs("approve")).out, /^updated +Card at 120 px .*\n1 baseline changed/);
    const folders = await readdir(join(context.root, ".service"));
    assert.ok(!folders.some(name => name.startsWith("import")), String(folders));
  });

  it("keeps baselines of other screenshots, and compares no width with another", async () => {
    await imported();
    await context.remove(".lostpixel/baseline/home__[w480px].png");
    await context.draw(".lostpixel/baseline/home__[w1024px].png", "#123", { width: 1024 });
    assert.match((await imported()).out, /^added {2}home at 1024 px/);
    const { reported } = await context.check(
      ...["--screenshots", ".lostpixel/baseline", "--naming", "lost-pixel"],
    );
    assert.deepEqual(reported, ["unchanged home at 768", "unchanged home at 1024", "removed home at 480"]);
  });

  it("refuses unknown tools, and folders without their files", async () => {
    const refused = await context.vrs("import", "--from", "percy", ".lostpixel");
    assert.deepEqual([refused.code, /Choose one of playwright/.test(refused.err)], [2, true]);
    const empty = await context.vrs("import", "--from", "backstop", ".lostpixel/baseline");
    assert.match(empty.err, /no image files with names of backstop/);
  });

  it("fails if a file can't be read, and imports the others", async () => {
    await context.write(".lostpixel/baseline/half.png", "no image");
    const { code, out } = await imported();
    assert.equal(code, 2);
    assert.match(out, /skipped {2}half[\s\S]*2 baselines changed/);
  });
});
