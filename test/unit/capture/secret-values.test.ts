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

  it("are masked in HTML, scripts and JSON, however each character is escaped", () => {
    const secret = `a"b'c<d>&/e\\f é😀\n1`;
    const own = new SecretValues({ OWN: secret });
    const html = (text: string) => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
    const named: Record<string, string> = {
      "&": "&amp;",
      "<": "&lt;",
      ">": "&gt;",
      '"': "&quot;",
      "'": "&#x27;",
    };
    const ascii = (text: string) =>
      text.replace(/[^ -~]|[<>&']/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const json = (text: string) => JSON.stringify(text).slice(1, -1);
    const encoders: ((text: string) => string)[] = [
      html,
      text => text.replace(/[&<>"']/g, character => named[character] ?? ""),
      json,
      text => ascii(json(text)),
      text => json(text).replaceAll("/", "\\/"),
      encodeURIComponent,
      text => encodeURIComponent(text).toLowerCase(),
      text => new URLSearchParams({ text }).toString().slice("text=".length),
    ];
    const inner: ((text: string) => string)[] = [text => text, json, text => ascii(json(text))];
    for (const [first, encodeFirst] of inner.entries())
      for (const [then, encode] of encoders.entries()) {
        const text = `<p data-x="${encode(encodeFirst(secret))}">`;
        assert.equal(own.mask(text), '<p data-x="•••">', `${first} ${then}: ${text}`);
      }
  });

  it("are masked with any mix of escapes", () => {
    let state = 7;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * below);
    };
    const alphabet = [..."aZ09-_.!\"'&<>/\\+%#?=$^*()[]{}|~ é漢😀"];
    for (let round = 0; round < 60; round++) {
      const secret = Array.from({ length: 4 + random(12) }, () => alphabet[random(alphabet.length)]).join("");
      const escaped = [...secret]
        .map(character => {
          const code = character.codePointAt(0) ?? 0;
          if (/[a-z0-9]/i.test(character)) return character;
          const forms = [
            ...[character, `&#${code};`, `&#x${code.toString(16)};`, encodeURIComponent(character)],
            ...[JSON.stringify(character).slice(1, -1), `\\u{${code.toString(16)}}`],
          ];
          return forms[random(forms.length)];
        })
        .join("");
      const own = new SecretValues({ OWN: secret });
      assert.equal(own.mask(`(${escaped})`), "(•••)", `${secret} as ${escaped}`);
      assert.equal(own.mask("An unrelated text of a page."), "An unrelated text of a page.");
    }
  });

  it("are found in large texts quickly", () => {
    const slashes = new SecretValues({ OWN: `a${"\\".repeat(12)}b` });
    assert.equal(slashes.mask(`a${"\\".repeat(20)}b`), "•••");
    const long = `ab${"a\\\\\\\\".repeat(20)}${"\\".repeat(10_000)}`;
    assert.equal(slashes.mask(long), long);
    const own = new SecretValues(
      Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`S${n}`, `secret "${n}" value`])),
    );
    const text = '&#34;\\\\\\"%25secre '.repeat(30_000);
    const start = process.cpuUsage();
    assert.equal(own.mask(text), text);
    assert.ok(process.cpuUsage(start).user / 1_000 < 3_000);
  });

  it("are found quickly, however many combinations of escapes a text allows", () => {
    const own = new SecretValues({ OWN: `${"\\!".repeat(11)}Q` });
    const text = `${`${"\\".repeat(5)}!`.repeat(11)} Q`;
    const start = process.cpuUsage();
    assert.equal(own.mask(text), text);
    assert.equal(own.mask(text.replace(" ", "")), "•••");
    assert.ok(process.cpuUsage(start).user / 1_000 < 3_000);
  });

  it("hide the rest of a text that repeats their start too often to be searched", () => {
    for (const start of ["a-", "a", "&"]) {
      const own = new SecretValues({ OWN: `${start.repeat(9_000 / start.length)}-b1` });
      const text = `A page. ${start.repeat(500_000)} b1`;
      const masked = own.mask(text);
      assert.match(masked, /^A page\. .*•••$/, start);
      assert.ok(masked.length < text.length / 2, start);
    }
  });

  it("are found quickly where many texts were cut", () => {
    const own = new SecretValues(
      Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [`S${n}`, `secret "${n}" ${"value ".repeat(70)}`]),
      ),
    );
    const text = `a secret value ${"value ".repeat(30)}…`;
    const start = process.cpuUsage();
    for (let count = 0; count < 3_000; count++) assert.equal(own.mask(text), text);
    assert.ok(process.cpuUsage(start).user / 1_000 < 3_000);
  });
});
