import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { NotificationView } from "../../shared/contracts/monitors/alerts.ts";
import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import { api } from "../api/client.ts";
import { unlessLive } from "../api/live.ts";
import { Link } from "../navigation.tsx";
import { LastMessage } from "../notifications/last-message.tsx";
import { useMe } from "../session.tsx";
import { loadedThings } from "../texts/common.ts";
import { channelNameOf, channelsTexts, notificationNames } from "../texts/monitors/channels.ts";
import { fill } from "../ui/fill.ts";
import { Problem } from "../ui/parts.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { receiversOf } from "./form/receivers.ts";
import { alertsQuery } from "./queries.ts";

/** Enough: the last notification of each receiver is included in any case. */
const DAYS = 1;
const TEST_POLL_MS = 1_500;

/** Lists the receivers of alerts with their last notifications, and a button for a test notification. */
export function Channels({ monitor }: { monitor: MonitorView }) {
  const { may } = useMe();
  const { data, error, refetch } = useQuery(
    // Polls more often until a test notification has a result.
    {
      ...alertsQuery(monitor.id, DAYS),
      refetchInterval: ({ state }) => (isWaiting(state.data?.receivers) ? TEST_POLL_MS : unlessLive(15_000)),
    },
  );
  const receivers = receiversOf(monitor.alerts, data?.receivers ?? []);
  return (
    <section aria-labelledby="channels" className="section">
      <div className="page-head">
        <h2 id="channels">{channelsTexts.title}</h2>
        {receivers.length > 0 && may("reviewer") && <TestButton monitor={monitor} />}
      </div>
      {error && !data && <Problem error={error} what={loadedThings.notifications} again={refetch} />}
      {receivers.length === 0 ? (
        <p className="about">
          {fill(channelsTexts.empty, {
            how: may("admin") ? (
              <Link to={{ page: "monitor", id: monitor.id, isEdited: true }}>{channelsTexts.add}</Link>
            ) : (
              channelsTexts.adminsAdd
            ),
          })}
        </p>
      ) : (
        <ul className="rows" aria-label={channelsTexts.list}>
          {receivers.map(({ channel, name, last }) => (
            <li key={`${channel} ${name}`}>
              <span className="row-what">
                <strong>{channelNameOf(channel, monitor.alerts)}</strong>
                <span className="quiet">{name}</span>
              </span>
              {last ? (
                <LastMessage name={notificationNames[last.kind]} of={last} />
              ) : (
                <span className="quiet">{channelsTexts.nothingSent}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const isWaiting = (receivers: readonly NotificationView[] | undefined) =>
  receivers?.some(({ status, tries }) => status === "queued" && tries < 2) ?? false;

/** Sends a test alert to all receivers of a monitor. */
export function TestButton({ monitor }: { monitor: MonitorView }) {
  const client = useQueryClient();
  const showToast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.testAlert(monitor.id),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
    onSuccess({ deliveries }) {
      showToast({ text: channelsTexts.testQueued(deliveries.length) });
      void client.invalidateQueries({ queryKey: ["alerts", monitor.id] });
    },
  });
  return (
    <button type="button" disabled={isPending} onClick={() => mutate()}>
      {channelsTexts.sendTest}
    </button>
  );
}
