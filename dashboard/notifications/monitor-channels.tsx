import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import { PROJECT_OF_ALL_MONITORS } from "../../shared/monitor-project.ts";
import { TestButton } from "../monitors/channels.tsx";
import { receiversOf } from "../monitors/form/receivers.ts";
import { alertsQuery, monitorsQuery } from "../monitors/queries.ts";
import { Link } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { loadedThings } from "../texts/common.ts";
import { channelNameOf, channelsTexts, notificationNames } from "../texts/monitors/channels.ts";
import { monitorChannelTexts } from "../texts/settings/notifications.ts";
import { fill } from "../ui/fill.ts";
import { More } from "../ui/more.tsx";
import { Loading, Problem } from "../ui/parts.tsx";
import { LastMessage } from "./last-message.tsx";

/** Enough: the last message to each receiver is included in any case. */
const DAYS = 1;

/** Lists the monitors with their alert channels and last messages. The form of each monitor edits them. */
export function MonitorChannels() {
  const list = useInfiniteQuery(monitorsQuery({}));
  const { data, error, refetch } = list;
  const monitors = data?.pages.flatMap(page => page.data);
  const ofAll = (
    <Link to={{ page: "configuration", project: PROJECT_OF_ALL_MONITORS, section: "notifications" }}>
      {monitorChannelTexts.settings}
    </Link>
  );
  return (
    <section aria-labelledby="monitor-channels" className="section">
      <h2 id="monitor-channels">{monitorChannelTexts.title}</h2>
      <p className="about">
        {monitorChannelTexts.about} {fill(monitorChannelTexts.all, { link: ofAll })}
      </p>
      {error && !monitors && <Problem error={error} what={loadedThings.monitors} again={refetch} />}
      {!monitors && !error && <Loading what={loadedThings.monitors} />}
      {monitors?.length === 0 && <p className="empty">{monitorChannelTexts.empty}</p>}
      {monitors && monitors.length > 0 && (
        <ul className="rows" aria-label={monitorChannelTexts.title}>
          {monitors.map(monitor => (
            <MonitorRow key={monitor.id} monitor={monitor} />
          ))}
        </ul>
      )}
      <More list={list}>{monitorChannelTexts.more}</More>
    </section>
  );
}

function MonitorRow({ monitor }: { monitor: MonitorView }) {
  const { may } = useMe();
  const hasChannels = receiversOf(monitor.alerts, []).length > 0;
  const { data } = useQuery({ ...alertsQuery(monitor.id, DAYS), enabled: hasChannels });
  const receivers = receiversOf(monitor.alerts, data?.receivers ?? []);
  return (
    <li className="monitor-receivers">
      <span className="row-what">
        <strong>
          <Link to={{ page: "monitor", id: monitor.id, isEdited: false }}>{monitor.name}</Link>
        </strong>
        {!hasChannels && <span className="quiet">{monitorChannelTexts.none}</span>}
      </span>
      <span className="actions">
        {hasChannels && may("reviewer") && <TestButton monitor={monitor} />}
        {may("admin") && (
          <Link className="button" to={{ page: "monitor", id: monitor.id, isEdited: true }}>
            {hasChannels ? monitorChannelTexts.edit : monitorChannelTexts.add}
            <span className="hidden"> {monitorChannelTexts.of(monitor.name)}</span>
          </Link>
        )}
      </span>
      {hasChannels && (
        <ul aria-label={monitorChannelTexts.listOf(monitor.name)}>
          {receivers.map(receiver => (
            <li key={`${receiver.channel} ${receiver.name}`}>
              <span className="row-what">
                <span>{channelNameOf(receiver.channel, monitor.alerts)}</span>
                <span className="quiet">{receiver.name}</span>
              </span>
              {receiver.last ? (
                <LastMessage name={notificationNames[receiver.last.kind]} of={receiver.last} />
              ) : (
                <span className="last-message quiet">{channelsTexts.nothingSent}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
