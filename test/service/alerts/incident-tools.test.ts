import assert from "node:assert/strict";
import { CHANNELS } from "../../../services/alerts/channels/registry.ts";
import { Thumbnails } from "../../../services/alerts/mail/thumbnails.ts";
import { type AlertMessage, messageOf } from "../../../services/alerts/notifications/message.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { INCIDENT_TOOLS, type IncidentTool } from "../../../shared/contracts/monitors/monitor-channels.ts";
import { Links } from "../../../shared/links/links.ts";
import { changedPages, reportOn } from "../../support/contexts/alerts-context.ts";
import {
  incidentIoEvent,
  opsgenieAlert,
  opsgenieClose,
  postableAlerts,
} from "../../support/formats/incident-tools.ts";
import { HttpReceiver, type ReceivedPost } from "../../support/servers/http/http-receiver.ts";

const KEY = "key-of-the-incident-service";
const SINCE = "2020-01-01T10:00:00.000Z";

const message = (kind: AlertMessage["kind"], about = "f".repeat(32), name = "Shop"): AlertMessage => {
  const since = kind === "recovered" ? SINCE : null;
  const made = messageOf(reportOn("mon_1", {}, changedPages("/a", "/b")), {
    kind,
    about,
    since,
    incidentId: "inc_1",
  });
  return { ...made, monitor: { ...made.monitor, name } };
};

describe("The channel of incident services", () => {
  let receiver: HttpReceiver;
  afterEach(() => receiver.close());

  /** Starts a fake of a service, and returns a function that sends to it. */
  async function start(tool: IncidentTool, check: (post: ReceivedPost) => void) {
    receiver = await HttpReceiver.start(post => {
      const scheme = tool === "opsgenie" ? "GenieKey" : "Bearer";
      assert.equal(post.headers.authorization, `${scheme} ${KEY}`);
      check(post);
    });
    const address = receiver.url(tool === "incident-io" ? "/v2/alert_events/http/01GW" : "/");
    const { signal } = new AbortController();
    return async (sent: AlertMessage): Promise<ReceivedPost> => {
      const outcome = await CHANNELS.incidents.send(
        { id: "dlv_1", receiver: { address, secret: KEY, tool }, message: sent, signal },
        {
          links: async () => new Links("https://vrs.example", "key"),
          baseUrl: "https://vrs.example",
          thumbnails: new Thumbnails({
            get: () => Promise.reject(new Error("There is no image store here.")),
          }),
          mailer: null,
          policy: addressPolicy(["localhost"]),
          onUnresolved: () => {},
          pagerdutyUrl: "",
        },
      );
      assert.equal(outcome.kind, "sent", receiver.faults.join("\n"));
      return receiver.received.at(-1) ?? assert.fail("nothing received");
    };
  }

  it("opens and closes an alert of Opsgenie by its alias", async () => {
    const send = await start("opsgenie", ({ path, body }) => {
      (path === "/v2/alerts" ? opsgenieAlert : opsgenieClose).parse(JSON.parse(body));
    });
    const opened = opsgenieAlert.parse(JSON.parse((await send(message("changed"))).body));
    const again = opsgenieAlert.parse(JSON.parse((await send(message("changed"))).body));
    const other = opsgenieAlert.parse(JSON.parse((await send(message("down", "other"))).body));
    assert.equal(opened.alias, again.alias);
    assert.notEqual(opened.alias, other.alias);
    const failing = opsgenieAlert.parse(JSON.parse((await send(message("failing", "http"))).body));
    assert.deepEqual([opened.priority, other.priority, failing.priority], ["P3", "P1", "P1"]);
    assert.match(opened.description ?? "", /https:\/\/vrs\.example/);
    for (const kind of ["recovered", "replaced", "checked", "renewed", "passing"] as const) {
      const { path } = await send(message(kind));
      assert.equal(path, `/v2/alerts/${encodeURIComponent(opened.alias)}/close?identifierType=alias`);
    }
  });

  it("fires and resolves an alert event of incident.io by its key", async () => {
    const send = await start("incident-io", ({ path, body }) => {
      assert.equal(path, "/v2/alert_events/http/01GW");
      incidentIoEvent.parse(JSON.parse(body));
    });
    const read = async (kind: AlertMessage["kind"]) =>
      incidentIoEvent.parse(JSON.parse((await send(message(kind))).body));
    const [fired, resolved] = [await read("changed"), await read("recovered")];
    assert.deepEqual([fired.status, resolved.status], ["firing", "resolved"]);
    assert.equal(fired.deduplication_key, resolved.deduplication_key);
    assert.equal(fired.source_url, "https://vrs.example/incidents/inc_1");
  });

  it("fires and resolves an alert of Alertmanager with the same labels, whatever changes meanwhile", async () => {
    const send = await start("alertmanager", ({ path, body }) => {
      assert.equal(path, "/api/v2/alerts");
      postableAlerts.parse(JSON.parse(body));
    });
    const read = async (sent: AlertMessage) => {
      const [alert] = postableAlerts.parse(JSON.parse((await send(sent)).body));
      return alert ?? assert.fail("no alert");
    };
    const fired = await read(message("changed"));
    const resolved = await read(message("recovered", "f".repeat(32), "Renamed shop"));
    assert.deepEqual(fired.labels, resolved.labels);
    // Without an end, Alertmanager would resolve it after minutes.
    assert.ok(Date.parse(fired.endsAt) > Date.parse(fired.startsAt) + 86_400_000);
    assert.equal(resolved.startsAt, SINCE);
    assert.ok(Date.parse(resolved.endsAt) <= Date.now());
    // Nothing ends a test.
    const test = await read(message("test", "test-1"));
    assert.ok(Date.parse(test.endsAt) < Date.now() + 600_000);
    assert.notDeepEqual((await read(message("changed", "other"))).labels, fired.labels);
  });

  for (const tool of INCIDENT_TOOLS)
    it(`sends ${tool} only what it requires, if it refuses the details`, async () => {
      const send = await start(tool, () => {});
      receiver.answers = [{ status: 422, body: "invalid" }, { status: 202 }];
      const { body } = await send(message("changed", "f".repeat(32), "\u0000<b>".repeat(200)));
      assert.equal(receiver.received.length, 2);
      assert.ok(body.length < (receiver.received[0]?.body.length ?? 0));
      assert.doesNotMatch(body, /description/);
    });
});
