import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BuildFiles } from "../../../shared/storybook/changes/build-files.ts";
import { StorybookTestContext } from "../../support/contexts/storybook-context.ts";
import { LocalServer } from "../../support/servers/local-server.ts";
import { builtStorybook } from "../../support/storybooks/built-storybook.ts";

describe("vrs storybook", () => {
  let context: StorybookTestContext;
  let build: string;

  before(async () => {
    context = await StorybookTestContext.start();
    build = join(await builtStorybook("react"), "storybook-static");
  });
  after(async () => {
    await context.stop();
  });

  type Checked = Awaited<ReturnType<StorybookTestContext["check"]>>;
  let first: Checked;
  let second: Checked;

  it("captures all stories, and fails those that show an error with its message", async () => {
    first = await context.check(build);
    assert.equal(first.code, 2);
    const { counts } = first.result;
    assert.deepEqual(counts, { unchanged: 0, minor: 0, changed: 0, new: 18, removed: 0, failed: 3 });
    const errorOf = (name: string) => first.shots.get(name)?.error;
    assert.deepEqual(errorOf("States/Errors/Broken at 1280"), {
      code: "story_failed",
      message: "The story failed to render: The price is missing.",
    });
    assert.match(
      errorOf("Forms/Counter/Broken Play at 1280")?.message ?? "",
      /^The play function .* failed: /,
    );
    assert.match(errorOf("States/Errors/Never at 1280")?.message ?? "", /not rendered within 1 second/);
    assert.equal(first.shots.get("States/Errors/Broken at 1280")?.files.current, null);
  });

  it("crops to the content, with portals and padding", () => {
    const sizeOf = (name: string) => {
      const { width, height } = first.shots.get(name) ?? {};
      return { width, height };
    };
    assert.equal(sizeOf("Overlays/Dialog/Open at 1280").width, 306);
    const button = sizeOf("Forms/Button/Primary at 1280");
    assert.ok(Number(button.width) > 80 && Number(button.width) < 200, String(button.width));
    assert.equal(button.height, 72);
  });

  it("captures the viewports and modes of a story", () => {
    for (const name of ["Wide at 320", "Wide at 800", "On Phone at 360", "Themed (light) at 1280"])
      assert.ok(first.shots.has(`Forms/Button/${name}`), name);
    assert.ok(!first.shots.has("Forms/Button/Themed at 1280"));
    const light = first.shots.get("Forms/Button/Themed (light) at 1280");
    const dark = first.shots.get("Forms/Button/Themed (dark) at 480");
    assert.notEqual(light?.hash, dark?.hash);
    assert.equal(light?.hash, first.shots.get("Forms/Button/Primary at 1280")?.hash);
  });

  it("skips disabled stories, and reports how many", () => {
    assert.ok(![...first.shots.keys()].some(name => name.includes("Skipped")));
    assert.match(first.err, /Skipped 2 stories \(disabled by parameters\)\./);
  });

  it("approves stories like pages, and finds them unchanged with one capture each", async () => {
    assert.equal((await context.vrs("approve")).code, 0);
    // With more pages, one that no story has used may show the group too.
    second = await context.check(build, "--concurrency", "1");
    assert.equal(second.result.counts.unchanged, 18);
    const captured = [...second.shots.values()].filter(({ error }) => error === null);
    assert.deepEqual(
      captured.filter(({ attempts }) => attempts > 1).map(({ route }) => route),
      [],
    );
  });

  it("keeps the page for the next story of a file, and opens a new one after a leak", () => {
    const isKept = (name: string) => second.shots.get(name)?.timings.load === undefined;
    assert.ok(isKept("Forms/Button/Quiet at 1280"));
    assert.ok(isKept("States/Leaks/Module Again at 1280"));
    for (const next of ["Global", "Style", "Module"])
      assert.ok(!isKept(`States/Leaks/${next} at 1280`), next);
  });

  it("captures the same bytes alone as after stories that leak", async () => {
    const alone = await StorybookTestContext.start();
    try {
      for (const name of ["Affected", "Module Again"]) {
        const { shots } = await alone.check(build, "--story", `States/Leaks/${name}`);
        const [shot] = shots.values();
        assert.equal(shot?.hash, first.shots.get(`States/Leaks/${name} at 1280`)?.hash, name);
      }
    } finally {
      await alone.stop();
    }
  });

  it("captures the args of a mode, which no other screenshot has", async () => {
    const edits = [
      {
        file: "src/button.stories.jsx",
        from: 'light: { theme: "light" }',
        to: 'light: { theme: "light", args: { label: "Save & close", isQuiet: true } }',
      },
    ];
    const changed = join(await builtStorybook("react", edits), "storybook-static");
    const other = await StorybookTestContext.start();
    try {
      const selected = ["--story", "Forms/Button/Themed", "--story", "Forms/Button/Primary"];
      const { shots } = await other.check(changed, ...selected);
      const hashOf = (name: string) => shots.get(`Forms/Button/${name}`)?.hash;
      const earlier = (name: string) => first.shots.get(`Forms/Button/${name}`)?.hash;
      assert.ok(hashOf("Themed (light) at 1280"));
      assert.notEqual(hashOf("Themed (light) at 1280"), earlier("Themed (light) at 1280"));
      assert.equal(hashOf("Themed (dark) at 480"), earlier("Themed (dark) at 480"));
      assert.equal(hashOf("Primary at 1280"), earlier("Primary at 1280"));
      assert.equal((await other.vrs("approve")).code, 0);
      const { result } = await other.check(changed, ...selected);
      assert.deepEqual(
        result.screenshots.map(({ status, attempts }) => `${status} ${attempts}`),
        ["unchanged 1", "unchanged 1", "unchanged 1"],
      );
    } finally {
      await other.stop();
    }
  });

  it("selects stories by name and tags, and reports removed ones", async () => {
    const { shots } = await context.check(build, "--story", "Forms/Button/**", "--tags", "!experimental");
    assert.equal(shots.size, 7);
    assert.ok(!shots.has("Forms/Button/Experimental at 1280"));
    const only = await context.check(build, "--tags", "experimental");
    assert.deepEqual([...only.shots.keys()], ["Forms/Button/Experimental at 1280"]);
    assert.equal((await context.failure(build, "--tags", "unknown")).code, "nothing_selected");
  });

  it("skips stories with the same sources with --only-changed, and captures those of a changed component", async () => {
    const same = await context.check(build, "--only-changed");
    assert.deepEqual(same.result.changedStories, { captured: 4, skipped: 17, audited: 1, missed: [] });
    assert.match(
      same.err,
      /Capturing 4 of 21 screenshots: 17 screenshots of stories whose source files are unchanged are skipped\./,
    );
    assert.equal(same.result.counts.removed, 0);
    const edits = [{ file: "src/button.css", from: "#2563eb", to: "#b91c1c" }];
    const changed = join(await builtStorybook("react", edits), "storybook-static");
    const { result, shots } = await context.check(changed, "--only-changed");
    const captured = [...shots.values()].filter(({ status }) => status === "changed");
    assert.deepEqual([...new Set(captured.map(({ route }) => route.split("/")[1]))], ["Button"]);
    // Those of the button, those without a baseline, and one as an audit.
    assert.deepEqual(result.changedStories, { captured: 8 + 3 + 1, skipped: 9, audited: 1, missed: [] });
  });

  it("reports a change that the files don't explain as missed by --only-changed", async () => {
    const file = ".service/baselines/screenshots/storybook/stories.jsonl";
    const records = await readFile(join(context.root, file), "utf8");
    const edits = [{ file: "src/button.css", from: "#2563eb", to: "#b91c1c" }];
    const changed = join(await builtStorybook("react", edits), "storybook-static");
    // The records claim that the baselines loaded the files of the changed build. Two builds can name variables of the
    // same script in other ways.
    const folder = await BuildFiles.open(changed);
    let forged = records;
    for (const [entry, name = "", exact] of new Set(records.matchAll(/"(assets\/[^"]+)":"(=?)\w+"/g))) {
      const hash = exact ? await folder.exactHashOf(name) : await folder.hashOf(name);
      if (hash !== null) forged = forged.replaceAll(entry, `"${name}":"${hash}"`);
    }
    await context.write(file, forged);
    const { code, result, err } = await context.check(
      changed,
      "--only-changed",
      "--story",
      "Forms/Button/Primary",
    );
    await context.write(file, records);
    assert.equal(code, 1);
    assert.deepEqual(result.changedStories?.missed, ["Forms/Button/Primary"]);
    assert.match(err, /The audit found changes .*Forms\/Button\/Primary/);
    assert.equal(result.warnings.length, 1);
  });

  it("explains sources that are not a Storybook", async () => {
    assert.equal((await context.failure("missing")).code, "storybook_missing");
    assert.equal((await context.failure("http://127.0.0.1:9")).code, "storybook_unreachable");
    assert.equal((await context.failure(build, "--build", "no-such-script")).code, "storybook_build_failed");
    const server = new LocalServer((_, response) => response.writeHead(404).end());
    await server.listen();
    try {
      assert.equal((await context.failure(server.url)).code, "storybook_invalid");
    } finally {
      await server.close();
    }
  });
});
