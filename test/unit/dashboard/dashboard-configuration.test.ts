import assert from "node:assert/strict";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import {
  configurationOf,
  draftOf,
  namedRowOf,
  rowOf,
  viewportsOf,
} from "../../../dashboard/configuration/draft.ts";
import { failureAt } from "../../../dashboard/configuration/failures.ts";
import { cacheSaved, configurationQuery } from "../../../dashboard/configuration/queries.ts";
import { moveRow, removeRow, replaceRow } from "../../../dashboard/configuration/rows.ts";
import { STEP_FIELDS, withAction } from "../../../dashboard/configuration/step-fields.ts";
import { stepSchema } from "../../../shared/contracts/capture/steps.ts";
import {
  type ConfigurationView,
  configurationSchema,
} from "../../../shared/contracts/configuration/configuration.ts";

const REFERENCE = `\${secret.PASSWORD}`;
const CONFIGURATION = {
  routes: ["/", "/a"],
  viewports: [375, { width: 1440, height: 900 }],
  threshold: 0.0012,
  masks: [".ad"],
  hide: [".clock"],
  waitForSelector: "main",
  session: "editor",
  clock: "2026-01-31T09:00:00Z",
  ignoreRegions: [
    { x: 0, y: 10, width: 20, height: 30, viewport: 375 },
    { selector: ".ad", padding: 4 },
  ],
  environments: { dark: { colorScheme: "dark", viewports: [600], deviceScaleFactor: 2 } },
  sessions: {
    editor: {
      url: "/login",
      steps: [
        { action: "fill", selector: "#password", value: REFERENCE, timeoutMs: 900 },
        { action: "select", selector: "select", value: ["a", "b"] },
        { action: "waitFor", idle: true },
      ],
      expect: { selector: ".me" },
    },
  },
  perRoute: {
    "/a": { environments: ["default", "dark"], steps: [{ action: "scrollTo", y: 500 }], masks: [".b"] },
  },
};

describe("The draft of a configuration", () => {
  it("keeps every field, also those that the form doesn't show", () => {
    assert.deepEqual(configurationOf(draftOf(CONFIGURATION)), CONFIGURATION);
    assert.deepEqual(configurationSchema.parse(CONFIGURATION), CONFIGURATION);
    assert.deepEqual(configurationOf(draftOf({})), {});
  });

  it("reads texts of inputs as numbers and lists, and leaves out empty ones", () => {
    const draft = draftOf({});
    draft.viewports = "375, 1440×900 , wide";
    draft.threshold = "0,5";
    draft.ignoreRegions = [rowOf({ x: "1", y: "2.5", width: "wide", height: "", environment: "dark" })];
    const scroll = rowOf({ action: "scrollTo", selector: "", y: "500" });
    draft.perRoute = [
      {
        ...namedRowOf(" /a "),
        fields: {
          environments: "dark, default",
          viewports: "375",
          session: "",
          threshold: "2",
          masks: ".a, .b\n.c\n",
        },
        steps: [scroll],
      },
    ];
    assert.deepEqual(configurationOf(draft), {
      viewports: [375, { width: 1440, height: 900 }, Number.NaN],
      threshold: 0.005,
      ignoreRegions: [{ x: 1, y: 2.5, width: Number.NaN, environment: "dark" }],
      perRoute: {
        "/a": {
          environments: ["dark", "default"],
          viewports: [375],
          threshold: 0.02,
          masks: [".a, .b", ".c"],
          steps: [{ action: "scrollTo", y: 500 }],
        },
      },
    });
    assert.deepEqual(viewportsOf(" 1280 "), [1280]);
  });

  it("offers every action of a step with its fields", () => {
    const actions = stepSchema.options.map(option => option.shape.action.value);
    assert.deepEqual(Object.keys(STEP_FIELDS).toSorted(), actions.toSorted());
    for (const option of stepSchema.options) {
      const { value: action } = option.shape.action;
      for (const field of STEP_FIELDS[action])
        assert.ok(Object.hasOwn(option.shape, field), `${action} ${field}`);
    }
  });

  it("keeps the fields that two actions share", () => {
    const step = { action: "fill", selector: "#a", value: "text", timeoutMs: 900 };
    assert.deepEqual(withAction(step, "click"), { action: "click", selector: "#a", timeoutMs: 900 });
  });

  it("moves, replaces and removes rows", () => {
    const [a, b, c] = [rowOf(), rowOf(), rowOf()];
    assert.deepEqual(moveRow([a, b, c], c, -1), [a, c, b]);
    assert.deepEqual(moveRow([a, b, c], a, 1), [b, a, c]);
    assert.deepEqual(removeRow([a, b], a), [b]);
    assert.deepEqual(replaceRow([a, b], { ...a, fields: { x: 1 } }), [{ ...a, fields: { x: 1 } }, b]);
  });

  it("finds the error of a field, or of a part of it", () => {
    const failures = [
      { path: "configuration.sessions.editor.steps[1].value", message: "value" },
      { path: "configuration.viewports[0]", message: "viewport" },
    ];
    assert.equal(failureAt(failures, "sessions.editor.steps[1].value"), "value");
    assert.equal(failureAt(failures, "viewports"), "viewport");
    assert.equal(failureAt(failures, "sessions.edit"), undefined);
  });
});

describe("A saved configuration", () => {
  const version = (number: number): ConfigurationView => ({
    ...{ project: "app", version: number, configuration: {}, missingSecrets: [] },
    ...{ changedBy: "ada", changedAt: "2026-11-19T16:20:00.000Z" },
  });
  const { queryKey, gcTime } = configurationQuery("app");

  it("is cached while its page is open, but not after it was left", () => {
    const client = new QueryClient();
    client.setQueryData(queryKey, version(1));
    const page = new QueryObserver(client, { queryKey, gcTime, enabled: false });
    const leave = page.subscribe(() => {});
    cacheSaved(client, "app", version(2));
    assert.equal(client.getQueryData(queryKey)?.version, 2);
    leave();
    client.removeQueries({ queryKey });
    cacheSaved(client, "app", version(3));
    assert.equal(client.getQueryData(queryKey), undefined);
    client.clear();
  });
});
