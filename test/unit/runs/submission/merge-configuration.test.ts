import assert from "node:assert/strict";
import {
  addNamed,
  changedFields,
  mergeConfiguration,
  nameFields,
} from "../../../../services/runs/configuration/merge-configuration.rule.ts";
import { planPages } from "../../../../shared/contracts/capture/plan-pages.ts";
import {
  type Configuration,
  configurationSchema,
} from "../../../../shared/contracts/configuration/configuration.ts";
import { defaultedFields, submitRunBody } from "../../../../shared/contracts/runs/submit-run.ts";

const STORED: Configuration = {
  routes: ["/", "/pricing"],
  viewports: [375],
  threshold: 0.2,
  masks: [".ad"],
  hide: [".clock"],
  session: "editor",
  sessions: { editor: { url: "/login" }, unused: { url: "/admin" } },
  perRoute: { "/pricing": { masks: [".price"], threshold: 0.5, viewports: [1440] } },
};

describe("The project's configuration", () => {
  const merge = (body: object, stored = STORED) => {
    const parsed = submitRunBody.parse({ url: "https://shop.example", ...body });
    return mergeConfiguration(parsed, stored, defaultedFields(new Set(Object.keys(body))));
  };

  it("sets what a submission leaves out", () => {
    const { routes, viewports, threshold, options } = merge({});
    assert.deepEqual([routes, viewports, threshold], [["/", "/pricing"], [375], 0.2]);
    assert.deepEqual([options?.masks, options?.perRoute], [[".ad"], STORED.perRoute]);
  });

  it("leaves the submission's own fields as they are, one by one", () => {
    const body = merge({ viewports: [600], options: { masks: [".own"] } });
    assert.deepEqual([body.routes, body.viewports, body.threshold], [["/", "/pricing"], [600], 0.2]);
    assert.deepEqual([body.options?.masks, body.options?.hide], [[".own"], [".clock"]]);
    // A setting of a stored route would override the submission's own.
    assert.deepEqual(body.options?.perRoute, { "/pricing": { threshold: 0.5 } });
  });

  it("names the options that the repository's file sets one by one", () => {
    const options = { masks: [".clock"], environments: {} };
    assert.deepEqual(nameFields(["threshold", "options"], { options }), [
      "threshold",
      "masks",
      "environments",
    ]);
    assert.deepEqual(nameFields(["options"], {}), []);
  });

  it("names the fields that it set", () => {
    const before = submitRunBody.parse({ url: "https://shop.example", options: { masks: [".own"] } });
    const changed = (after: object) => changedFields(before, submitRunBody.parse({ ...before, ...after }));
    assert.deepEqual(changed({}), []);
    assert.deepEqual(changed({ routes: ["/a"], options: { masks: [".own"], hide: [".x"] } }), [
      "routes",
      "hide",
    ]);
  });

  it("merges the settings of single routes field by field", () => {
    const own = { routes: ["/pricing"], options: { perRoute: { "/pricing": { threshold: 0 } } } };
    assert.deepEqual(merge(own).options?.perRoute, {
      "/pricing": { masks: [".price"], threshold: 0, viewports: [1440] },
    });
  });

  it("drops the settings of routes that the run doesn't have", () => {
    assert.equal(merge({ routes: ["/"] }).options?.perRoute, undefined);
  });

  it("gives the sessions that pages name, and the submission's session of the same name first", () => {
    assert.deepEqual(merge({}).options?.sessions, { editor: { url: "/login" } });
    const own = merge({ options: { sessions: { editor: { url: "/own" }, other: {} } } });
    assert.deepEqual(own.options?.sessions, { editor: { url: "/own" }, other: {} });
  });

  it("gives the environments that pages name, and only to these pages", () => {
    const environments = { dark: { colorScheme: "dark" as const }, phone: { device: "iPhone 15" } };
    const routes = ["/", "/a", "/b"];
    const perRoute = { "/a": { environments: ["dark"] } };
    const own = { environments: { print: { media: "print" as const } } };
    const merged = merge({ routes, options: { ...own, perRoute } }, { environments });
    const pages = planPages(merged).map(({ route, environment }) => `${route} ${environment ?? "default"}`);
    assert.deepEqual(pages, ["/ default", "/ print", "/a dark", "/b default", "/b print"]);
    assert.deepEqual(addNamed({ perRoute }, { environments }, ["/a"]), {
      environments: { dark: environments.dark },
      perRoute,
    });
  });
});

describe("A stored configuration", () => {
  const failuresOf = (configuration: object) =>
    configurationSchema.safeParse(configuration).error?.issues.map(({ path }) => path.join("."));
  const fill = (selector: string, value: string) => ({ action: "fill", selector, value });
  const reference = `\${secret.PASSWORD}`;

  it("keeps fields unset that it doesn't set", () => {
    assert.deepEqual(configurationSchema.parse({}), {});
  });

  for (const [name, configuration, paths] of [
    ["an unknown session", { session: "editr", sessions: { editor: {} } }, ["session"]],
    [
      "an unknown environment",
      { perRoute: { "/": { environments: ["dark"] } } },
      ["perRoute./.environments.0"],
    ],
    ["options of an unknown route", { routes: ["/"], perRoute: { "/a": {} } }, ["perRoute./a"]],
    ["a password", { sessions: { a: { steps: [fill("#password", "pw")] } } }, ["sessions.a.steps.0.value"]],
    ["a password of a page", { steps: [fill("label=Passwort", "pw")] }, ["steps.0.value"]],
    [
      "credentials of basic authentication",
      { sessions: { a: { basicAuth: { username: "u", password: "p" } } } },
      ["sessions.a.basicAuth.password"],
    ],
    [
      "a cookie's value",
      { sessions: { a: { cookies: [{ name: "n", value: "v" }] } } },
      ["sessions.a.cookies.0.value"],
    ],
    ["a header with a token", { headers: { Authorization: "Bearer x" } }, ["headers.Authorization"]],
    [
      "a key and a file of a client certificate",
      { sessions: { a: { clientCertificates: [{ certPath: "a.pem", key: "k", passphrase: "p" }] } } },
      ["key", "passphrase", "certPath"].map(field => `sessions.a.clientCertificates.0.${field}`),
    ],
    [
      "the key of a client certificate, and its files",
      {
        sessions: {
          a: {
            clientCertificates: [
              { origin: "https://a.example", cert: "c", key: "k", passphrase: "p" },
              { origin: "https://a.example", certPath: "c.pem", keyPath: "k.pem" },
            ],
          },
        },
      },
      [
        "sessions.a.clientCertificates.0.key",
        "sessions.a.clientCertificates.0.passphrase",
        "sessions.a.clientCertificates.1.certPath",
        "sessions.a.clientCertificates.1.keyPath",
      ],
    ],
    [
      "files of network rules",
      {
        network: [{ url: "**", action: "har", file: "a.har" }],
        perRoute: { "/": { network: [{ url: "**", action: "fulfil", file: "a.json" }] } },
      },
      ["network.0.file", "perRoute./.network.0.file"],
    ],
    ["a file", { sessions: { a: { storageState: "state.json" } } }, ["sessions.a.storageState"]],
  ] as const)
    it(`refuses ${name}`, () => assert.deepEqual(failuresOf(configuration), paths));

  it("accepts references to secrets, and settings of any route if it has no routes", () => {
    const sessions = { a: { steps: [fill("#email", "me@example.com"), fill("#password", reference)] } };
    const headers = { authorization: `Bearer ${reference}`, "accept-language": "de" };
    assert.deepEqual(failuresOf({ session: "a", sessions, headers, perRoute: { "/x": {} } }), undefined);
  });
});
