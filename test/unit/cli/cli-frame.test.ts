import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { printFailure } from "../../../cli/print-failure.ts";
import { makeProgram, runVrs } from "../../../cli/program.ts";
import { CommandError, Interrupt } from "../../../cli/terminal.ts";
import { ScreenshotsTestContext } from "../../support/contexts/screenshots-context.ts";
import { RecordingTerminal } from "../../support/drivers/cli-terminal.ts";
import { vrs } from "../../support/drivers/vrs-command.ts";
import { assertGolden } from "../../support/fixtures/files.ts";

const run = promisify(execFile);
const COMMANDS = makeProgram(new RecordingTerminal(), async () => {}).commands.map(command => command.name());

describe("the tool's help", () => {
  for (const name of ["vrs", ...COMMANDS]) {
    it(`of ${name}`, async () => {
      const terminal = new RecordingTerminal();
      assert.equal(await runVrs(name === "vrs" ? ["--help"] : [name, "--help"], terminal), 0);
      assert.equal(terminal.errors, "");
      assert.doesNotMatch(terminal.printed, /default: (false|true)|undefined|\[object/);
      await assertGolden(`help/${name}.txt`, terminal.printed);
      const other = new RecordingTerminal();
      await runVrs(name === "vrs" ? ["help"] : ["help", name], other);
      assert.equal(other.printed, terminal.printed);
    });
  }

  it("has an example for every command", async () => {
    for (const name of COMMANDS) {
      const terminal = new RecordingTerminal();
      await runVrs([name, "--help"], terminal);
      assert.match(terminal.printed, new RegExp(`Examples:\\n(.*\\n)*.*vrs ${name}`), name);
    }
  });

  it("has colors on request", async () => {
    const terminal = new RecordingTerminal({ hasColor: true });
    await runVrs(["--help"], terminal);
    assert.ok(terminal.printed.includes("\u001b[1m"));
    const plain = new RecordingTerminal({ hasColor: true });
    await runVrs(["--help", "--no-color"], plain);
    assert.ok(!plain.printed.includes("\u001b["));
  });
});

describe("the tool's process", () => {
  const tool = fileURLToPath(new URL("../../../cli/main.ts", import.meta.url));
  const help = async (env: Record<string, string>) => {
    const plain = { ...process.env, NO_COLOR: "", FORCE_COLOR: undefined, CI: undefined };
    return (await run(process.execPath, [tool, "--help"], { env: { ...plain, ...env } })).stdout;
  };

  it("has colors with FORCE_COLOR, and none with NO_COLOR or without a terminal", async () => {
    const [bare, forced, both] = await Promise.all([
      help({}),
      help({ FORCE_COLOR: "1" }),
      help({ FORCE_COLOR: "1", NO_COLOR: "1" }),
    ]);
    assert.deepEqual(
      [bare, forced, both].map(text => text.includes("\u001b[")),
      [false, true, false],
    );
  });
});

describe("the output of a configuration and its plugins", () => {
  it("is on standard error, so that a result stays one JSON document", async () => {
    const context = await ScreenshotsTestContext.start();
    try {
      await context.draw("shots/a.png", "#036");
      await context.write(
        "service.config.mjs",
        `console.log("of the configuration");
        export default { plugins: [{ name: "print", onReport: () => console.info("of the plugin") }] };`,
      );
      const { stdout, stderr } = await vrs(["check", "--screenshots", "shots", "--json"], {
        cwd: context.root,
      });
      assert.equal(JSON.parse(stdout).conclusion, "changed");
      assert.match(stderr, /^of the configuration\n[\s\S]*^of the plugin\n/m);
    } finally {
      await context.stop();
    }
  });
});

describe("an uncaught error", () => {
  it("is printed, and ends the tool with 2, since 1 means changes", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "vrs-stray-"));
    try {
      const stray = 'setTimeout(() => { throw new Error("stray") }, 10);\nawait new Promise(() => {});';
      await writeFile(join(cwd, "service.config.mjs"), `${stray}\nexport default {};`);
      const { code, stdout, stderr } = await vrs(["approve"], { cwd });
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, /^Error: stray\n[\s\S]*service\.config\.mjs:1/);
    } finally {
      await rm(cwd, { recursive: true });
    }
  });
});

