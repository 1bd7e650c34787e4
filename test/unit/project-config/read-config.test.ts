import assert from "node:assert/strict";
import { STARTER_CONFIG } from "../../../shared/project-config/starter/starter-config.ts";
import { readInThisProcess } from "../../../shared/project-config/static-reading/read-in-this-process.ts";

const FILE = "service.config.ts";

/** Returns the fields that a source sets, without defaults. */
function fieldsOf(source: string, fileName = FILE): unknown {
  const { config, failures } = readInThisProcess(source, fileName);
  assert.deepEqual(failures, []);
  const defaults = readInThisProcess("export default {}", FILE).config;
  return Object.fromEntries(
    Object.entries(config ?? {}).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(Object(defaults)[name]),
    ),
  );
}

/** Returns each failure as `line:column code`. */
function failuresOf(source: string, fileName = FILE): string[] {
  const { config, failures } = readInThisProcess(source, fileName);
  assert.equal(config, null);
  return failures.map(({ line, column, code }) => `${line}:${column} ${code}`);
}

describe("A configuration that is read without running it", () => {
  it("reads the starter configuration", () => {
    assert.deepEqual(fieldsOf(STARTER_CONFIG), { viewports: [375, 768, 1440] });
    const { config } = readInThisProcess(STARTER_CONFIG, FILE);
    assert.deepEqual(
      [config?.baseUrl, config?.routes, config?.threshold],
      ["http://localhost:3000", ["/"], 0.01],
    );
  });

  const read: [source: string, fields: unknown, fileName?: string][] = [
    ["export default {}", {}],
    ["export default { routes: ['/a', \"/b\", `/c`] }", { routes: ["/a", "/b", "/c"] }],
    [
      "export default { threshold: 0.5, viewports: [0x190, 5e2, +600] }",
      { threshold: 0.5, viewports: [400, 500, 600] },
    ],
    ["export default { threshold: -0 }", { threshold: -0 }],
    ["export default ({ routes: (['/a']) })", { routes: ["/a"] }],
    ["export default { routes: ['/a'] } as const satisfies Config", { routes: ["/a"] }],
    ["export default <Config>{ routes: ['/a']! }", { routes: ["/a"] }],
    [
      "import { defineConfig } from 'vrs'; export default defineConfig({ routes: ['/a'] })",
      { routes: ["/a"] },
    ],
    [
      "import { defineConfig as d, type X } from 'vrs/config'; export default d({ routes: ['/a'] })",
      { routes: ["/a"] },
    ],
    ["export default defineConfig<Config>({ routes: ['/a'] })", { routes: ["/a"] }],
    [
      "const r = ['/a'], all = [...r, '/b']; export default { routes: [...all, ...r] }",
      { routes: ["/a", "/b"] },
    ],
    ["const routes = ['/a']; export default { routes }", { routes: ["/a"] }],
    [
      "const a = { routes: ['/a'], hide: ['x'] }; export default { ...a, routes: ['/b'] }",
      { routes: ["/b"], hide: ["x"] },
    ],
    [
      "const w = { phone: 375, all: [600, 700] } as const; export default { viewports: [w.phone, w['all'][1]] }",
      { viewports: [375, 700] },
    ],
    [
      `const l = 'de', n = 1; export default { routes: [\`/\${l}/\${n}\${true}\${null}\`] }`,
      { routes: ["/de/1truenull"] },
    ],
    [
      "const r = '/a'; export default { routes: [r], perRoute: { [r]: { threshold: 0 } } }",
      { routes: ["/a"], perRoute: { "/a": { threshold: 0 } } },
    ],
    [
      "export default { headers: { constructor: 'x', toString: 'y' } }",
      { headers: { constructor: "x", toString: "y" } },
    ],
    ["export default { masks: undefined, hide: ['a'] }", { hide: ["a"] }],
    ["export const config = { hide: ['a'] }; export default config", { hide: ["a"] }],
    ["const config = { hide: ['a'] }; export { config as default, config }", { hide: ["a"] }],
    ["'use strict'; module.exports = { hide: ['a'] };", { hide: ["a"] }, "service.config.cjs"],
    ["export = { hide: ['a'] }", { hide: ["a"] }],
    ["#!/usr/bin/env node\n/* a */ export default { /* b */ hide: ['a'], // c\n}", { hide: ["a"] }],
    // Unused parts may be anything, and fields that the service ignores too.
    [
      "import x from './x'; import './y'; function f() { return x }; class C {}; enum E { A }; let z = f(); type T = C; interface I {}; export default { hide: ['a'] }",
      { hide: ["a"] },
    ],
    [
      "export default { baseUrl: process.env.URL ?? f(), concurrency: cpus().length, browser: { path: which() }, plugins: [monitor({ urls: g })], hide: ['a'] }",
      { hide: ["a"] },
    ],
    ["const base = { baseUrl: process.env.URL, hide: ['a'] }; export default { ...base }", { hide: ["a"] }],
    ["export default { plugins: ['x', { name: 5 }], hide: ['a'] }", { hide: ["a"] }],
    ["hide: [a]", { hide: ["a"] }, "service.yml"],
    ["# nothing", {}, "service.yml"],
    [
      "routes: &r [/a, /b]\nperRoute: {/a: &s {threshold: 0.0}, /b: *s}\nhide: *r",
      {
        routes: ["/a", "/b"],
        hide: ["/a", "/b"],
        perRoute: { "/a": { threshold: 0 }, "/b": { threshold: 0 } },
      },
      "service.yaml",
    ],
    [
      "viewports:\n  - 375\n  - 0x300\nproject: !!str 12\nheaders: {yes: 'no'}",
      { viewports: [375, 768], project: "12", headers: { yes: "no" } },
      "service.yml",
    ],
  ];
  for (const [source, fields, fileName] of read) {
    it(`reads ${source.slice(0, 90).replace(/\n/g, "⏎")}`, () =>
      assert.deepEqual(fieldsOf(source, fileName), fields));
  }

  const refused: [source: string, ...failures: string[]][] = [
    ["", "1:1 no-config"],
    ["const a = {}", "1:1 no-config"],
    ["export default {}\nexport default {}", "2:16 no-config"],
    ["export default {};\nmodule.exports = {}", "2:18 no-config"],
    ["export default {\n  routes: ['/a'\n}", "3:1 syntax"],
    ["const a = 1; const a = 2; export default {}", "1:7 syntax"],
    ["export { default } from './other'", "1:1 not-static"],
    ["export default function () {}", "1:16 not-static"],
    ["export default () => ({})", "1:16 not-static"],
    ["export default 5", "1:16 invalid-value"],
    ["export default { routes: ['/a', f()], perRoute: { '/b': {} } }", "1:33 not-static"],
    ["export default [{}]", "1:16 invalid-value"],
    ["const c = {};\nc.routes = ['/a'];\nexport default c", "2:1 not-static"],
    ["const r = ['/a'];\nr.push('/b');\nexport default { routes: r }", "2:1 not-static"],
    ["if (a) {}\nexport default {}", "1:1 not-static"],
    ["import { r } from './r';\nexport default { routes: r }", "2:26 not-static"],
    ["import * as r from './r';\nexport default { routes: [r.a.b] }", "2:27 not-static"],
    ["export default { ...require('./base') }", "1:21 not-static"],
    ["import { defineConfig } from './mine';\nexport default defineConfig({})", "2:16 not-static"],
    ["const defineConfig = x => x; export default defineConfig({})", "1:45 not-static"],
    ["export default defineConfig({}, {})", "1:16 not-static"],
    ["export default defineConfig(...[{}])", "1:16 not-static"],
    ["let r = ['/a']; export default { routes: r }", "1:42 not-static"],
    ["const { r } = { r: ['/a'] }; export default { routes: r }", "1:55 not-static"],
    ["export default c; const c = {}", "1:16 not-static"],
    ["const c = { ...c }; export default c", "1:16 not-static"],
    [
      "export default { masks: [f(), new F(), a`b`, await c, import('d')] }",
      ...["1:26", "1:31", "1:40", "1:46", "1:55"].map(at => `${at} not-static`),
    ],
    [
      "export default { threshold: 1 / 100, hide: a ? [] : [], masks: [/x/, 1n, -'1', !0, , 'x'] }",
      "1:29 not-static",
      "1:44 not-static",
      "1:64 not-static",
    ],
    [
      "export default { routes: [process.env.A, import.meta.env.B, process.env?.['C']] }",
      "1:27 not-static",
      "1:42 not-static",
      "1:61 not-static",
    ],
    [
      "const a = { b: [1] }; export default { viewports: [a.c, a.b.length, a.toString, a.b[7], a?.b] }",
      ...["1:52", "1:57", "1:69", "1:81", "1:89"].map(at => `${at} not-static`),
    ],
    [
      `export default { get routes() { return [] }, hide() {}, __proto__: {}, ['__proto__']: 1, masks: \`\${{}}\` }`,
      ...["1:18", "1:46", "1:57", "1:73", "1:97"].map(at => `${at} not-static`),
    ],
    [
      "export default { hide: [...'ab', ...f()], headers: { ...['a'] } }",
      "1:25 not-static",
      "1:37 not-static",
      "1:54 not-static",
    ],
    [
      "export default {\n  routes: ['/', 'b'],\n  viewport: [375],\n  threshold: 7,\n}",
      "2:17 invalid-value",
      "3:3 unknown-field",
      "4:14 invalid-value",
    ],
    ["export default {\n perRoute: { '/b': { viewports: [1, f()] } } }", "2:37 not-static"],
    ["export default {\n perRoute: { '/b': {}, b: {} } }", "2:24 invalid-value"],
    ["export default {\n perRoute: { '/': { url: 1 } } }", "2:21 unknown-field"],
    ["export default {\n routes: ['/a'], perRoute: { '/b': {} } }", "2:30 invalid-value"],
    [
      "export default { network: [{ url: 'x', action: 'blok' }, { action: 'block' }] }",
      "1:48 invalid-value",
      "1:58 invalid-value",
    ],
    ["const big = [100];\nexport default {\n  viewports: big }", "1:14 invalid-value"],
    ["\uFEFF// 😀\r\nexport default { hide: ['😀', x] }", "2:31 not-static"],
  ];
  for (const [source, ...failures] of refused) {
    it(`refuses ${source.slice(0, 90).replace(/\s/g, " ") || "nothing"}`, () => {
      assert.deepEqual(failuresOf(source), failures);
    });
  }

  const refusedYaml: [source: string, ...failures: string[]][] = [
    ["a: b: c", "1:4 syntax"],
    ["[a]", "1:1 invalid-value"],
    ["routes: [/a]\nroutes: [/b]", "2:1 not-static"],
    ["hide: *nothing", "1:7 not-static"],
    ["hide: &a [*a]", "1:10 too-large"],
    ["hide: !!js/function 'x'", "1:21 not-static"],
    ["masks: [!x y]", "1:12 not-static"],
    ["plugins: [x]\n__proto__: {a: 1}\n? [a]\n: b", "1:1 not-static", "2:1 not-static", "3:3 not-static"],
    ["viewport: [375]\nthreshold:\n  7", "1:1 unknown-field", "3:3 invalid-value"],
    ["--- {}\n--- {}", "2:1 syntax"],
  ];
  for (const [source, ...failures] of refusedYaml) {
    it(`refuses ${source.replace(/\n/g, "⏎")} as YAML`, () => {
      assert.deepEqual(failuresOf(source, "service.yml"), failures);
    });
  }

  it("says what it is and what to write instead", () => {
    const messages: [source: string, message: string][] = [
      [
        "{ hide: [process.env.A!] }",
        "process.env.A reads the environment, which is not available because the file is read without running it. Write the value.",
      ],
      [
        "{ hide: list('a') }",
        "list('a') is a call, but the file is read without running it. Write the return value.",
      ],
      ["{ hide: imported }", 'imported is imported from "./lists". Move its value into this file.'],
      ["{ hide: changing }", "changing is declared with let. Use const."],
      ["{ viewPort: [400] }", '"viewPort" is not a known field. Did you mean "viewports"?'],
      [
        "{ network: [{ url: 'x', action: 'fulfil', contentTyp: 'x' }] }",
        '"network[0].contentTyp" is not a known field. Did you mean "contentType"?',
      ],
      [
        "{ network: [{ url: 'x', action: 'block', methods: ['FETCH'] }] }",
        '"network[0].methods[0]" must be "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", or "OPTIONS".',
      ],
      [
        "{ network: [{ url: 'x', action: 'block', resourceTypes: ['font'] }, { url: 'x', action: 'block', resourceTypes: ['websocket'] }] }",
        '"network[1].resourceTypes[0]" must be "document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch", "eventsource", "manifest", "ping", or "other".',
      ],
      ["{ network: [{ url: 'x', action: 'delay' }] }", '"network[0].delayMs" is required.'],
      [
        "{ network: [{ url: 'x', action: 'delay', delayMs: 30001 }] }",
        '"network[0].delayMs" must be at most 30,000.',
      ],
      [
        "{ network: [{ url: 'x', action: 'fulfil', body: '', file: 'x.json' }] }",
        '"network[0]" must have a body or a file, not both.',
      ],
      ["{ baselines: { x: 1 } }", '"baselines.x" is not a known field. Known fields: directory, branch.'],
      ["{ viewports: [100] }", '"viewports[0]" must be at least 240.'],
      ["{ perRoute: { '/x': {} } }", '"perRoute./x" is not one of the routes.'],
      [
        "{ sessions: { editor: {} }, session: 'editr' }",
        '"session" names "editr", which is not one of the sessions. Did you mean "editor"?',
      ],
      [
        "{ environments: { dark: {} }, perRoute: { '/': { environments: ['drak'] } } }",
        '"perRoute./.environments[0]" names "drak", which is not one of the environments. Did you mean "dark"?',
      ],
      [
        "{ environments: { dark: { colorSheme: 'dark' } } }",
        '"environments.dark.colorSheme" is not a known field. Did you mean "colorScheme"?',
      ],
      [
        "{ environments: { phone: { device: 'iPhone15' } } }",
        '"environments.phone.device" is not a device of Playwright. Did you mean "iPhone 15"?',
      ],
      [
        "{ sessions: { editor: { steps: [{ action: 'fill', selector: 'a', value: '', valeu: '' }] } } }",
        '"sessions.editor.steps[0].valeu" is not a known field. Did you mean "value"?',
      ],
    ];
    for (const [config, message] of messages) {
      const source = `import { imported } from "./lists";\nlet changing = [];\nexport default ${config};`;
      assert.equal(readInThisProcess(source, FILE).failures[0]?.message, message);
    }
  });

  it("tells the end of a failure and its field", () => {
    const [failure] = readInThisProcess(
      "export default {\n  perRoute: { '/': { viewports: [\n1] } } }",
      FILE,
    ).failures;
    const { message: _message, ...place } = failure ?? {};
    const at = { line: 3, column: 1, endLine: 3, endColumn: 2 };
    assert.deepEqual(place, { code: "invalid-value", ...at, field: "perRoute./.viewports[0]" });
  });

  it("tells few of many failures", () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `k${n}: f()`).join(", ");
    assert.equal(readInThisProcess(`export default { ${many} }`, FILE).failures.length, 50);
    assert.equal(
      readInThisProcess(`export default { ${many.replaceAll("f()", "1")} }`, FILE).failures.length,
      50,
    );
  });
});

