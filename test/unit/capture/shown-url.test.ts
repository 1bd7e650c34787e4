import assert from "node:assert/strict";
import { shownUrl } from "../../../shared/capture/page/shown-url.ts";

describe("a URL in a message", () => {
  it("has no query, no credentials, and no more than a line", () => {
    assert.equal(
      shownUrl("https://me:secret@a.example:8443/b/c?key=swordfish#d"),
      "https://a.example:8443/b/c",
    );
    assert.match(
      shownUrl(`https://a.example/${"b".repeat(500)}/end.png`),
      /^https:\/\/a\.example…b{90,92}\/end\.png$/,
    );
  });

  it("holds nothing of a data: URL", () => {
    assert.equal(shownUrl("data:text/plain,swordfish"), "data:…");
  });

  it("is what was submitted where it is that", () => {
    const submitted = "https://a.example?key=1";
    assert.equal(shownUrl("https://a.example/?key=1", submitted), submitted);
    assert.equal(shownUrl("https://a.example/?key=2", submitted), "https://a.example/");
  });
});
