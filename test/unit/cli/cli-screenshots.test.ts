import assert from "node:assert/strict";
import { cp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { fileNameOf } from "../../../cli/baselines/file-name.ts";
import { findScreenshots } from "../../../cli/screenshots/find-screenshots.ts";
import { ScreenshotsTestContext } from "../../support/contexts/screenshots-context.ts";

const BASELINES = ".service/baselines/screenshots";

describe("checking the screenshots of a folder", () => {
  let context: ScreenshotsTestContext;
  beforeEach(async () => {
    context = await ScreenshotsTestContext.start();
    await context.draw("shots/Button/primary.png", "#08f");
    await context.draw("shots/Button/hover.jpg", "#f80");
    await context.draw("shots/Card.webp", "#0a5", { width: 300 });
  });
  afterEach(() => context.stop());

  const approveAll = async () => {
    await context.check("--screenshots", "shots");
    assert.equal((await context.vrs("approve")).code, 0);
  };

  it("makes new ones the baselines, without a configuration, and finds them unchanged", async () => {
    const first = await context.check("--screenshots", "shots");
    assert.equal(first.code, 1);
    assert.deepEqual(first.reported, [
      "new Button/hover at 120",
      "new Button/primary at 120",
      "new Card at 300",
    ]);
    const { out } = await context.vrs("approve", "--json");
    const { approved } = JSON.parse(out);
    assert.deepEqual(
      approved.map(({ did, route }: { did: string; route: string }) => `${did} ${route}`),
      ["added Button/hover", "added Button/primary", "added Card"],
    );
    for (const { file } of approved) assert.match(file, /^\.service\/baselines\/screenshots\//);
    const second = await context.check("--screenshots", "shots");
    assert.equal(second.code, 0);
    assert.deepEqual(second.result.counts, { ...second.result.counts, unchanged: 3, new: 0, minor: 0 });
    const report = await readFile(join(context.root, ".service/check/report.html"), "utf8");
    assert.match(report, /Button\/primary/);
  });

  it("finds equal pixels in other bytes unchanged, and other pixels changed", async () => {
    await approveAll();
    const path = join(context.root, "shots/Button/primary.png");
    const before = await readFile(path);
    const other = await sharp(before).png({ compressionLevel: 0, palette: true }).toBuffer();
    assert.ok(!other.equals(before));
    await writeFile(path, other);
    await context.draw("shots/Card.webp", "#a05", { width: 300 });
    const { code, reported, result } = await context.check("--screenshots", "shots");
    assert.equal(code, 1);
    assert.deepEqual(reported, [
      "unchanged Button/hover at 120",
      "unchanged Button/primary at 120",
      "changed Card at 300",
    ]);
    const card = result.screenshots.find(({ route }) => route === "Card");
    assert.equal(card?.diffRatio, 1);
    assert.ok(card?.files.current && card.files.baseline && card.files.diff);
    assert.equal(card.otherBrowser, false);
  });

  it("reports a screenshot without a file as removed, but not of a subset or of other names", async () => {
    await approveAll();
    await context.remove("shots/Button/hover.jpg");
    const all = await context.check("--screenshots", "shots");
    assert.deepEqual([all.code, all.reported.at(-1)], [1, "removed Button/hover at 120"]);
    assert.equal((await context.check("--screenshots", "shots", "--subset")).code, 0);
    const card = await context.check("Card", "--screenshots", "shots");
    assert.deepEqual([card.code, card.reported], [0, ["unchanged Card at 300"]]);
    await context.check("--screenshots", "shots");
    await context.vrs("approve");
    assert.equal((await context.check("--screenshots", "shots")).code, 0);
  });

  it("compares an image of another width with the baseline of its name, and approval replaces it", async () => {
    await approveAll();
    await context.draw("shots/Card.webp", "#0a5", { width: 310 });
    const { reported, result } = await context.check("--screenshots", "shots");
    assert.equal(reported.at(-1), "changed Card at 310");
    assert.deepEqual(result.screenshots.at(-1)?.replaces, { route: "Card", viewport: 300 });
    assert.match((await context.vrs("approve")).out, /updated {2}Card at 310 px/);
    const after = await context.check("--screenshots", "shots");
    assert.deepEqual([after.code, after.reported.length], [0, 3]);
    const manifest = await readFile(join(context.root, BASELINES, "manifest.jsonl"), "utf8");
    assert.equal(manifest.trim().split("\n").length, 4);
  });

  it("compares a renamed screenshot with the baseline of its previous name", async () => {
    await approveAll();
    await context.remove("shots/Card.webp");
    await context.draw("shots/Tile.png", "#a05", { width: 300 });
    await context.write("shots/Tile.png.json", JSON.stringify({ previousNames: ["Old", "Card"] }));
    const { reported } = await context.check("--screenshots", "shots");
    assert.equal(reported.at(-1), "changed Tile at 300");
    assert.match((await context.vrs("approve")).out, /renamed {2}Tile at 300 px from Card/);
    await context.remove("shots/Tile.png.json");
    const after = await context.check("--screenshots", "shots");
    assert.deepEqual([after.code, after.reported.at(-1)], [0, "unchanged Tile at 300"]);
  });

  it("never uses the baseline of a previous name that another screenshot has", async () => {
    await approveAll();
    await context.draw("shots/Tile.png", "#0a5", { width: 310 });
    await context.draw("shots/Card.webp", "#0a5", { width: 320 });
    await context.write("shots/Tile.png.json", JSON.stringify({ previousNames: ["Card"] }));
    const { reported, result } = await context.check("--screenshots", "shots");
    assert.deepEqual(reported.slice(-2), ["changed Card at 320", "new Tile at 310"]);
    assert.equal(result.screenshots.at(-1)?.replaces, null);
  });

  it("recognizes a renamed screenshot by its pixels", async () => {
    await approveAll();
    await context.git("mv", "--force", "shots/Card.webp", "shots/Tile.webp").catch(async () => {
      await context.remove("shots/Card.webp");
      await context.draw("shots/Tile.webp", "#0a5", { width: 300 });
    });
    const { result } = await context.check("--screenshots", "shots");
    assert.equal(result.screenshots.find(({ route }) => route === "Tile")?.renamedFrom, "Card");
  });

  it("applies threshold, ignore regions, environment and width of a sidecar file", async () => {
    const sidecar = {
      threshold: 1,
      environment: "Mobile Safari",
      viewport: { width: 390 },
      browser: "Safari 18",
      ignoreRegions: [{ x: 0, y: 0, width: 120, height: 40 }],
    };
    await context.write("shots/Button/primary.png.json", JSON.stringify(sidecar));
    await approveAll();
    await context.draw("shots/Button/primary.png", "#a05");
    const { code, result } = await context.check("--screenshots", "shots");
    assert.equal(code, 0);
    const shot = result.screenshots.find(({ route }) => route === "Button/primary");
    assert.deepEqual(
      [shot?.environment, shot?.viewport, shot?.browser, shot?.diffRatio, shot?.ignored.pixels],
      ["Mobile Safari", 390, "Safari 18", 0.5, 4_800],
    );
  });

  it("applies the threshold of the command line, but not before that of a sidecar file", async () => {
    await approveAll();
    await context.draw("shots/Card.webp", "#a05", { width: 300 });
    await context.draw("shots/Button/primary.png", "#a05");
    await context.write("shots/Card.webp.json", JSON.stringify({ threshold: 0.5 }));
    const { reported, result } = await context.check("--screenshots", "shots", "--threshold", "1");
    assert.deepEqual(reported.slice(1), ["unchanged Button/primary at 120", "changed Card at 300"]);
    assert.equal(result.counts.minor, 1);
    const wrong = await context.failure("--screenshots", "shots", "--threshold", "5%");
    assert.match(wrong.message, /fraction from 0 to 1/);
  });

  it("refuses an invalid sidecar file, and names the file and the field", async () => {
    await context.write("shots/Card.webp.json", JSON.stringify({ treshold: 1, line: 0 }));
    const { code, message } = await context.failure("--screenshots", "shots");
    assert.equal(code, "sidecar_invalid");
    assert.match(message, /Card\.webp\.json: .*"line" must be at least 1\..*Did you mean threshold\?/);
    await context.write("shots/Card.webp.json", JSON.stringify({ testFile: "a".repeat(2 ** 20) }));
    assert.match((await context.failure("--screenshots", "shots")).message, /larger than 1 MiB/);
    for (const [file, why] of [
      ["missing.zip", /missing\.zip doesn't exist/],
      ["../secret.txt", /secret\.txt is not below the folder of the image/],
    ] as const) {
      await context.write("secret.txt", "key");
      await context.write("shots/Card.webp.json", JSON.stringify({ attachments: [{ name: "trace", file }] }));
      assert.match((await context.failure("--screenshots", "shots")).message, why);
    }
    await context.write("shots/Card.webp.json", "no");
    assert.match((await context.failure("--screenshots", "shots")).message, /not a JSON object/);
  });

  it("fails the screenshot of a damaged file, and compares the others", async () => {
    await approveAll();
    const card = await readFile(join(context.root, "shots/Card.webp"));
    const png = await sharp(card).png().toBuffer();
    await context.write("shots/half.png", png.subarray(0, png.length - 20));
    await context.write("shots/text.png", "no image");
    await symlink(context.root, join(context.root, "shots/folder.png"));
    const { code, reported, result } = await context.check("--screenshots", "shots");
    assert.equal(code, 2);
    assert.deepEqual(reported.slice(-3), ["failed folder at 0", "failed half at 300", "failed text at 0"]);
    assert.match(result.screenshots.at(-1)?.error?.message ?? "", /shots\/text\.png/);
    assert.equal(result.counts.unchanged, 3);
  });

  it("refuses an image with too many pixels before it decodes it", async () => {
    const png = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: "#fff" } })
      .png()
      .toBuffer();
    await context.write("shots/bomb.png", png);
    const { result } = await context.check("bomb", "--screenshots", "shots");
    assert.match(result.screenshots[0]?.error?.message ?? "", /9000 × 9000/);
  });

  it("keeps baselines of pages and of named sets apart", async () => {
    await approveAll();
    const ui = await context.check("--screenshots", "shots", "--name", "ui");
    assert.deepEqual([ui.result.counts.new, ui.result.counts.removed], [3, 0]);
    await context.vrs("approve");
    await context.draw("shots/Card.webp", "#a05", { width: 300 });
    await context.check("--screenshots", "shots", "--name", "ui");
    await context.vrs("approve");
    const unnamed = await context.check("--screenshots", "shots");
    assert.deepEqual(unnamed.reported.at(-1), "changed Card at 300");
    assert.equal((await context.check("--screenshots", "shots", "--name", "ui")).code, 0);
  });

  it("compares with the baselines of a branch", async () => {
    await approveAll();
    await context.commit();
    await context.git("checkout", "--quiet", "-b", "work");
    await context.remove(BASELINES);
    const { code, result } = await context.check("--screenshots", "shots", "--branch", "main");
    assert.equal(code, 0);
    assert.match(result.baseline.ref ?? "", /^main \(/);
  });

  it("refuses to approve what changed since the check", async () => {
    await context.check("--screenshots", "shots");
    await context.commit();
    assert.match((await context.vrs("approve")).err, /is checked out/);
    await context.check("--screenshots", "shots");
    await context.write(
      "service.config.ts",
      'export default { baselines: { directory: "shots-approved" } };',
    );
    assert.match((await context.vrs("approve")).err, /configuration changed/);
  });

  it("approves and shows a check that another machine made, such as a workflow on Windows", async () => {
    await approveAll();
    await context.commit();
    const runner = await ScreenshotsTestContext.start();
    try {
      await cp(context.root, runner.root, { recursive: true, force: true });
      await runner.draw("shots/Card.webp", "#a05", { width: 300 });
      await runner.check("--screenshots", "shots");
      await context.remove(".service/check");
      await cp(join(runner.root, ".service/check"), join(context.root, ".service/check"), {
        recursive: true,
      });
    } finally {
      await runner.stop();
    }
    const path = join(context.root, ".service/check/result.json");
    const text = await readFile(path, "utf8");
    const elsewhere = text
      .split("\n")
      .map(line => (line.includes(runner.root) ? line.replace(/\/(?=.*",?$)/g, String.raw`\\`) : line));
    await writeFile(path, elsewhere.join("\n"));
    const report = await context.vrs("report");
    assert.deepEqual(report, {
      code: 0,
      out: `${join(context.root, ".service/check/report.html")}\n`,
      err: "",
    });
    const approved = await context.vrs("approve", "--force");
    assert.deepEqual([approved.code, approved.err], [0, ""]);
    await context.draw("shots/Card.webp", "#a05", { width: 300 });
    assert.equal((await context.check("--screenshots", "shots")).code, 0);
  });

  it("lists the baselines that it wrote before an approval failed, and a second one completes it", async () => {
    for (const name of ["d", "e", "f", "g"]) await context.draw(`shots/${name}.png`, "#08f");
    const { result } = await context.check("--screenshots", "shots");
    const [, , , lost] = result.screenshots;
    const image = lost?.files.current ?? "";
    const png = await readFile(image);
    await rm(image);
    const failed = await context.vrs("approve");
    assert.equal(failed.code, 2);
    assert.match(failed.err, /d at 120/);
    const manifest = await readFile(join(context.root, BASELINES, "manifest.jsonl"), "utf8");
    const files = await readdir(join(context.root, BASELINES));
    const images = files.filter(name => name.endsWith(".png"));
    assert.ok(images.length > 0);
    for (const name of images) assert.ok(manifest.includes(`"${name}"`), name);
    await writeFile(image, png);
    assert.equal((await context.vrs("approve")).code, 0);
    assert.equal((await context.check("--screenshots", "shots")).code, 0);
  });

  it("refuses options that make no sense together", async () => {
    const start = await context.failure("--screenshots", "shots", "--start", "npm start");
    assert.deepEqual(start, {
      code: "usage",
      message: "--start is for pages. Leave it out with --screenshots.",
    });
    assert.match((await context.failure("--subset")).message, /--subset is for screenshots/);
    assert.match((await context.failure("--screenshots", "shots", "--name", "../up")).message, /not a name/);
    assert.match(
      (await context.failure("Crad", "--screenshots", "shots")).message,
      /No screenshot matches Crad\. Did you mean Card\?/,
    );
  });
});

describe("finding screenshots", () => {
  let context: ScreenshotsTestContext;
  before(async () => {
    context = await ScreenshotsTestContext.start();
    for (const name of [
      "a/one.png",
      "a/deep/two.JPEG",
      "a/.hidden/no.png",
      "a/node_modules/no.png",
      "b/three.png",
    ])
      await context.draw(name, "#123");
    await context.write("a/one.png.json", "{}");
    await context.write("a/note.txt", "");
    await symlink(join(context.root, "b", "three.png"), join(context.root, "a", "linked.png"));
  });
  after(() => context.stop());

  const names = async (...patterns: string[]) =>
    (await findScreenshots(patterns, context.root, null)).map(({ name }) => name);

  it("takes folders, globs and files, and names them by their path in the folder", async () => {
    assert.deepEqual(await names("a"), ["deep/two", "linked", "one"]);
    assert.deepEqual(await names("a", "b"), ["deep/two", "linked", "one", "three"]);
    assert.deepEqual(await names("**/*.png"), ["a/linked", "a/one", "b/three"]);
    assert.deepEqual(await names("a/**/*.JPEG"), ["deep/two"]);
    assert.deepEqual(await names(join(context.root, "b", "three.png")), ["three"]);
  });

  it("refuses a pattern without screenshots, and two screenshots of one name", async () => {
    await assert.rejects(names("a", "c"), { code: "no_screenshots" });
    await assert.rejects(names("c/*.png"), { code: "no_screenshots" });
    await context.draw("b/one.webp", "#123");
    await assert.rejects(names("a", "b"), { code: "screenshot_name_invalid", message: /named one/ });
  });
});

describe("file names of screenshots' baselines", () => {
  const key = { route: "Card", state: null, environment: null, viewport: 300 };

  it("never leave their folder, and are unique", () => {
    const files = ["Card", "card", "../card", "a/../b", "index", "caf\u00e9"].map(route =>
      fileNameOf({ ...key, route }),
    );
    files.push(
      ...["../../x", "Firefox", "firefox", "a b"].map(environment => fileNameOf({ ...key, environment })),
    );
    assert.equal(new Set(files).size, files.length);
    for (const file of files) assert.match(file, /^[a-z0-9._~+@-]+\.png$/);
  });
});
