import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "mocha";
import { BENCHES } from "../../../bench/support/benches.ts";
import { checkCommands } from "../../../docs/build/check-commands.ts";
import { checkLinks } from "../../../docs/build/check-links.ts";

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

const findingsOf = (path: string, text: string) =>
  checkLinks(
    [
      { path, text, isGenerated: false },
      { path: "docs/contributing/tests.md", text: "# Tests\n\n## The soak\n", isGenerated: false },
    ],
    ROOT,
  );

describe("The links of the docs", () => {
  it("lead to files and headings that exist", () => {
    assert.deepEqual(findingsOf("docs/contributing/docs.md", "[the soak](tests.md#the-soak)"), []);
    assert.match(
      findingsOf("docs/contributing/docs.md", "[it](tests.md#gone)").join(),
      /leads to no heading/,
    );
    assert.match(findingsOf("docs/contributing/docs.md", "[it](gone.md)").join(), /leads to no file/);
  });

  it("stay within the docs, so that the docs can be built", () => {
    const link = "[the map](../../services/README.md)";
    assert.match(findingsOf("docs/contributing/docs.md", link).join(), /leads to no page of the docs/);
    assert.deepEqual(findingsOf("CONTRIBUTING.md", "[the map](services/README.md)"), []);
  });
});

describe("The commands of the docs", () => {
  const check = (text: string, path = "docs/guides/page.md") =>
    checkCommands([{ path, text, isGenerated: false }]);

  it("never let npx run a package of the registry in place of vrs", () => {
    const unsafe = ["- run: npx vrs upload shots", "sh 'npx  vrs check'", '"npx", "args": ["vrs", "mcp"]'];
    for (const line of unsafe)
      assert.match(check(`# Page\n\n${line}\n`).join(), /^docs\/guides\/page\.md:3: /, line);
    const safe = ["npx --no-install vrs check", '"args": ["--no-install", "vrs"]', "npx playwright test"];
    assert.deepEqual(check(safe.join("\n")), []);
  });

  it("can be short in tutorials, which install the tool first", () => {
    assert.deepEqual(check("npx vrs check", "docs/tutorials/command-line.md"), []);
  });
});
