/** `node test/support/tools/check-commits.ts main..HEAD`: checks the messages of these commits, except merges. */
import { execFileSync } from "node:child_process";
import { commitFailures } from "./commit-rules.ts";

const range = process.argv[2];
if (range === undefined) throw new Error("Name the commits to check, such as main..HEAD.");
// Commits are separated by a zero byte, which no message can contain.
const log = execFileSync("git", ["log", "-z", "--no-merges", "--format=%h %B", "--end-of-options", range], {
  encoding: "utf8",
});
for (const entry of log.split("\0").filter(Boolean)) {
  const [, hash = "", message = ""] = /^(\w+) ([\s\S]*)$/.exec(entry) ?? [];
  for (const failure of commitFailures(message)) {
    console.error(`${hash} ${message.split("\n")[0]}\n  ${failure}`);
    process.exitCode = 1;
  }
}
