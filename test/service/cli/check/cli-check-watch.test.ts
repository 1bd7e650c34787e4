import assert from "node:assert/strict";
import { runVrs } from "../../../../cli/program.ts";
import { Interrupt } from "../../../../cli/terminal.ts";
import { CheckTestContext, page } from "../../../support/contexts/check-context.ts";
import type { RecordingTerminal } from "../../../support/drivers/cli-terminal.ts";

describe("vrs check --watch", () => {
  let context: CheckTestContext;
  let terminal: RecordingTerminal;
  let stopping: AbortController;
  before(async () => {
    context = await CheckTestContext.start({ "/": page("Home") });
    await context.write(".gitignore", "dist\n");
    await configure(["/"]);
    await context.commit();
    assert.equal(await runVrs(["check"], context.terminal()), 1);
    assert.equal(await runVrs(["approve"], context.terminal()), 0);
    await context.commit();
  });
  after(() => context?.stop());
  beforeEach(() => {
    stopping = new AbortController();
    terminal = context.terminal();
    terminal.signal = stopping.signal;
  });

  const configure = (routes: string[]) =>
    context.write(
      "service.config.ts",
      `export default { baseUrl: ${JSON.stringify(context.site.url)}, routes: ${JSON.stringify(routes)}, viewports: [400] };`,
    );
  const waits = () => terminal.errors.split("Waiting for changes").length - 1;
  async function waitsTimes(times: number): Promise<void> {
    const end = performance.now() + 30_000;
    while (waits() < times) {
      assert.ok(performance.now() < end, terminal.errors + terminal.printed);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }

  it("checks again after each change of the project, and ends on Ctrl+C", async () => {
    const ended = runVrs(["check", "--watch"], terminal);
    await waitsTimes(1);
    assert.match(terminal.printed, /1 screenshot unchanged/);
    // Files that git ignores don't count.
    await context.write("dist/bundle.js", "1");
    await new Promise(resolve => setTimeout(resolve, 400));
    assert.equal(waits(), 1);
    terminal.printed = "";
    context.site.pages.set("/", page("Home", "#f00"));
    await Promise.all([context.write("src/a.css", "a"), context.write("src/b.css", "b")]);
    await waitsTimes(2);
    assert.match(terminal.errors, /Changed: src/);
    assert.match(terminal.printed, /1 changed/);
    // The new folder is watched, and the configuration is read again.
    terminal.printed = "";
    await context.write("src/a.css", "c");
    await waitsTimes(3);
    assert.match(terminal.errors, /Changed: src\/a\.css/);
    await configure(["/", "/more"]);
    context.site.pages.set("/more", page("More"));
    await waitsTimes(4);
    assert.match(terminal.printed, /1 changed, 1 new/);
    // A check that fails doesn't end it.
    await context.write("service.config.ts", "export default {");
    await waitsTimes(5);
    assert.match(terminal.errors, /Error:/);
    stopping.abort(new Interrupt("SIGINT"));
    assert.equal(await ended, 0);
  });

  it("checks only the pages that loaded the changed files, and those that still differ", async () => {
    const { site } = context;
    const styled = (name: string, files: string[]) =>
      `${page(name)}${files.map(file => `<link rel="stylesheet" href="${file}?t=1">`).join("")}`;
    site.pages.set("/home", styled("Home", ["/src/home.css", "/shared.css"]));
    site.pages.set("/about", styled("About", ["/src/about%20us.css", "/shared.css"]));
    site.pages.set("/plain", page("Plain"));
    const files = ["src/home.css", "src/about us.css", "public/shared.css", "server.ts"];
    for (const file of files) await context.write(file, "/* 1 */");
    await configure(["/home", "/about", "/plain"]);
    assert.equal(await runVrs(["check"], context.terminal()), 1);
    assert.equal(await runVrs(["approve"], context.terminal()), 0);
    await context.commit();
    const visited = () => ["/home", "/about", "/plain"].filter(path => site.requested.includes(path));
    const ended = runVrs(["check", "--watch"], terminal);
    await waitsTimes(1);
    /** Returns the routes that are checked after a change of a file. */
    async function checkedAfter(file: string): Promise<string[]> {
      site.requested.length = 0;
      const before = waits();
      await context.write(file, `/* ${Math.random()} */`);
      await waitsTimes(before + 1);
      return visited();
    }
    assert.deepEqual(await checkedAfter("src/home.css"), ["/home"]);
    assert.deepEqual(await checkedAfter("src/about us.css"), ["/about"]);
    assert.deepEqual(await checkedAfter("public/shared.css"), ["/home", "/about"]);
    // Nobody knows which pages the server renders with it.
    assert.deepEqual(await checkedAfter("server.ts"), ["/home", "/about", "/plain"]);
    // The report keeps a page that differs, until it doesn't.
    site.pages.set("/home", page("Home", "#f00"));
    assert.deepEqual(await checkedAfter("src/home.css"), ["/home"]);
    terminal.printed = "";
    assert.deepEqual(await checkedAfter("src/about us.css"), ["/home", "/about"]);
    assert.match(terminal.printed, /1 changed/);
    stopping.abort(new Interrupt("SIGINT"));
    assert.equal(await ended, 0);
  });

  it("refuses a URL that is none, also with --start", async () => {
    for (const url of ["127.0.0.1:3000", "localhost:3000"])
      for (const start of [[], ["--start", "npm start"]]) {
        terminal.errors = "";
        assert.equal(await runVrs(["check", "--watch", "--url", url, ...start], terminal), 2);
        assert.match(terminal.errors, /is not a URL\. Give one such as http:\/\/localhost:3000\.\n$/);
      }
  });

  it("refuses options that don't fit", async () => {
    for (const option of [["--record-har"], ["--json"], ["--screenshots", "shots"]]) {
      assert.equal(await runVrs(["check", "--watch", ...option], terminal), 2);
      assert.match(terminal.errors + terminal.printed, /--watch/);
    }
  });
});