describe("a source that stands for more than it has", () => {
  const constants = (first: string, next: (before: string) => string) =>
    `const c0 = ${first};${Array.from({ length: 20 }, (_, n) => `const c${n + 1} = ${next(`c${n}`)};`).join("")}`;
  const eight = (text: string) => Array(8).fill(text).join(",");
  const anchors = Array.from({ length: 20 }, (_, n) => `b${n}: &a${n + 1} [${eight(`*a${n}`)}]`).join("\n");
  const sources: [name: string, source: string, fileName?: string][] = [
    ["lists of lists", `${constants("['/a']", c => `[${eight(c)}]`)} export default { routes: c20 }`],
    [
      "spreads of spreads",
      `${constants("['/a']", c => `[${eight(`...${c}`)}]`)} export default { routes: c20 }`,
    ],
    ["objects of objects", `${constants("{}", c => `{a: ${c}, b: ${c}, c: ${c}}`)} export default c20`],
    [
      "spreads of what cannot be read",
      `${constants("{...f()}", c => `{${eight(`...${c}`)}}`)} export default c20`,
    ],
    [
      "texts of texts",
      `${constants("'text'", c => `\`${`\${${c}}`.repeat(8)}\``)} export default { project: c20 }`,
    ],
    [
      "levels, built from within",
      `${constants("[]", c => `[${c}]`)} const d = [[[[[[[[[[[[[c20]]]]]]]]]]]]]; export default { hide: d }`,
    ],
    ["aliases of aliases", `a: &a0 [x]\n${anchors}`, "service.yml"],
    ["aliases within their own anchor", "a: &a {b: [*a, *a]}", "service.yml"],
    ["levels of YAML", "[".repeat(20_000), "service.yml"],
  ];
  for (const [name, source, fileName = FILE] of sources) {
    it(`is refused: ${name}`, () => {
      assert.match(failuresOf(source, fileName).join(), /^\d+:\d+ too-large$/);
    });
  }

  it("is refused in little time: YAML that repeats itself", () => {
    for (const part of ["&a ", "!a ", "? ", "a: *x\n", "'\n", "%A\n", "a:\n ", "? a\n"]) {
      assert.equal(readInThisProcess(part.repeat(20_000 / part.length), "service.yml").config, null);
    }
  });
});
