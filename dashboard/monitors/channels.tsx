import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ChannelName, DeliveryView } from "../../shared/contracts/alerts.ts";
import type { MonitorView } from "../../shared/contracts/monitors.ts";
import { api } from "../api/client.ts";
import { unlessLive } from "../api/live.ts";
import { Link } from "../location.tsx";
import { useMe } from "../session.tsx";
import { Problem } from "../ui/parts.tsx";
import { useSay, wordsOf } from "../ui/say.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { alertsQuery } from "./queries.ts";
import { receiversOf } from "./receivers.ts";

const CHANNELS: Record<ChannelName, string> = {
  slack: "Chat",
  email: "Mail",
  pagerduty: "Incident service",
  webhook: "Webhook",
};
const KINDS: Record<DeliveryView["kind"], string> = {
  changed: "an alert",
  down: "an alert that it is down",
  recovered: "a recovery",
  test: "a sample",
  replaced: "the end of an incident",
};
const STATUSES = {
  queued: { name: "pending", word: "waiting" },
  sent: { name: "approved", word: "sent" },
  failed: { name: "failed", word: "failed" },
  dropped: { name: "removed", word: "not sent" },
} as const;
/** How far back does not matter to the last message of each receiver. */
const DAYS = 1;
const TESTED_MS = 1_500;

/** Who is told, and how the last message to each went; a sample to all of them. */
export function Channels({ monitor }: { monitor: MonitorView }) {
  const { may } = useMe();
  const { data, error, refetch } = useQuery(
    // Until a sample has been answered it is looked for more often.
    {
      ...alertsQuery(monitor.id, DAYS),
      refetchInterval: ({ state }) => (isWaiting(state.data?.receivers) ? TESTED_MS : unlessLive(15_000)),
    },
  );
  const receivers = receiversOf(monitor.alerts, data?.receivers ?? []);
  return (
    <section aria-labelledby="channels" className="section">
      <div className="page-head">
        <h2 id="channels">Who is told</h2>
        {receivers.length > 0 && may("reviewer") && <TestButton monitor={monitor} />}
      </div>
      {error && !data && <Problem error={error} what="What was sent" again={refetch} />}
      {receivers.length === 0 ? (
        <p className="about">
          Nobody: the monitor has no channels.{" "}
          {may("admin") ? (
            <Link to={{ page: "monitor", id: monitor.id, isEdited: true }}>Set some</Link>
          ) : (
            "An admin of the team sets them."
          )}
        </p>
      ) : (
        <ul className="rows" aria-label="Channels">
          {receivers.map(({ channel, name, last }) => (
            <li key={`${channel} ${name}`}>
              <span className="row-what">
                <strong>{CHANNELS[channel]}</strong>
                <span className="quiet">{name}</span>
              </span>
              {last ? <LastMessage delivery={last} /> : <span className="quiet">nothing sent yet</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const isWaiting = (receivers: readonly DeliveryView[] | undefined) =>
  receivers?.some(({ status, tries }) => status === "queued" && tries < 2) ?? false;

function LastMessage({ delivery }: { delivery: DeliveryView }) {
  const { status, kind, answer, createdAt, endedAt, nextTryAt, tries } = delivery;
  return (
    <span className="last-message">
      <span>
        <Status {...STATUSES[status]} /> {KINDS[kind]} <Time iso={endedAt ?? createdAt} />
        {status === "queued" && tries > 0 && nextTryAt && (
          <>
            {" "}
            · tried {tries === 1 ? "once" : `${tries} times`}, again <Time iso={nextTryAt} />
          </>
        )}
      </span>
      {answer && <span className="quiet">{answer}</span>}
    </span>
  );
}

function TestButton({ monitor }: { monitor: MonitorView }) {
  const client = useQueryClient();
  const say = useSay();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.testAlert(monitor.id),
    onError: error => say({ text: wordsOf(error), isFault: true }),
    onSuccess({ deliveries }) {
      say({
        text: `A sample is on its way to ${deliveries.length === 1 ? "one receiver" : `${deliveries.length} receivers`}.`,
      });
      void client.invalidateQueries({ queryKey: ["alerts", monitor.id] });
    },
  });
  return (
    <button type="button" disabled={isPending} onClick={() => mutate()}>
      Send a sample to all
    </button>
  );
}
