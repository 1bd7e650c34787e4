import assert from "node:assert/strict";
import { planTrial } from "../../../../services/runs/trials/plan-trial.rule.ts";
import { configurationSchema } from "../../../../shared/contracts/configuration/configuration.ts";
import { trialBody } from "../../../../shared/contracts/configuration/trials.ts";

const CONFIGURATION = {
  routes: ["/", "/cart", "/help"],
  viewports: [{ width: 600, height: 900 }, 1280],
  threshold: 0.5,
  waitForSelector: "main",
  environments: { dark: { colorScheme: "dark" }, phone: { device: "iPhone 15" } },
  sessions: {
    customer: { url: "/login", steps: [{ action: "click", selector: "#enter" }] },
    admin: { url: "/admin", steps: [{ action: "click", selector: "#enter" }] },
  },
  perRoute: {
    "/cart": {
      session: "customer",
      steps: [
        { action: "screenshot" },
        { action: "click", selector: "#open" },
        { action: "screenshot", name: "open" },
      ],
    },
    "/help": { environments: ["dark"] },
  },
};

function plan(trial: object, configuration: object = CONFIGURATION) {
  const body = trialBody.parse({ url: "https://shop.example", ...trial });
  return planTrial(body, configurationSchema.parse(configuration));
}

function planned(trial: object, configuration?: object) {
  const found = plan(trial, configuration);
  return "body" in found ? found : assert.fail(`There is no ${found.field}.`);
}

const pages = (trial: object, configuration?: object) =>
  planned(trial, configuration).screenshots.map(({ route, state, environment, viewport }) =>
    [route, state, environment, viewport].join(" "),
  );

describe("planTrial", () => {
  it("captures all states of one page, at its first viewport", () => {
    assert.deepEqual(pages({ route: "/cart" }), ["/cart   600", "/cart open  600"]);
    assert.deepEqual(pages({ route: "/cart", environment: "dark", viewport: 1280 }), [
      "/cart  dark 1280",
      "/cart open dark 1280",
    ]);
    assert.deepEqual(pages({ environment: "phone" }), ["/  phone 393"]);
  });

  it("takes the options of its page only", () => {
    const { body } = planned({ route: "/cart" });
    assert.deepEqual([body.routes, body.partial, body.threshold], [["/cart"], true, 0.5]);
    assert.equal(body.options?.waitForSelector, "main");
    assert.deepEqual(Object.keys(body.options?.perRoute ?? {}), ["/cart"]);
    assert.deepEqual(Object.keys(body.options?.sessions ?? {}), ["customer"]);
    assert.deepEqual(Object.keys(body.options?.environments ?? {}), ["dark", "phone"]);
    const other = planned({ route: "/" }).body.options;
    assert.deepEqual([other?.perRoute, other?.sessions], [undefined, undefined]);
  });

  it("logs in with the session of all pages, unless its page has one", () => {
    const all = { ...CONFIGURATION, session: "admin" };
    assert.deepEqual(Object.keys(planned({ route: "/" }, all).body.options?.sessions ?? {}), ["admin"]);
    assert.deepEqual(Object.keys(planned({ route: "/cart" }, all).body.options?.sessions ?? {}), [
      "customer",
    ]);
  });

  it("captures at 1280 px, with the threshold of submissions, without a configuration", () => {
    const { body, screenshots } = planned({ route: "/new" }, {});
    assert.deepEqual(pages({ route: "/new" }, {}), ["/new   1280"]);
    assert.equal(screenshots[0]?.threshold, body.threshold);
    assert.deepEqual([body.options?.environments, body.options?.perRoute], [{}, undefined]);
  });

  it("names the environments that the page has", () => {
    assert.deepEqual(plan({ environment: "print" }), {
      field: "environment",
      known: ["null", "dark", "phone"],
    });
    assert.deepEqual(plan({ route: "/help" }), { field: "environment", known: ["dark"] });
  });

  it("names the viewports that the page has in the environment", () => {
    assert.deepEqual(plan({ viewport: 800 }), { field: "viewport", known: ["600", "1280"] });
    assert.deepEqual(plan({ viewport: 600, environment: "phone" }), { field: "viewport", known: ["393"] });
  });
});
