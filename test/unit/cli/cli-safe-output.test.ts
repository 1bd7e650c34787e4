import assert from "node:assert/strict";
import {
  bodyOf,
  briefBodyOf,
  type OutgoingAlert,
  type WebhookForm,
} from "../../../cli/monitor/webhook-form.ts";
import { LineReader, shownAppLine } from "../../../cli/output/app-output.ts";
import { toJson } from "../../../cli/terminal.ts";
import { visible } from "../../../shared/text/visible-text.ts";

/** Colors and weights of text. */
const ESCAPE = "\u001b";
const SGR = new RegExp(`${ESCAPE}\\[[\\d;:]*m`, "g");

/** DEL, a C1 control, bidi controls, separators, a lone surrogate, and an escape sequence. */
const HOSTILE = "a\u007f\u009b31m\u202eb\u2066\u061c\u2028\u2029\ud800\u001b[2J\u200f\ufffe";

describe("JSON on standard output", () => {
  it("has no raw control or bidi characters, and parses to the same value", () => {
    const value = { [HOSTILE]: [HOSTILE], text: "Größe 価格 👩‍🚀\n\t" };
    for (const text of [toJson(value), toJson(value, 0)]) {
      assert.equal(visible(text), text);
      assert.deepEqual(JSON.parse(text), value);
    }
    assert.equal(toJson({ a: "é" }), '{\n  "a": "é"\n}');
  });
});

describe("the output of the application that a check starts", () => {
  const red = "\u001b[31mred\u001b[0m";

  it("keeps only colors on a terminal", () => {
    const hostile = `${red} \u001b[2J\u001b[1;1H\u001b]0;title\u0007\u001b]8;;https://evil.example\u0007x\u001b]8;;\u0007\u009b2J\u202e\u0008`;
    const shown = shownAppLine(hostile, { hasColor: true });
    assert.equal(shown.replace(SGR, ""), "[app] red x\ufffd\ufffd");
    assert.ok(shown.includes("\u001b[31mred"));
    assert.ok(shown.endsWith("\u001b[0m"));
  });

  it("has no escape sequences elsewhere, and no CI command at the start of a line", () => {
    assert.equal(shownAppLine(red, { hasColor: false }), "[app] red");
    assert.equal(shownAppLine("::error::x", { hasColor: false }), "[app] ::error::x");
    assert.ok(!shownAppLine("\u001b]0;never ended", { hasColor: true }).includes("\u001b"));
  });

  it("is split into bounded lines for any chunks", () => {
    const lines: string[] = [];
    const reader = new LineReader(line => lines.push(line));
    for (const chunk of ["on", "e\r", "\ntwo\n", "10%\r20%\r30%\n", "\u001b[3", "1mred\nlast"])
      reader.add(chunk);
    assert.deepEqual(lines, ["one", "two", "30%", "\u001b[31mred"]);
    reader.end();
    assert.equal(lines.at(-1), "last");
    reader.add("x".repeat(100_000));
    assert.ok(lines.slice(5).every(line => line.length <= 8_000));
    assert.ok(lines.length > 10);
  });
});

describe("the minimal body of an alert", () => {
  it("is a headline in each form, and smaller than the full body", () => {
    const url = "https://a.example/<!channel>@everyone";
    const outgoing: OutgoingAlert = {
      id: "alr_1",
      threshold: 0.05,
      alert: {
        kind: "changed",
        at: "2026-11-20T10:00:00.000Z",
        about: "x",
        since: null,
        regressions: [{ url, state: null, environment: null, viewport: 375, diffRatio: 0.1 }],
        down: [],
        recovered: [],
      },
    };
    for (const form of ["slack", "discord", "teams", "google-chat", "generic"] satisfies WebhookForm[]) {
      const brief = JSON.stringify(briefBodyOf(form, outgoing));
      assert.match(brief, /changed by 10%/, form);
      if (form === "slack") assert.doesNotMatch(brief, /<!channel>/);
      assert.ok(brief.length < JSON.stringify(bodyOf(form, outgoing)).length, form);
    }
  });
});
