import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseManifest, printManifest } from "../../../../cli/baselines/manifest.ts";
import { printOutcome } from "../../../../cli/output/outcome.ts";
import { runVrs } from "../../../../cli/program.ts";
import { Interrupt } from "../../../../cli/terminal.ts";
import { openPng } from "../../../../shared/compare/png-file.ts";
import { CheckTestContext, page, reported, shotOf } from "../../../support/contexts/check-context.ts";
import { launchBrowser, visit } from "../../../support/drivers/browser/report-browser.ts";
import { freePort } from "../../../support/drivers/free-port.ts";

const BASELINES = ".service/baselines";
const THREE = { routes: ["/", "/pricing", "/about"] };
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

describe("checking a project's pages", () => {
  let context: CheckTestContext;
  before(async () => {
    context = await CheckTestContext.start({
      "/": page("Home"),
      "/pricing": page("12 €"),
      "/about": page("We"),
    });
    await context.commit();
    assert.deepEqual(reported(await context.check(THREE)), ["new /", "new /pricing", "new /about"]);
    const { approved } = await context.approve(THREE);
    assert.deepEqual(
      approved.map(({ did, file }) => `${did} ${file}`),
      ["index", "pricing", "about"].map(name => `added ${BASELINES}/${name}--400.png`),
    );
    await context.commit();
  });
  after(() => context.stop());
  afterEach(async () => {
    for (const [route, text] of [
      ["/", "Home"],
      ["/pricing", "12 €"],
      ["/about", "We"],
    ] as const) {
      context.site.pages.set(route, page(text));
    }
    await context.git("reset", "--hard", "--quiet");
  });

  it("finds unchanged pages by their hashes, and writes no images of them", async () => {
    const same = await context.check(THREE);
    assert.equal(same.conclusion, "passed");
    for (const shot of same.screenshots) {
      assert.equal(shot.attempts, 1);
      assert.equal(shot.files.current, join(context.root, BASELINES, shot.baseline?.file ?? ""));
    }
  });

  it("finds a change, and approves only that", async () => {
    context.site.pages.set("/pricing", page("14 €"));
    const changed = await context.check(THREE);
    assert.deepEqual(reported(changed), ["unchanged /", "changed /pricing", "unchanged /about"]);
    const { files, regions, diffRatio } = shotOf(changed, "/pricing");
    assert.ok(regions.length > 0 && diffRatio !== null && diffRatio > 0 && diffRatio < 0.1);
    for (const file of [files.current, files.baseline, files.diff]) {
      assert.equal(openPng(await readFile(file ?? "")).width, 400);
    }
    const index = join(context.root, BASELINES, "index--400.png");
    const before = await stat(index);
    assert.equal((await context.approve(THREE, { dryRun: true })).approved.length, 1);
    assert.equal(await context.git("status", "--short"), "");
    assert.deepEqual(
      (await context.approve(THREE)).approved.map(({ did, route }) => `${did} ${route}`),
      ["updated /pricing"],
    );
    assert.equal((await stat(index)).mtimeMs, before.mtimeMs);
    assert.deepEqual((await context.approve(THREE)).approved, []);
    assert.equal((await context.check(THREE)).conclusion, "passed");
  });

  it("explains a change if this machine has captured its baseline", async () => {
    const restyled = page("12 €").replace("<h1>", `<h1 style="color:#c00">`);
    const explained = async () => {
      context.site.pages.set("/pricing", restyled);
      const changed = await context.check(THREE);
      return { changed, causes: shotOf(changed, "/pricing").explanation?.causes.map(({ text }) => text) };
    };
    const text = "`h1` color #000000 → #cc0000, by the page's HTML (changed)";
    const { changed, causes } = await explained();
    assert.deepEqual(causes, [text]);
    const terminal = context.terminal();
    printOutcome(terminal, changed, { quiet: false });
    assert.match(terminal.printed, /h1 color #000000 → #cc0000, by the page's HTML \(changed\)/);
    await rm(join(context.root, ".service/check/capsules"), { recursive: true });
    assert.equal((await explained()).causes, undefined);
    context.site.pages.set("/pricing", page("12 €"));
    await context.check(THREE);
    assert.deepEqual((await explained()).causes, [text]);
  });

  it("names the source and the changed file of the repository that changed a rule", async () => {
    const map = JSON.stringify({ version: 3, sources: ["webpack:///./src/button.css"], mappings: "AACA" });
    const encoded = Buffer.from(map).toString("base64");
    const serveCss = (color: string) =>
      context.site.pages.set("/built-1a2b3c4d.css", (_request, response) =>
        response
          .writeHead(200, { "Content-Type": "text/css" })
          .end(`.we{color:${color}}\n/*# sourceMappingURL=data:application/json;base64,${encoded} */`),
      );
    context.site.pages.set(
      "/about",
      page('<link rel="stylesheet" href="/built-1a2b3c4d.css"><b class="we">We</b>'),
    );
    serveCss("#111");
    await context.check(THREE);
    await context.approve(THREE);
    serveCss("#c00");
    const causesOf = async () =>
      shotOf(await context.check(THREE), "/about").explanation?.causes.map(({ text }) => text);
    const text = "`.we` color #111111 → #cc0000, 2 elements, by";
    assert.deepEqual(await causesOf(), [`${text} \`src/button.css:2\` (changed)`]);
    const since = (await context.git("rev-parse", "HEAD")).slice(0, 7);
    await context.git("checkout", "--quiet", "-b", "restyle");
    await context.write("web/src/button.css", ".we { color: #c00 }");
    const named = [`${text} \`web/src/button.css:2\` (changed since ${since})`];
    assert.deepEqual(await causesOf(), named, "a new file of the working tree");
    await context.git("add", "web");
    await context.git("commit", "--quiet", "--message=restyle");
    assert.deepEqual(await causesOf(), named, "a commit since the base branch");
    const terminal = context.terminal();
    printOutcome(terminal, await context.check(THREE), { quiet: false });
    assert.match(terminal.printed, /by web\/src\/button\.css:2 \(changed\s+since/);
    await context.git("reset", "--hard", "--quiet");
    await context.git("checkout", "--quiet", "main");
  });

  it("reports files that a page failed to load, in the report and beside the screenshot", async () => {
    context.site.pages.set("/about", page('We<link rel="stylesheet" href="/gone.css">'));
    const result = await context.check(THREE);
    const note = "Failed to load /gone.css (404).";
    assert.deepEqual(shotOf(result, "/about").notes, [note]);
    const terminal = context.terminal();
    printOutcome(
      terminal,
      { ...result, screenshots: [{ ...shotOf(result, "/about"), status: "changed" }] },
      { quiet: false },
    );
    assert.match(terminal.printed, /Failed to load \/gone\.css/);
  });

  it("compares colors with the threshold of each route", async () => {
    for (const [route, text] of [
      ["/", "Home"],
      ["/about", "We"],
    ] as const)
      context.site.pages.set(route, page(text, "#d0dbe6"));
    const { screenshots } = await context.check(THREE);
    assert.deepEqual(
      screenshots.map(({ status, diffPixels }) => `${status} ${diffPixels}`),
      Array(3).fill("unchanged 0"),
    );
    const finer = await context.check({
      ...THREE,
      colorThreshold: 0.01,
      perRoute: { "/": { colorThreshold: 0.1 } },
    });
    assert.deepEqual(reported(finer), ["unchanged /", "unchanged /pricing", "changed /about"]);
  });

  it("ignores the configured regions, and shows what they hid", async () => {
    context.site.pages.set("/pricing", page("14 €"));
    const all = { x: 0, y: 0, width: 400, height: 600 };
    const result = await context.check({
      ...THREE,
      ignoreRegions: [all, { x: 0, y: 0, width: 9, height: 9, viewport: 800 }],
      perRoute: { "/": { ignoreRegions: [] } },
    });
    assert.deepEqual(reported(result), ["unchanged /", "unchanged /pricing", "unchanged /about"]);
    const { ignored, diffPixels, minor, files } = shotOf(result, "/pricing");
    const { pixels } = ignored;
    assert.ok(pixels > 0);
    assert.deepEqual([ignored.regions, diffPixels, minor], [[{ ...all, pixels }], 0, false]);
    assert.notEqual(files.diff, null, "what it hid can be looked at");
    assert.deepEqual(shotOf(result, "/").ignored, { pixels: 0, regions: [] });
    assert.deepEqual(shotOf(result, "/about").ignored, { pixels: 0, regions: [{ ...all, pixels: 0 }] });
    const terminal = context.terminal();
    printOutcome(terminal, result, { quiet: false });
    assert.match(terminal.printed, /Ignore regions hide \d+ changed pixels in 1 screenshot\./);
    const report = await readFile(result.report ?? "", "utf8");
    assert.match(report, /1 ignore region hides [\d,]+ changed pixels\./);
    const beside = await context.check({ ...THREE, ignoreRegions: [{ ...all, y: 500, height: 9 }] });
    assert.deepEqual(reported(beside), ["unchanged /", "changed /pricing", "unchanged /about"]);
  });

  it("uses the configured clock and random values", async () => {
    context.site.pages.set("/about", "<script>document.write(new Date().getFullYear())</script>");
    const year = async (clock: string) =>
      shotOf(await context.check({ routes: ["/about"], clock }), "/about").hash;
    const [first, second] = [await year("2020-01-31T09:00:00Z"), await year("2021-01-31T09:00:00Z")];
    assert.equal(await year("2020-01-31T09:00:00Z"), first);
    assert.notEqual(first, second);
  });

  it("writes a report that opens from the disk with its images", async () => {
    context.site.pages.set("/about", page("Us"));
    const { report } = await context.check(THREE);
    const browser = await launchBrowser();
    try {
      await using visited = await visit(browser);
      await visited.page.goto(pathToFileURL(report ?? "").href);
      const loaded = await visited.page.evaluate(async () => {
        const images = [...document.querySelectorAll("img")];
        for (const image of images) image.loading = "eager";
        await Promise.all(images.map(image => image.decode()));
        return images.map(image => image.naturalWidth);
      });
      assert.deepEqual(loaded, Array(7).fill(400));
      assert.deepEqual(visited.complaints, []);
    } finally {
      await browser.close();
    }
  });

  it("finds removed and renamed pages, and approves a rename that git recognizes", async () => {
    context.site.pages.set("/preise", page("12 €"));
    const config = { routes: ["/", "/preise"] };
    const found = await context.check(config);
    assert.deepEqual(reported(found), ["unchanged /", "new /preise", "removed /about", "removed /pricing"]);
    assert.equal(shotOf(found, "/preise").renamedFrom, "/pricing");
    assert.deepEqual(
      (await context.approve(config)).approved.map(({ did, route, from }) => [did, route, from]),
      [
        ["renamed", "/preise", "/pricing"],
        ["removed", "/about", null],
      ],
    );
    await context.git("add", "--all");
    assert.match(
      await context.git("diff", "--cached", "--name-status", "-M100%"),
      /R100\s+\S+pricing--400\.png\s+\S+preise--400\.png/,
    );
    assert.equal((await context.check(config)).conclusion, "passed");
  });

  it("finds removed and renamed pages beside another branch, and approves them once", async () => {
    await context.git("checkout", "--quiet", "-b", "fewer");
    context.site.pages.set("/preise", page("12 €"));
    const config = { routes: ["/", "/preise"], baselines: { branch: "main" } };
    const found = await context.check(config);
    assert.deepEqual(reported(found), ["unchanged /", "new /preise", "removed /about", "removed /pricing"]);
    assert.equal(shotOf(found, "/preise").renamedFrom, "/pricing");
    assert.deepEqual(
      (await context.approve(config)).approved.map(({ did, route }) => `${did} ${route}`),
      ["renamed /preise", "removed /about"],
    );
    await context.commit();
    assert.deepEqual(reported(await context.check(config)), ["unchanged /", "unchanged /preise"]);
    await context.git("checkout", "--quiet", "main");
  });

  it("approves a rename by its capture if the file holds other pixels by now", async () => {
    context.site.pages.set("/preise", page("12 €"));
    const config = { routes: ["/", "/about", "/preise"] };
    await context.check(config);
    const manifest = `${BASELINES}/manifest.jsonl`;
    const entries = parseManifest((await context.read(manifest)).toString(), manifest);
    const about = entries.find(({ route }) => route === "/about");
    assert.ok(about);
    const { hash, capture } = about;
    await context.write(`${BASELINES}/pricing--400.png`, await context.read(`${BASELINES}/about--400.png`));
    const moved = entries.map(entry => (entry.route === "/pricing" ? { ...entry, hash, capture } : entry));
    await context.write(manifest, printManifest(moved));
    assert.equal((await context.failure(context.approve(config))).code, "stale_check");
    await context.approve(config, { force: true });
    // Without its line, the pixels of the file decide.
    await rm(join(context.root, manifest));
    assert.deepEqual(reported(await context.check(config)), [
      "unchanged /",
      "unchanged /about",
      "unchanged /preise",
    ]);
    await assert.rejects(context.read(`${BASELINES}/pricing--400.png`), { code: "ENOENT" });
    await rm(join(context.root, BASELINES, "preise--400.png"));
  });

  it("does not report unselected pages as removed", async () => {
    const found = await context.check(THREE, { selection: { routes: ["/pricing"] } });
    assert.deepEqual(reported(found), ["unchanged /pricing"]);
  });

  it("refuses to approve captures of another commit or configuration, or of changed baselines", async () => {
    context.site.pages.set("/", page("Hello"));
    await context.check(THREE);
    const other = await context.failure(context.approve({ routes: ["/"] }));
    assert.equal(other.code, "stale_check");
    assert.match(other.message, /configuration changed.*--force/);
    await context.commit();
    assert.match((await context.failure(context.approve(THREE))).message, /but \w+ is checked out/);
    await context.check(THREE);
    const index = join(context.root, BASELINES, "index--400.png");
    const bytes = await readFile(index);
    await writeFile(index, await context.read(`${BASELINES}/about--400.png`));
    assert.match(
      (await context.failure(context.approve(THREE))).message,
      /baseline of \/ at 400 px.* changed after the last check/,
    );
    await writeFile(index, bytes);
    assert.equal(
      (await context.failure(context.approve(THREE, { filter: { routes: ["/x"] } }))).code,
      "nothing_selected",
    );
  });

  it("compares with the file if the manifest doesn't list it", async () => {
    await context.check(THREE);
    await rm(join(context.root, BASELINES, "manifest.jsonl"));
    const found = await context.check(THREE);
    assert.equal(found.conclusion, "passed");
    assert.equal(shotOf(found, "/").baseline?.browser, null);
  });

  it("explains how to fix a damaged baseline, and approval fixes it", async () => {
    const file = `${BASELINES}/about--400.png`;
    await context.write(file, (await context.read(file)).subarray(0, 500));
    const found = await context.check(THREE);
    assert.equal(found.conclusion, "failed");
    assert.match(
      shotOf(found, "/about").error?.message ?? "",
      /Failed to read the baseline about--400\.png.*approve/,
    );
    await context.approve(THREE);
    assert.equal((await context.check(THREE)).conclusion, "passed");
  });

  it("warns once about baselines of another system", async () => {
    const manifest = `${BASELINES}/manifest.jsonl`;
    const text = (await context.read(manifest)).toString();
    await context.write(manifest, text.replaceAll(/"platform":"[^"]+"/g, '"platform":"amiga m68k"'));
    assert.deepEqual((await context.check(THREE)).warnings, []);
    context.site.pages.set("/", page("Hola"));
    const { warnings } = await context.check(THREE);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0] ?? "",
      /^1 of 3 baselines was captured with chromium \S+ on amiga m68k instead of .*, and differs\./,
    );
  });

  it("reads baselines that Git LFS stores as pointers", async () => {
    const file = `${BASELINES}/index--400.png`;
    const png = await context.read(file);
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(png)}\nsize ${png.length}\n`;
    await context.write(file, pointer);
    assert.equal((await context.check(THREE)).conclusion, "passed");
    context.site.pages.set("/", page("Hej"));
    const missing = shotOf(await context.check(THREE), "/");
    assert.match(missing.error?.message ?? "", /git lfs pull/);
    const oid = sha256(png);
    await context.write(`.git/lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`, png);
    assert.equal(shotOf(await context.check(THREE), "/").status, "changed");
  });

  it("compares with another branch, and with approvals in the folder meanwhile", async () => {
    await context.git("checkout", "--quiet", "-b", "feature");
    context.site.pages.set("/", page("Hej"));
    const branch = { branch: "main" };
    assert.equal((await context.check(THREE)).counts.changed, 1);
    await context.approve(THREE);
    await context.commit();
    const found = await context.check(THREE, branch);
    assert.equal(found.conclusion, "passed");
    assert.match(found.baseline.ref ?? "", /^main \([0-9a-f]{7}\)$/);
    assert.match(shotOf(found, "/").notes.join(), /^It is approved here, but not yet in main/);
    context.site.pages.set("/about", page("Us"));
    const changed = shotOf(await context.check(THREE, branch), "/about");
    assert.equal(changed.status, "changed");
    assert.equal(openPng(await readFile(changed.files.baseline ?? "")).width, 400);

    const { code, message } = await context.failure(context.check(THREE, { branch: "release" }));
    assert.equal(code, "branch_missing");
    assert.match(message, /no branch, tag, or commit release/);
    await context.git("remote", "add", "origin", context.root);
    assert.match(
      (await context.failure(context.check(THREE, { branch: "release" }))).message,
      /Run: git fetch --depth=1 origin release:refs\/remotes\/origin\/release$/,
    );
    await context.git("checkout", "--quiet", "main");
  });

  it("finds a branch's baselines for each spelling of their folder", async () => {
    const baselines = { directory: `${BASELINES}/`, branch: "main" };
    context.site.pages.set("/about", page("Us"));
    const found = await context.check({ ...THREE, baselines });
    assert.deepEqual(reported(found), ["unchanged /", "unchanged /pricing", "changed /about"]);
    assert.deepEqual(shotOf(found, "/").notes, []);
  });

  it("reads a branch's Git LFS baselines in a folder that is missing here", async () => {
    await context.git("checkout", "--quiet", "-b", "lfs");
    const file = `${BASELINES}/index--400.png`;
    const png = await context.read(file);
    const oid = sha256(png);
    await context.write(
      file,
      `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${png.length}\n`,
    );
    await context.write(`.git/lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`, png);
    await context.commit();
    await context.git("checkout", "--quiet", "main");
    await rm(join(context.root, BASELINES), { recursive: true });
    context.site.pages.set("/", page("Hej"));
    assert.equal(shotOf(await context.check(THREE, { branch: "lfs" }), "/").status, "changed");
  });

  it("reports errors before the application has started", async () => {
    const url = `http://localhost:${await freePort()}`;
    const start = { command: "sleep 300", timeoutMs: 300_000 };
    const { code } = await context.failure(context.check(THREE, { branch: "release", url, start }));
    assert.equal(code, "branch_missing");
  }).timeout(60_000);

  it("lets git merge the approvals of two branches", async () => {
    const file = `${BASELINES}/manifest.jsonl`;
    const known = parseManifest((await context.read(file)).toString(), file);
    const [first] = known;
    assert.ok(first);
    const approveOn = async (branch: string, route: string) => {
      await context.git("checkout", "--quiet", "-b", branch, "main");
      const changed = known.map(entry => (entry.route === "/" ? { ...entry, width: route.length } : entry));
      await context.write(
        file,
        printManifest([...changed, { ...first, route, file: `${route.slice(1)}--400.png` }]),
      );
      await context.commit();
    };
    await approveOn("one", "/n");
    await approveOn("two", "/new");
    await context.git("merge", "--quiet", "--no-edit", "one");
    const merged = parseManifest((await context.read(file)).toString(), file);
    assert.deepEqual(
      new Set(merged.map(({ route, width }) => `${route} ${route === "/" ? width : ""}`.trim())),
      new Set(["/ 2", "/ 4", "/about", "/n", "/new", "/pricing"]),
    );
    await context.git("checkout", "--quiet", "main");
  });

  it("works without git", async () => {
    const away = join(context.root, "away.git");
    await rename(join(context.root, ".git"), away);
    try {
      assert.equal((await context.check(THREE)).conclusion, "passed");
      assert.equal((await context.failure(context.check(THREE, { branch: "main" }))).code, "branch_missing");
    } finally {
      await rename(away, join(context.root, ".git"));
    }
  });

  it("calls plugins in order, and lets them change the capture", async () => {
    const printed: string[] = [];
    const plugin = (name: string, own: object) => ({
      name,
      afterPage: ({ route, png }: { route: string; png: Buffer }) =>
        void printed.push(`${name} ${route} ${openPng(png).width}`),
      ...own,
    });
    const first = plugin("first", {
      beforePage: async () => ({ headers: { "x-user": "ada" }, hide: ["p"] }),
      onResult: () => ["noted"],
    });
    const second = plugin("second", {
      beforePage: ({ settings }: { settings: object }) => void printed.push(JSON.stringify(settings)),
      onReport: ({ conclusion }: { conclusion: string }) => void printed.push(conclusion),
    });
    let header: unknown;
    context.site.pages.set("/pricing", (request, response) => {
      header ??= request.headers["x-user"];
      response.end(page("12 €"));
    });
    const found = await context.check({ routes: ["/pricing"], plugins: [first, second] });
    assert.equal(header, "ada");
    assert.equal(shotOf(found, "/pricing").status, "changed");
    assert.deepEqual(shotOf(found, "/pricing").notes, ["noted"]);
    assert.deepEqual(printed, [
      '{"hide":["p"],"headers":{"x-user":"ada"}}',
      "first /pricing 400",
      "second /pricing 400",
      "changed",
    ]);
  });

  it("names a plugin that throws or returns invalid values", async () => {
    const failing = (hooks: object) =>
      context.failure(context.check({ ...THREE, plugins: [{ name: "mine", ...hooks }] }));
    const thrown = await failing({
      afterPage: async () => {
        throw new Error("No disk");
      },
    });
    assert.equal(thrown.code, "plugin_failed");
    assert.match(thrown.message, /^The plugin "mine" failed in afterPage for \/\S* at 400 px: No disk$/);
    assert.match(
      (await failing({ beforePage: () => ({ masks: "p" }) })).message,
      /"mine" returned invalid settings .* masks: /,
    );
  });

  it("reports once that the server stopped", async () => {
    const gone = await CheckTestContext.start({ "/": page("Home") });
    const { site } = gone;
    let asked = 0;
    site.pages.set("/b", (_request, response) => {
      asked += 1;
      void site.stop();
      response.destroy();
    });
    const routes = ["/", "/b", ...Array.from({ length: 20 }, (_, n) => `/${n}`)];
    const { code } = await gone.failure(gone.check({ routes, concurrency: 1 }));
    assert.equal(code, "server_unreachable");
    assert.ok(asked >= 1);
    assert.equal(gone.events.filter(({ type }) => type === "done").length, 1);
    await rm(gone.root, { recursive: true });
  });

  describe("by a command", () => {
    before(async () => {
      const config = { baseUrl: context.site.url, viewports: [400], threshold: 0, ...THREE };
      await context.write("service.config.ts", `export default ${JSON.stringify(config)};`);
    });
    after(() => rm(join(context.root, "service.config.ts")));

    it("prints one JSON document if a file can't be written", async () => {
      const terminal = context.terminal();
      assert.equal(await runVrs(["check", "--json", "-o", "service.config.ts/out.json"], terminal), 2);
      assert.equal(JSON.parse(terminal.printed).error.code, "cannot_write");
    });

    it("approves nothing after Ctrl-C, and ends with its exit code", async () => {
      context.site.pages.set("/about", page("Us"));
      assert.equal((await context.check(THREE)).conclusion, "changed");
      const terminal = context.terminal();
      terminal.signal = AbortSignal.abort(new Interrupt("SIGINT"));
      assert.equal(await runVrs(["approve"], terminal), 130);
      assert.equal(await context.git("status", "--short", BASELINES), "");
      assert.equal(await runVrs(["approve"], context.terminal()), 0);
    });
  });

  it("fails only the page that doesn't respond properly", async () => {
    const found = await context.check({ routes: ["/", "/missing"] }, { report: false });
    assert.equal(found.conclusion, "failed");
    assert.equal(found.report, null);
    assert.match(shotOf(found, "/missing").error?.message ?? "", /returned status 404. Check the route/);
    const { failed } = await context.approve(
      { routes: ["/", "/missing"] },
      { filter: { routes: ["/missing"] } },
    );
    assert.deepEqual(failed, [{ route: "/missing", state: null, environment: null, viewport: 400 }]);
  });
});
