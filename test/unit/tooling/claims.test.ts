import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "mocha";
import { BENCHES } from "../../../bench/support/benches.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
const SCRIPTS = Object.keys(Object(JSON.parse(readFileSync(`${ROOT}/package.json`, "utf8"))).scripts);
const PAGE = readFileSync(`${ROOT}/docs/contributing/claims.md`, "utf8");
const COMMANDS = PAGE.split("\n")
  .filter(line => line.startsWith("| ") && !line.startsWith("| Claim"))
  .flatMap(line => [...(line.split("|")[2] ?? "").matchAll(/`([^`]+)`/g)].map(([, command = ""]) => command));

const isFound = (file: string) => globSync(file.replaceAll("'", ""), { cwd: ROOT }).length > 0;

describe("The commands that show the claims of the README", () => {
  it("name scripts, benchmarks and files that exist", () => {
    assert.ok(COMMANDS.length > 20);
    for (const command of COMMANDS) {
      const [program, ...words] = command.split(" ");
      if (program === "node") {
        assert.ok(isFound(words.join(" ")), command);
        continue;
      }
      const [name = "", ...rest] = words[0] === "run" ? words.slice(1) : words;
      assert.ok(program === "npm" && SCRIPTS.includes(name), command);
      const given = rest.slice(1);
      if (name === "test") assert.ok(given.length > 0 && given.every(isFound), command);
      if (name === "bench")
        assert.ok(
          given.every(each => BENCHES.some(b => b.startsWith(each))),
          command,
        );
    }
  });
});
