import assert from "node:assert/strict";
import { isHeldOpen } from "../../../cli/baselines/write-atomically.ts";
import { groupSignal } from "../../../cli/check/process-group.ts";
import { shellCommand } from "../../../cli/shell-command.mjs";
import { boundedCommand } from "../../../shared/project-config/static-reading/read-in-child-process.ts";

const failure = (code: string) => Object.assign(new Error(code), { code });

describe("command line on other systems", () => {
  it("signals the process group, and the process tree on Windows", () => {
    assert.deepEqual(groupSignal("darwin", 12, "SIGTERM"), { by: "kill", pid: -12, signal: "SIGTERM" });
    assert.deepEqual(groupSignal("linux", 12, 0), { by: "kill", pid: -12, signal: 0 });
    assert.deepEqual(groupSignal("win32", 12, 0), { by: "kill", pid: 12, signal: 0 });
    assert.deepEqual(groupSignal("win32", 12, "SIGKILL"), {
      by: "taskkill",
      args: ["/pid", "12", "/T", "/F"],
    });
  });

  it("retries files that another program holds open on Windows only", () => {
    for (const code of ["EPERM", "EACCES", "EBUSY"]) {
      assert.equal(isHeldOpen("win32", failure(code)), true, code);
      assert.equal(isHeldOpen("linux", failure(code)), false, code);
    }
    assert.equal(isHeldOpen("win32", failure("ENOENT")), false);
    assert.equal(isHeldOpen("win32", new Error("Unknown")), false);
  });

  it("starts programs through a quoting shell on Windows only", () => {
    const npm = "C:\\Program Files\\nodejs\\npm.cmd";
    assert.deepEqual(shellCommand("linux", "npm", ["ci"]), { command: "npm", args: ["ci"], shell: false });
    assert.deepEqual(shellCommand("win32", "npm", ["ci", "--loglevel=error"]), {
      command: "npm",
      args: ["ci", "--loglevel=error"],
      shell: true,
    });
    assert.deepEqual(shellCommand("win32", npm, ["C:\\My app\\a.mjs"]), {
      command: `"${npm}"`,
      args: ['"C:\\My app\\a.mjs"'],
      shell: true,
    });
    const node = "C:\\Program Files\\nodejs\\node.exe";
    assert.deepEqual(shellCommand("win32", node, ["a b"]), { command: node, args: ["a b"], shell: false });
  });

  it("bounds the reader of configurations by a shell, which Windows doesn't have", () => {
    const { file, args, env } = boundedCommand("darwin", { SystemRoot: "x" }, ["/bin/node", "read.ts"]);
    assert.equal(file, "/bin/sh");
    assert.deepEqual(args.slice(-3), ["sh", "/bin/node", "read.ts"]);
    assert.deepEqual(env, {});
    assert.deepEqual(boundedCommand("win32", { SystemRoot: "C:\\Windows", TOKEN: "x" }, ["node.exe", "a"]), {
      file: "node.exe",
      args: ["a"],
      env: { SystemRoot: "C:\\Windows" },
    });
    assert.deepEqual(boundedCommand("win32", {}, ["node.exe"]).env, {});
  });
});
