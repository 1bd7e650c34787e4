import assert from "node:assert/strict";
import { markNew } from "../../../services/runs/queries/new-diagnostics.rule.ts";
import { maskTokens } from "../../../shared/capture/diagnostics/mask-tokens.ts";
import { type Diagnostics, NO_DIAGNOSTICS } from "../../../shared/contracts/capture/diagnostics.ts";
import { diagnosticsAt } from "../../support/fixtures/diagnostics.ts";

const newsOf = ({ failedRequests, consoleMessages, pageErrors }: Diagnostics) =>
  [...failedRequests, ...consoleMessages, ...pageErrors].map(({ isNew }) => isNew);

const message = (text: string): Diagnostics => ({
  ...NO_DIAGNOSTICS,
  consoleMessages: [{ level: "error", text, url: null, line: null, times: 1 }],
});

describe("new diagnostics", () => {
  it("are unknown without the baseline's diagnostics", () => {
    assert.deepEqual(newsOf(markNew(diagnosticsAt("https://a.test"), null)), [
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("are all that a quiet baseline doesn't have", () => {
    const marked = markNew(diagnosticsAt("https://a.test"), NO_DIAGNOSTICS);
    assert.deepEqual(newsOf(marked), [true, true, true, true]);
  });

  it("exclude what the baseline has on another deployment", () => {
    const marked = markNew(diagnosticsAt("https://a.test:8080"), diagnosticsAt("http://b.test"));
    assert.deepEqual(newsOf(marked), [false, false, false, false]);
  });

  it("are unknown where the baseline dropped entries", () => {
    const marked = markNew(message("another"), diagnosticsAt("https://a.test"));
    assert.deepEqual(newsOf(marked), [undefined]);
  });

  it("exclude messages whose hosts and queries differ, and include those whose paths differ", () => {
    const isNew = (text: string, before: string) => newsOf(markNew(message(text), message(before)))[0];
    const known = "loading 'https://a.test/app.js?v=1' failed";
    for (const text of [
      "loading 'http://b.test:8080/app.js?v=22' failed",
      "loading 'wss://b.test/app.js' failed",
      "loading 'ws://b.test/app.js?' failed",
      "loading '/app.js' failed",
    ])
      assert.equal(isNew(text, known), false, text);
    for (const text of [
      "loading 'https://a.test/main.js?v=1' failed",
      "loading 'https://a.test/app.js?v=1' was slow",
      "loading 'ftp://a.test/app.js?v=1' failed",
    ])
      assert.equal(isNew(text, known), true, text);
  });

  it("include another error of the page", () => {
    const [error] = diagnosticsAt("https://a.test").pageErrors;
    assert.ok(error);
    const errors = (text: string): Diagnostics => ({
      ...NO_DIAGNOSTICS,
      pageErrors: [{ ...error, message: text }],
    });
    assert.deepEqual(newsOf(markNew(errors("b is undefined"), errors("a is undefined"))), [true]);
    assert.deepEqual(newsOf(markNew(errors("a is undefined"), errors("a is undefined"))), [false]);
  });

  it("include an uncaught error whose text the baseline only logged", () => {
    const [error] = diagnosticsAt("https://a.test").pageErrors;
    assert.ok(error);
    const uncaught = { ...NO_DIAGNOSTICS, pageErrors: [{ ...error, message: "a is undefined" }] };
    const logged = message("a is undefined");
    assert.deepEqual(newsOf(markNew(uncaught, logged)), [true]);
    assert.deepEqual(newsOf(markNew(logged, uncaught)), [true]);
  });

  it("include another status of the same request", () => {
    const [request] = diagnosticsAt("https://a.test").failedRequests;
    assert.ok(request);
    const baseline = { ...NO_DIAGNOSTICS, failedRequests: [request] };
    const failed = { ...NO_DIAGNOSTICS, failedRequests: [{ ...request, status: 404 }] };
    assert.deepEqual(newsOf(markNew(failed, baseline)), [true]);
  });
});

describe("masked tokens", () => {
  const masked = (text: string) => maskTokens(message(text)).consoleMessages[0]?.text;

  it("are values of parameters whose name or value looks like a token", () => {
    const cases = {
      "/cart?page=2&token=abc": "/cart?page=2&token=•••",
      "/cart?apiKey=abc&sort=name": "/cart?apiKey=•••&sort=name",
      "/#access_token=abc&state=1": "/#access_token=•••&state=1",
      "/?v=3f9c1aa0c2d94be5c6a7f0d1": "/?v=•••",
      "/?q=a+long+search+without+digits": "/?q=a+long+search+without+digits",
      "fetch 'https://ada:hunter2@site.test/x?X-Amz-Signature=9f' failed":
        "fetch 'https://•••@site.test/x?X-Amz-Signature=•••' failed",
    };
    for (const [text, expected] of Object.entries(cases)) assert.equal(masked(text), expected);
  });

  it("are masked in every text", () => {
    const found = JSON.stringify(maskTokens(diagnosticsAt("https://a.test/?token=abc")));
    assert.ok(!found.includes("abc"), found);
  });
});