describe("an invalid command", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-frame-"));
  });
  after(() => rm(folder, { recursive: true }));

  const CALLS = [
    "",
    "chekc",
    "frobnicate",
    "help chekc",
    "--jsno",
    "report --paht",
    "init extra",
    "init --base-url",
    "completion tcsh",
    "init --action nonsense",
  ];

  it("has a helpful message and exit code 2", async () => {
    const reported: string[] = [];
    for (const call of CALLS) {
      const terminal = new RecordingTerminal({ cwd: folder });
      const code = await runVrs(call.split(" ").filter(Boolean), terminal);
      assert.equal(terminal.printed, "", call);
      reported.push(`$ vrs ${call}\n${call === "" ? "(its help)\n" : terminal.errors}exit ${code}\n`);
    }
    await assertGolden("errors.txt", reported.join("\n"));
  });

  it("is one JSON document on standard output with --json in any position", async () => {
    for (const call of [...CALLS, "report"]) {
      for (const args of [`--json ${call}`, `${call} --json`]) {
        if (args.endsWith("--base-url --json")) continue;
        const terminal = new RecordingTerminal({ cwd: folder });
        assert.equal(await runVrs(args.split(" ").filter(Boolean), terminal), 2, args);
        const { error } = JSON.parse(terminal.printed);
        assert.deepEqual(Object.keys(error), ["code", "message"]);
        if (call !== "") assert.equal(terminal.errors, "", args);
      }
    }
  });
});

describe("a failure", () => {
  const print = (error: unknown, more: { json?: boolean; verbose?: boolean; signal?: AbortSignal } = {}) => {
    const { json = false, verbose = false, signal = new AbortController().signal } = more;
    const terminal = new RecordingTerminal({ signal });
    const code = printFailure(error, { terminal, json, verbose, called: "vrs check" });
    return { code, ...terminal };
  };

  it("of the user is a sentence, with its cause only with --verbose", () => {
    const failure = new CommandError(
      "config_invalid",
      "service.config.ts:3:1: routes must be a list.",
      new Error("why"),
    );
    assert.equal(print(failure).errors, "Error: service.config.ts:3:1: routes must be a list.\n");
    assert.match(print(failure, { verbose: true }).errors, /Error: why\n {4}at /);
  });

  it("of the tool asks for a report, with its stack only with --verbose", () => {
    const failure = new TypeError("x is not a function");
    const { errors, code } = print(failure);
    assert.equal(code, 2);
    assert.match(errors, /^Error: x is not a function\nThis is a bug in vrs\. .*--verbose/);
    assert.doesNotMatch(errors, / {4}at /);
    assert.match(print(failure, { verbose: true }).errors, / {4}at /);
    assert.equal(JSON.parse(print(failure, { json: true }).printed).error.code, "internal");
  });

  it("of the disk names the file", async () => {
    const unwritable: unknown = await writeFile(join(tmpdir(), "none", "x"), "").catch(error => error);
    const { errors, code } = print(unwritable);
    assert.equal(code, 2);
    assert.match(errors, /^Error: ENOENT: .*, open '.*'\nCheck the permissions of the file/);
    assert.doesNotMatch(errors, /fault of vrs/);
    assert.equal(JSON.parse(print(unwritable, { json: true }).printed).error.code, "cannot_write");
  });

  it("passes no control characters of a page to the terminal", () => {
    assert.equal(print(new CommandError("x", "a\u001b[2Jb\nc")).errors, "Error: a\ufffd[2Jb\nc\n");
  });

  it("after an interrupt is the interrupt, with the exit code of shells", () => {
    const interrupted = (by: "SIGINT" | "SIGTERM" | "SIGPIPE") =>
      print(new Error("The operation was aborted"), { signal: AbortSignal.abort(new Interrupt(by)) });
    assert.deepEqual(
      [interrupted("SIGINT"), interrupted("SIGTERM"), interrupted("SIGPIPE")].map(({ code, errors }) => [
        code,
        errors,
      ]),
      [
        [130, "Error: Stopped by SIGINT before it was done.\n"],
        [143, "Error: Stopped by SIGTERM before it was done.\n"],
        [141, ""],
      ],
    );
  });
});
