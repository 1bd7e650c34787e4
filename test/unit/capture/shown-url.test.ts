import assert from "node:assert/strict";
import { shownUrl } from "../../../shared/capture/page/shown-url.ts";

describe("URL in a message", () => {
  it("has no query and no credentials, and is at most one line long", () => {
    assert.equal(
      shownUrl("https://me:secret@a.example:8443/b/c?key=swordfish#d"),
      "https://a.example:8443/b/c",
    );
    assert.match(
      shownUrl(`https://a.example/${"b".repeat(500)}/end.png`),
      /^https:\/\/a\.example…b{90,92}\/end\.png$/,
    );
  });

  it("omits the content of a data: URL", () => {
    assert.equal(shownUrl("data:text/plain,swordfish"), "data:…");
  });

  it("equals the submitted URL", () => {
    const submitted = "https://a.example?key=1";
    assert.equal(shownUrl("https://a.example/?key=1", submitted), submitted);
    assert.equal(shownUrl("https://a.example/?key=2", submitted), "https://a.example/");
  });
});
