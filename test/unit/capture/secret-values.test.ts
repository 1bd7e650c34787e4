import assert from "node:assert/strict";
import { SecretValues } from "../../../shared/capture/sessions/secret-values.ts";

describe("secrets of a visit", () => {
  const secrets = new SecretValues({
    PASSWORD: "correct horse & cow",
    LONG: "swordfish-of-the-sea",
    NONE: "",
  });

  it("are masked in texts, URLs, form data and JSON", () => {
    const quoted = new SecretValues({ QUOTED: 'a "quoted" one' });
    assert.deepEqual(
      [
        "typed correct horse & cow.",
        "/find/correct%20horse%20&%20cow",
        "?q=correct%20horse%20%26%20cow",
        "q=correct+horse+%26+cow",
      ].map(text => secrets.mask(text)),
      ["typed •••.", "/find/•••", "?q=•••", "q=•••"],
    );
    assert.equal(quoted.mask(JSON.stringify({ value: 'a "quoted" one' })), '{"value":"•••"}');
  });

  it("are masked where a text was cut within one", () => {
    assert.equal(secrets.mask("The page says: swordfish-of-…"), "The page says: •••…");
    assert.equal(secrets.mask("https://a.example…-the-sea/end (404)"), "https://a.example…•••/end (404)");
    assert.equal(secrets.mask("the sea… and the sea"), "the sea… and the sea");
  });
});
