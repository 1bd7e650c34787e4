import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { projectConfigSchema } from "../../../shared/project-config/project-config.ts";
import { STARTER_CONFIG } from "../../../shared/project-config/starter/starter-config.ts";
import { readInThisProcess } from "../../../shared/project-config/static-reading/read-in-this-process.ts";

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const texts = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(`\`\${a}\``, "\\", "'\"", "\u2028", "😀", "__proto__"),
);
const route = texts.map(text => `/${text.replace(/[\p{Cc}/\\]/gu, "")}`);
/** Mostly valid values, and sometimes invalid ones. */
const mostly = <T extends Json>(right: fc.Arbitrary<T>, ...wrong: T[]) =>
  fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: fc.constantFrom(...wrong) });
const selector = mostly(
  texts.map(text => text || "*"),
  "",
);
const settings = {
  masks: fc.array(selector, { maxLength: 4 }),
  waitForSelector: selector,
  headers: fc.dictionary(fc.constantFrom("x-a", "constructor", "toString"), texts, { noNullPrototype: true }),
  network: fc.array(
    fc.record({ url: selector, action: mostly(fc.constantFrom("block", "fulfil"), "other") }),
    {
      maxLength: 2,
    },
  ),
  threshold: mostly(fc.double({ min: 0, max: 1, noNaN: true }), -0.5, 2),
  viewports: mostly(fc.array(fc.integer({ min: 240, max: 3840 }), { minLength: 1, maxLength: 4 }), [], [-1]),
};
const configs = fc
  .record(
    {
      ...settings,
      perRoute: fc.dictionary(route, fc.record(settings, { requiredKeys: [], noNullPrototype: true }), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      baselines: fc.record({ branch: selector }, { noNullPrototype: true }),
      project: mostly(fc.constantFrom("shop", "a/b"), ""),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .chain(config =>
    mostly(fc.constant([...Object.keys(config.perRoute ?? {}), "/"]), ["/other"]).map(routes => ({
      ...config,
      routes,
    })),
  );

/** Writes a value in one of the possible notations, with constants before it. */
class Speller {
  readonly constants: string[] = [];
  readonly #pick: (most: number) => number;

  constructor(pick: (most: number) => number) {
    this.#pick = pick;
  }

  spell(value: Json): string {
    const plain = this.#plain(value);
    switch (this.#pick(9)) {
      case 0:
        return this.#constant(plain);
      case 1:
        return `(${plain})`;
      case 2:
        return `(${plain} satisfies unknown)`;
      case 3:
        return `(${plain} as any)`;
      case 4:
        return `${this.#constant(`{ of: ${plain} }`)}${this.#pick(2) === 0 ? ".of" : "['of']"}`;
      case 5:
        return `${this.#constant(`[0, ${plain}]`)}[1]`;
      default:
        return plain;
    }
  }

  #constant(plain: string): string {
    const name = `c${this.constants.length}`;
    this.constants.push(`const ${name} = ${plain};`);
    return name;
  }

  #plain(value: Json): string {
    if (typeof value === "string") return this.#text(value);
    if (Array.isArray(value)) return this.#list(value.map(item => this.spell(item)));
    if (typeof value === "object" && value !== null) return this.#record(value);
    return Object.is(value, -0) ? "-0" : String(value);
  }

  #text(value: string): string {
    const quoted = JSON.stringify(value);
    if (this.#pick(3) > 0) return quoted;
    const letters = [...value];
    const half = Math.floor(letters.length / 2);
    const escaped = letters
      .slice(half)
      .join("")
      .replace(/[\\`$]/g, "\\$&")
      .replace(/\r/g, "\\r");
    return `\`\${${this.spell(letters.slice(0, half).join(""))}}${escaped}\``;
  }

  #list(items: string[]): string {
    const at = this.#pick(items.length + 2);
    if (at > items.length) return `[${items.join(", ")}]`;
    return `[...${this.spell([])}, ...${this.#constant(`[${items.slice(0, at)}]`)}, ${items.slice(at).join(", ")}]`;
  }

  #record(value: { [name: string]: Json }): string {
    const fields = Object.entries(value).map(([name, field]) => {
      const key = this.#pick(3) === 0 ? `[${this.spell(name)}]` : JSON.stringify(name);
      return `${key}: ${this.spell(field)}`;
    });
    const at = this.#pick(fields.length + 2);
    if (at > fields.length) return `{ ${fields.join(", ")} }`;
    return `{ ...${this.#constant(`{ ${fields.slice(0, at)} }`)}, ${fields.slice(at).join(", ")} }`;
  }
}

/** Asserts that a source left no trace in globals or the prototype. */
const untouched = () => {
  assert.equal("hit" in globalThis, false);
  assert.equal(Reflect.ownKeys(Object.prototype).includes("hit"), false);
  assert.equal(Reflect.get({}, "routes"), undefined);
};

const positionsWithin = (source: string, fileName: string) => {
  const { config, failures } = readInThisProcess(source, fileName);
  const lines = source.split(/\r\n|[\n\r\u2028\u2029]/);
  for (const { line, column, endLine, endColumn, message } of failures) {
    assert.ok(line >= 1 && line <= lines.length && endLine >= line && endLine <= lines.length, message);
    assert.ok(column >= 1 && column <= (lines[line - 1]?.length ?? 0) + 3 && endColumn >= 1, message);
    assert.ok(message.length > 0 && message.length < 1_000, message);
  }
  assert.equal(config === null, failures.length > 0);
  if (config) assert.deepEqual(projectConfigSchema.parse(config), config);
};

describe("Reading any configuration", () => {
  afterEach(untouched);

  it("returns the same as running it, in every notation", () => {
    let accepted = 0;
    fc.assert(
      fc.property(configs, fc.infiniteStream(fc.nat()), (config, numbers) => {
        const speller = new Speller(most => (numbers.next().value ?? 0) % most);
        const exported = speller.spell(config);
        const source = `${speller.constants.join("\n")}\nmodule.exports = defineConfig(${exported});`;
        const module = { exports: {} };
        const script = source.replaceAll(/ (satisfies unknown|as any)\)/g, ")");
        runInNewContext(script, { module, defineConfig: (given: unknown) => given }, { timeout: 5_000 });
        const given: unknown = JSON.parse(JSON.stringify(module.exports));
        assert.deepEqual(given, JSON.parse(JSON.stringify(config)), "It was not written right");
        const expected = projectConfigSchema.safeParse(given);
        const read = readInThisProcess(source, "service.config.ts");
        assert.deepEqual(read.config, expected.success ? expected.data : null, source);
        if (expected.success) accepted += 1;
        else
          assert.ok(
            read.failures.every(({ code }) => code === "invalid-value" || code === "unknown-field"),
            source,
          );
      }),
      { numRuns: 500 },
    );
    assert.ok(accepted > 100, `Only ${accepted} were configurations`);
  });

  const BIG = `import { defineConfig } from "vrs";
const widths = { phone: 375, all: [768, 1440] } as const;
const base = { hide: [".chat"], threshold: 0.1 };
export default defineConfig({ ...base, routes: ["/", \`/\${"a"}\`], viewports: [widths.phone, ...widths.all],
  perRoute: { "/": { masks: ["#x"], headers: { "x-a": "b" }, network: [{ url: "**", action: "block" }] } } });
`;
  const YAML = `base: &base [".chat"]\nroutes: [/, "/a"]\nviewports:\n  - 375\n  - 768\nhide: *base\nperRoute:\n  /: {masks: ['#x'], network: [{url: "**", action: block}]}\n`;
  const hits = [
    "globalThis.hit = true",
    "(() => { globalThis.hit = true; return [] })()",
    `\${globalThis.hit = true}`,
    `\`\${(globalThis.hit = true)}\``,
    "globalThis.constructor.constructor('globalThis.hit = true')()",
    "await import('data:text/javascript,globalThis.hit=true')",
    "{ toString() { globalThis.hit = true; return '' } }",
    "[globalThis.hit = true]: 1,",
    "get routes() { globalThis.hit = true; return [] },",
    "static { globalThis.hit = true }",
    "__proto__: { hit: 1, routes: 1 },",
    "'__proto__': { hit: 1 },",
    "constructor: { prototype: { hit: 1 } },",
    "process.exit(1)",
    "while (true) {}",
    "!!js/function 'function () { globalThis.hit = true }'",
    "<<: *base",
    "&base ",
    "*base",
  ];
  const pieces = fc.oneof(
    fc.constantFrom(...hits, ..."[]{}(),.:;`'\"$\\/<>=!?-+*&|\n\r\t#%@\0\u2028\ud800😀"),
    fc.constantFrom(
      "const ",
      "export default ",
      "...",
      "as const",
      "=>",
      "async ",
      "function ",
      "class ",
      "module.exports = ",
    ),
    fc.string({ maxLength: 6 }),
  );
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(30), pieces), { minLength: 1, maxLength: 4 });

  for (const [kind, source, fileName] of [
    ["a small script", STARTER_CONFIG, "service.config.ts"],
    ["a script", BIG, "service.config.ts"],
    ["YAML", YAML, "service.yml"],
  ] as const) {
    it(`gives a configuration or failures within the file for ${kind} with anything changed in it, and runs nothing`, () => {
      fc.assert(
        fc.property(edits, changes => {
          const text = changes.reduce<string>((now, [place, length, piece]) => {
            const at = place % (now.length + 1);
            return now.slice(0, at) + piece + now.slice(at + length);
          }, source);
          positionsWithin(text, fileName);
        }),
        { numRuns: 1_500 },
      );
    });
  }

  it("returns failures for any text", () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 40 }),
        fc.constantFrom("a.ts", "a.js", "a.yml"),
        (parts, fileName) => {
          positionsWithin(parts.join(""), fileName);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
