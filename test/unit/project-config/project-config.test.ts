import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import type { z } from "zod";
import { type ConfigInput, defineConfig } from "../../../cli/package/index.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { FAILURE_CODES } from "../../../shared/project-config/failure.ts";
import { type ProjectConfig, projectConfigSchema } from "../../../shared/project-config/project-config.ts";
import { runOf } from "../../../shared/project-config/run-of.ts";
import { LOCAL_FIELDS } from "../../../shared/project-config/static-reading/reading.ts";
import { nearestName } from "../../../shared/text/nearest-name.ts";

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
type Same<A, B> = [A, B] extends [B, A] ? true : never;
type SameFields<A, B> = Same<keyof A, keyof B>;

// The editor's types must match the schema. Plugins have the command line's own type.
type Taken = Frozen<z.input<typeof projectConfigSchema>>;
type Known = Frozen<ConfigInput>;
const sameTypes: [
  Same<Omit<Taken, "plugins">, Omit<Known, "plugins">>,
  SameFields<Taken, Known>,
  SameFields<NonNullable<Taken["perRoute"]>[string], NonNullable<Known["perRoute"]>[string]>,
  SameFields<NonNullable<Taken["baselines"]>, NonNullable<Known["baselines"]>>,
  SameFields<NonNullable<Taken["browser"]>, NonNullable<Known["browser"]>>,
] = [true, true, true, true, true];

const DEFAULTS = {
  baseUrl: "http://localhost:3000",
  routes: ["/"],
  viewports: [1280],
  threshold: 0.01,
  baselines: { directory: ".service/baselines" },
  browser: {},
  plugins: [],
};

describe("The project's configuration", () => {
  it("needs no fields", () => {
    assert.deepEqual(projectConfigSchema.parse(defineConfig({})), DEFAULTS);
    assert.equal(sameTypes.length, 5);
  });

  const failures: [config: unknown, path: string][] = [
    [{ baseUrl: "localhost:3000" }, "baseUrl"],
    [{ baseUrl: "https://user:secret@example.com" }, "baseUrl"],
    [{ routes: [] }, "routes"],
    [{ routes: ["pricing"] }, "routes.0"],
    [{ routes: ["//evil.example"] }, "routes.0"],
    [{ viewports: [100] }, "viewports.0"],
    [{ threshold: 5 }, "threshold"],
    [{ colorThreshold: 10 }, "colorThreshold"],
    [{ perRoute: { "/a": {} } }, "perRoute./a"],
    [
      { routes: Array.from({ length: 500 }, (_, n) => `/${n}`), viewports: [300, 400, 500, 600, 700] },
      "routes",
    ],
    [{ baselines: { directory: "/etc" } }, "baselines.directory"],
    [{ baselines: { directory: "C:\\baselines" } }, "baselines.directory"],
    [{ concurrency: 0 }, "concurrency"],
    [{ headers: { Host: "evil.example" } }, "headers"],
    [{ plugins: [{}] }, "plugins.0.name"],
    [{ route: ["/"] }, ""],
  ];
  for (const [config, path] of failures) {
    it(`refuses ${JSON.stringify(config).slice(0, 60)}`, () => {
      const { error } = projectConfigSchema.safeParse(config);
      assert.deepEqual(
        error?.issues.map(issue => issue.path.join(".")),
        [path],
      );
    });
  }

  it("has the same bounds as a run", () => {
    const routes = Array.from({ length: 500 }, (_, n) => `/${n}`);
    const plan = { routes, viewports: [300, 400, 500, 600, 700] };
    const said = (body: object) =>
      submitRunBody
        .safeParse({ url: "https://preview.example", ...body })
        .error?.issues.map(({ path, message }) => [path.join("."), message]);
    assert.deepEqual(said({ options: { perRoute: { "/a": {} } } }), [
      ["options.perRoute./a", "is not one of the routes"],
    ]);
    assert.deepEqual(
      said(plan)?.map(([, message]) => message),
      projectConfigSchema.safeParse(plan).error?.issues.map(({ message }) => message),
    );
  });

  it("lists the fields that no run uses as local", () => {
    const { config, run } = sample();
    const changed: ProjectConfig = { ...config, ...OTHERS };
    assert.deepEqual(Object.keys(OTHERS), [...LOCAL_FIELDS]);
    assert.deepEqual(runOf(changed), run);
  });
});

const OTHERS = {
  baseUrl: "https://other.example",
  browser: { path: "/usr/bin/chromium" },
  concurrency: 7,
  plugins: [{ name: "monitor" }],
};

