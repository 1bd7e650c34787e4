import assert from "node:assert/strict";
import { dayOf, endOfDay, linkState } from "../../../shared/links/link-rules.ts";
import { Links } from "../../../shared/links/links.ts";

const HASH = "ab".repeat(32);
const links = new Links("https://vrs.example/base", "the key");
const others = new Links("https://vrs.example/base", "another key");

const reportToken = (of: Links, runId: string) => new URL(of.report(runId)).searchParams.get("token") ?? "";
const imageSignature = (of: Links, team: string, hash: string) =>
  new URL(of.image(team, hash)).pathname.split("/").at(-2) ?? "";

/** Returns the text with each character changed, removed and doubled in turn. */
function tampered(text: string): string[] {
  const changed = [...text].map(
    (char, at) => text.slice(0, at) + (char === "A" ? "B" : "A") + text.slice(at + 1),
  );
  return ["", text.slice(1), text.slice(0, -1), `${text}A`, `${text}\u0101`, ...changed];
}

describe("The link of a report", () => {
  it("opens its run", () => {
    assert.equal(
      links.report("run_1"),
      `https://vrs.example/base/v1/reports/run_1?token=${reportToken(links, "run_1")}`,
    );
    assert.ok(links.opensReport("run_1", reportToken(links, "run_1")));
  });

  it("opens no other run, and is invalid with another key", () => {
    assert.ok(!links.opensReport("run_2", reportToken(links, "run_1")));
    assert.ok(!links.opensReport("run_1", reportToken(others, "run_1")));
  });

  it("is invalid if a character differs", () => {
    for (const token of tampered(reportToken(links, "run_1")))
      assert.ok(!links.opensReport("run_1", token), token);
  });
});

describe("The link of an image", () => {
  const RUN = { id: "run_1", linkGeneration: 2 };
  const NOON = Date.UTC(2026, 10, 24, 12);
  const link = new URL(links.image("team_1", HASH, RUN, NOON));
  const signed = link.pathname.split("/").at(-2) ?? "";

  it("opens the image, and contains its run and day", () => {
    assert.equal(link.href, `https://vrs.example/base/v1/images/team_1/${signed}/${HASH}.png`);
    const day = Math.floor(NOON / 86_400_000);
    assert.deepEqual(links.readImage("team_1", HASH, signed), { runId: "run_1", generation: 2, day });
    const own = imageSignature(links, "team_1", HASH);
    assert.equal(links.readImage("team_1", HASH, own)?.runId, null);
  });

  it("is the same all day, so that browsers cache the image", () => {
    assert.equal(links.image("team_1", HASH, RUN, NOON + 11 * 3_600_000), link.href);
    assert.notEqual(links.image("team_1", HASH, RUN, NOON + 12 * 3_600_000), link.href);
  });

  it("opens no other image, and not the same image of another team", () => {
    assert.equal(links.readImage("team_1", "cd".repeat(32), signed), null);
    assert.equal(links.readImage("team_2", HASH, signed), null);
    assert.equal(links.readImage("team_1", HASH, imageSignature(others, "team_1", HASH)), null);
  });

  it("is invalid if a character differs, also of its day, run or generation", () => {
    for (const text of tampered(signed)) assert.equal(links.readImage("team_1", HASH, text), null, text);
  });

  it("is no valid token of a report, however the ids are split", () => {
    const [, , , signature = ""] = signed.split(".");
    assert.ok(!links.opensReport(`team_1 ${HASH}`, signature));
    assert.equal(links.readImage("team_1", HASH, reportToken(links, `team_1 ${HASH}`)), null);
  });
});

describe("A revoked link", () => {
  it("no longer opens the report, and the new one does", () => {
    const [first, second] = [0, 1].map(
      generation => new URL(links.report("run_1", generation)).searchParams.get("token") ?? "",
    );
    assert.ok(first && second && first !== second);
    assert.ok(links.opensReport("run_1", first) && !links.opensReport("run_1", first, 1));
    assert.ok(links.opensReport("run_1", second, 1) && !links.opensReport("run_1", second));
  });
});

describe("linkState", () => {
  const settings = { linkDays: 2, publicLinks: true };

  it("is open until the team's number of days is over, and private if the team requires it", () => {
    const made = Date.UTC(2026, 10, 24);
    const over = made + 2 * 86_400_000;
    assert.equal(linkState(made, made, settings), "open");
    assert.equal(linkState(made, over - 1, settings), "open");
    assert.equal(linkState(made, over, settings), "expired");
    assert.equal(linkState(made, made, { ...settings, publicLinks: false }), "private");
    assert.equal(linkState(made, over, { ...settings, publicLinks: false }), "expired");
  });

  it("counts an image's days from the end of the day of its link", () => {
    const late = Date.UTC(2026, 10, 24, 23, 59);
    assert.equal(dayOf(endOfDay(dayOf(late)) - 1), dayOf(late));
    assert.ok(endOfDay(dayOf(late)) > late);
  });
});
