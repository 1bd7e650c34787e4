import assert from "node:assert/strict";
import { Links } from "../../shared/links.ts";

const HASH = "ab".repeat(32);
const links = new Links("https://vrs.example/base", "the key");
const others = new Links("https://vrs.example/base", "another key");

const reportToken = (of: Links, runId: string) => new URL(of.report(runId)).searchParams.get("token") ?? "";
const imageSignature = (of: Links, team: string, hash: string) =>
  new URL(of.image(team, hash)).pathname.split("/").at(-2) ?? "";

/** The text with each of its characters changed, cut and grown in turn. */
function tampered(text: string): string[] {
  const changed = [...text].map(
    (char, at) => text.slice(0, at) + (char === "A" ? "B" : "A") + text.slice(at + 1),
  );
  return ["", text.slice(1), text.slice(0, -1), `${text}A`, `${text}\u0101`, ...changed];
}

describe("the link of a report", () => {
  it("opens its run", () => {
    assert.equal(
      links.report("run_1"),
      `https://vrs.example/base/v1/reports/run_1?token=${reportToken(links, "run_1")}`,
    );
    assert.ok(links.opensReport("run_1", reportToken(links, "run_1")));
  });

  it("opens no other run, and was not made with another key", () => {
    assert.ok(!links.opensReport("run_2", reportToken(links, "run_1")));
    assert.ok(!links.opensReport("run_1", reportToken(others, "run_1")));
  });

  it("opens nothing once a single character differs", () => {
    for (const token of tampered(reportToken(links, "run_1")))
      assert.ok(!links.opensReport("run_1", token), token);
  });
});

describe("the link of an image", () => {
  const signature = imageSignature(links, "team_1", HASH);

  it("opens the image, for its team's links", () => {
    assert.equal(
      links.image("team_1", HASH),
      `https://vrs.example/base/v1/images/team_1/${signature}/${HASH}.png`,
    );
    assert.ok(links.opensImage("team_1", HASH, signature));
  });

  it("opens neither another image nor the same one as another team's", () => {
    assert.ok(!links.opensImage("team_1", "cd".repeat(32), signature));
    assert.ok(!links.opensImage("team_2", HASH, signature));
    assert.ok(!links.opensImage("team_1", HASH, imageSignature(others, "team_1", HASH)));
  });

  it("opens nothing once a single character differs", () => {
    for (const text of tampered(signature)) assert.ok(!links.opensImage("team_1", HASH, text), text);
  });

  it("is no report's token, however the ids are cut", () => {
    assert.ok(!links.opensReport(`team_1 ${HASH}`, signature));
    assert.ok(!links.opensImage("team_1", HASH, reportToken(links, `team_1 ${HASH}`)));
  });
});