function sample() {
  const own = {
    allowHosts: ["fonts.example.com"],
    masks: [".ad"],
    hide: [".chat"],
    waitForSelector: "main",
    headers: { "x-a": "1" },
    network: [{ url: "**/x", action: "block" as const }],
    clock: "2026-01-31T09:00:00Z",
    random: "real" as const,
    steps: [{ action: "hover" as const, selector: "nav" }],
    session: "editor",
    element: "main",
    padding: 8,
    fullPage: false,
    maxHeight: 4000,
    environments: { dark: { colorScheme: "dark" as const, viewports: [{ width: 400, height: 900 }] } },
    defaultEnvironment: true,
    sessions: { editor: { url: "/login", basicAuth: { username: "a", password: "b" } } },
    colorThreshold: 0.05,
    ignoreRegions: [
      { x: 0, y: 0, width: 10, height: 10, viewport: 400 },
      { selector: ".ad", padding: 4 },
    ],
    perRoute: {
      "/a": { viewports: [300], threshold: 0, colorThreshold: 0, masks: [], environments: ["dark"] },
    },
  };
  const run = { routes: ["/a", "/b"], viewports: [400], threshold: 0.2, project: "shop" };
  const config = projectConfigSchema.parse({ ...run, ...own, baselines: { branch: "next" } });
  return { config, run: { ...run, options: own, baselineBranch: "next" } };
}

describe("A configuration's part of a run", () => {
  it("has every field that the API accepts", () => {
    const { config, run } = sample();
    assert.deepEqual(runOf(config), run);
    // The project doesn't set the URL and the commit.
    const notItsOwn = new Set([
      "url",
      "archive",
      "branch",
      "scm",
      "partial",
      "rerun",
      "tunnel",
      "storybook",
      "intent",
    ]);
    const fields = submitRunBody.shape;
    assert.deepEqual(
      Object.keys(runOf(config)).toSorted(),
      Object.keys(fields)
        .filter(field => !notItsOwn.has(field))
        .toSorted(),
    );
    assert.deepEqual(
      Object.keys(runOf(config).options ?? {}).toSorted(),
      Object.keys(fields.options.unwrap().shape).toSorted(),
    );
  });

  it("is accepted by the API unchanged, and leaves out unset fields", () => {
    assert.deepEqual(runOf(projectConfigSchema.parse({})), {
      routes: ["/"],
      viewports: [1280],
      threshold: 0.01,
    });
    const { config } = sample();
    for (const each of [config, projectConfigSchema.parse({})]) {
      const body = submitRunBody.parse({ url: "https://preview.example", ...runOf(each) });
      assert.deepEqual(runOf({ ...each, ...body, ...body.options }), runOf(each));
    }
  });
});

describe("The nearest name", () => {
  const names = ["baseUrl", "routes", "viewports", "threshold", "masks", "hide"];
  const cases: [written: string, near: string | null][] = [
    ["baseURL", "baseUrl"],
    ["route", "routes"],
    ["viewPort", "viewports"],
    ["threshhold", "threshold"],
    ["treshold", "threshold"],
    ["maks", "masks"],
    ["ihde", "hide"],
    ["url", null],
    ["x", null],
    ["", null],
    ["v".repeat(200_000), null],
  ];
  for (const [written, near] of cases) {
    it(`of ${written.slice(0, 20) || "nothing"} is ${near}`, () =>
      assert.equal(nearestName(written, names), near));
  }

  it("is the name itself, or one with a letter too many", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.nat(8),
        fc.constantFrom("x", "é", "_"),
        (name, at, letter) => {
          assert.equal(nearestName(name, names), name);
          assert.equal(nearestName(name.slice(0, at) + letter + name.slice(at), names), name);
        },
      ),
    );
  });
});

describe("docs/reference/project-config.md", () => {
  const text = readFileSync(new URL("../../../docs/reference/project-config.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| `([\w.]+)` \| (.+?) \| (.+?) \| (.+?) \|$/gm)];

  it("has every field in the schema's order, and no other", () => {
    const { shape } = projectConfigSchema;
    const fields = Object.keys(shape).flatMap(name => {
      if (name === "baselines")
        return Object.keys(shape.baselines.unwrap().shape).map(key => `${name}.${key}`);
      if (name === "browser") return Object.keys(shape.browser.unwrap().shape).map(key => `${name}.${key}`);
      return [name];
    });
    assert.deepEqual(
      rows.map(([, name]) => name),
      fields,
    );
  });

  it("has the schema's defaults", () => {
    const told = Object.fromEntries(
      rows.filter(([, , value]) => value?.endsWith("`")).map(([, name = "", value = ""]) => [name, value]),
    );
    const given = Object.fromEntries(
      Object.entries({ ...DEFAULTS, "baselines.directory": DEFAULTS.baselines.directory })
        .filter(([name]) => name !== "baselines" && name !== "browser")
        .map(([name, value]) => [name, `\`${JSON.stringify(value)}\``]),
    );
    assert.deepEqual(told, given);
  });

  it("has every failure code", () => {
    const codes = [...text.matchAll(/^\| `([a-z-]+)` \| [^|]+ \|$/gm)].map(([, code]) => code);
    assert.deepEqual(codes.toSorted(), [...FAILURE_CODES].toSorted());
  });

  it("lists the fields that the service ignores", () => {
    const local = rows.filter(([, , , , meaning]) => meaning?.includes("Command-line tool only."));
    assert.deepEqual(
      [...new Set(local.map(([, name]) => name?.split(".")[0]))].toSorted(),
      [...LOCAL_FIELDS].toSorted(),
    );
  });
});
