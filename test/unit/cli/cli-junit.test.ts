import assert from "node:assert/strict";
import { SaxesParser } from "saxes";
import { junit } from "../../../cli/output/junit.ts";
import {
  changed,
  failed,
  makeCheckedScreenshot,
  makeCheckResult,
  minor,
} from "../../support/fixtures/made-check.ts";

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** Returns the document from a parser that refuses malformed ones. */
function parse(xml: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const stack = [root];
  const parser = new SaxesParser();
  parser.on("error", error => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes, children: [], text: "" };
    stack.at(-1)?.children.push(element);
    stack.push(element);
  });
  parser.on("text", text => {
    const element = stack.at(-1);
    if (element) element.text += text;
  });
  parser.on("closetag", () => void stack.pop());
  parser.write(xml).close();
  return root.children[0] ?? assert.fail("It is empty.");
}

/** What the schemas of common readers (Jenkins, Ant) agree on for each element. */
const RULES: Record<string, { attributes: string[]; children: RegExp }> = {
  testsuites: { attributes: [], children: /^(testsuite )*$/ },
  testsuite: {
    attributes: ["id", "package", "name", "timestamp", "hostname", "tests", "failures", "errors", "time"],
    children: /^properties (testcase )*system-out system-err $/,
  },
  properties: { attributes: [], children: /^(property )*$/ },
  property: { attributes: ["name", "value"], children: /^$/ },
  testcase: { attributes: ["name", "classname", "time"], children: /^((failure|error) )?$/ },
  failure: { attributes: ["message", "type"], children: /^$/ },
  error: { attributes: ["message", "type"], children: /^$/ },
  "system-out": { attributes: [], children: /^$/ },
  "system-err": { attributes: [], children: /^$/ },
};

function assertHolds({ name, attributes, children }: Element): void {
  const rule = RULES[name] ?? assert.fail(`No schema knows ${name}`);
  assert.deepEqual(Object.keys(attributes).sort(), rule.attributes.toSorted(), name);
  assert.match(children.map(child => `${child.name} `).join(""), rule.children, name);
  for (const child of children) assertHolds(child);
}

describe("the JUnit file", () => {
  it("has a suite for each route with a test for each width", () => {
    const document = parse(
      junit(
        makeCheckResult([
          makeCheckedScreenshot("/", 375),
          makeCheckedScreenshot("/", 1280, changed(0.25, 2)),
          makeCheckedScreenshot("/new", 375, { status: "new", diffRatio: null }),
          makeCheckedScreenshot("/old", 375, { status: "removed", diffRatio: null }),
          makeCheckedScreenshot("/down", 375, failed("Nobody answers.")),
        ]),
      ),
    );
    assertHolds(document);
    const [home, , , down] = document.children;
    assert.deepEqual(
      document.children.map(({ attributes: { name, tests, failures, errors } }) => [
        name,
        tests,
        failures,
        errors,
      ]),
      [
        ["/", "2", "1", "0"],
        ["/new", "1", "1", "0"],
        ["/old", "1", "1", "0"],
        ["/down", "1", "0", "1"],
      ],
    );
    assert.match(home?.attributes.timestamp ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    assert.equal(home?.attributes.time, "0.640");
    const [, second] = home?.children.filter(({ name }) => name === "testcase") ?? [];
    assert.equal(
      second?.children[0]?.attributes.message,
      "25% of the pixels differ, in 2 regions. The threshold is 1%.",
    );
    assert.equal(down?.children[1]?.children[0]?.text, "Nobody answers.");
  });

  it("names the files that a failed page didn't load", () => {
    const notes = ["Failed to load /app.css (503)."];
    const shots = [changed(0.25), failed("Nobody answers."), {}].map(more =>
      makeCheckedScreenshot("/", 375, { ...more, notes }),
    );
    const [suite] = parse(junit(makeCheckResult(shots))).children;
    const texts = suite?.children
      .filter(({ name }) => name === "testcase")
      .map(({ children }) => children[0]?.text);
    assert.deepEqual(texts, [
      `25% of the pixels differ, in 1 region. The threshold is 1%.\n${notes}`,
      `Nobody answers.\n${notes}`,
      undefined,
    ]);
  });

  it("is well-formed for all routes and pages", () => {
    const everything = Array.from({ length: 0x2_100 }, (_, code) => String.fromCharCode(code)).join("");
    const bad = `${everything}]]>\ud800\udfff\ufffe\uffff\u{1f600}<!-- & "' -->`;
    const document = parse(junit(makeCheckResult([makeCheckedScreenshot(bad, 375, failed(bad))]), 'host"<'));
    assertHolds(document);
    assert.match(document.children[0]?.attributes.name ?? "", /\u{1f600}<!-- & "' -->$/u);
  });

  it("exists for a check without pages", () => {
    assertHolds(parse(junit(makeCheckResult([]))));
  });

  it("passes minor changes and names them in their suite's output", () => {
    const shots = [makeCheckedScreenshot("/", 375, minor(0.0036, 412)), makeCheckedScreenshot("/", 1280)];
    const document = parse(junit(makeCheckResult(shots), "host"));
    assertHolds(document);
    const [suite] = document.children;
    assert.equal(suite?.attributes.failures, "0");
    const output = suite?.children.find(({ name }) => name === "system-out")?.text;
    assert.equal(output, "Minor change at 375 px: 0.36%, 412 pixels");
    const [properties] = suite?.children ?? [];
    assert.deepEqual({ ...properties?.children.at(-1)?.attributes }, { name: "minorChanges", value: "1" });
  });
});
