import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { REFERENCES } from "../../../docs/build/references.ts";
import { VARIABLE_NAMES } from "../../../shared/environment/variables.ts";
import { ERRORS } from "../../../shared/errors.ts";
import { version } from "../../../shared/process.ts";

const pages = new Map(REFERENCES.map(({ file, write }) => [basename(file.pathname), { file, write }]));
const read = (name: string) => readFileSync(pages.get(name)?.file ?? "", "utf8");

describe("The generated reference", () => {
  for (const [name, { file, write }] of pages)
    it(`has the current ${name}; npm run docs writes it`, () => {
      assert.equal(readFileSync(file, "utf8"), write());
    });

  it("is for the client for Python of this version", () => {
    const project = readFileSync(new URL("../pyproject.toml", pages.get("__init__.pyi")?.file), "utf8");
    assert.equal(/^version = "(.+)"$/m.exec(project)?.[1], version);
  });

  it("has a row for every variable, and no others", () => {
    const rows = [...read("configuration.md").matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);
    assert.deepEqual(rows.toSorted(), VARIABLE_NAMES.toSorted());
  });

  it("has an anchor for every error, with its status and remedy", () => {
    const text = read("errors.md");
    const lines = text.split("\n");
    for (const [code, { status, remedy }] of Object.entries(ERRORS)) {
      const at = lines.indexOf(`### ${code}`);
      assert.match(lines[at + 2] ?? "", new RegExp(`^\\*\\*${status}\\*\\* · `), code);
      assert.equal(lines[at + 4], remedy);
    }
  });

  it("lists every command once, and all of its options", () => {
    const text = read("cli.md");
    const sections = [...text.matchAll(/^## vrs (\w+)$/gm)].map(([, name]) => name);
    const listed = [...text.matchAll(/^\| \[`vrs (\w+)`\]/gm)].map(([, name]) => name);
    assert.deepEqual(listed, sections);
    assert.match(text, /`--start-timeout <seconds>`/);
  });
});
