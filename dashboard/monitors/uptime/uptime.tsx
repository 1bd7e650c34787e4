import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  type Availability,
  PERIOD_DAYS,
  type PeriodDays,
  type UptimeSeries,
  type UptimeView,
} from "../../../shared/contracts/monitors/availability.ts";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { uptimeTexts } from "../../texts/monitors/uptime.ts";
import { Problem } from "../../ui/parts.tsx";
import { uptimeQuery } from "../queries.ts";
import { UptimeChart } from "./uptime-chart.tsx";
import "./uptime.css";

const PERIODS: Record<PeriodDays, keyof Availability> = { 1: "day", 7: "week", 30: "month", 90: "quarter" };

/** Shows uptime and response time over several periods, for the monitor and for each page. */
export function Uptime({ monitor }: { monitor: MonitorView }) {
  const [days, setDays] = useState<PeriodDays>(30);
  const {
    data: view,
    error,
    refetch,
  } = useQuery(uptimeQuery(monitor.id, days, monitor.lastCheck?.id ?? null));
  return (
    <section aria-labelledby="uptime" className="section">
      <div className="page-head">
        <h2 id="uptime">{uptimeTexts.title}</h2>
        <fieldset className="ranges">
          <legend className="hidden">{uptimeTexts.range}</legend>
          {PERIOD_DAYS.map(period => (
            <button key={period} type="button" aria-pressed={period === days} onClick={() => setDays(period)}>
              {uptimeTexts.ranges[period]}
            </button>
          ))}
        </fieldset>
      </div>
      {error && !view && <Problem error={error} what={uptimeTexts.thing} again={refetch} />}
      {!view && !error && <div className="uptime-frame" />}
      {view && view.monitor.quarter.checks === 0 && <p className="empty">{uptimeTexts.empty}</p>}
      {view && view.monitor.quarter.checks > 0 && <UptimeTable view={view} days={days} />}
    </section>
  );
}

function UptimeTable({ view, days: shown }: { view: UptimeView; days: PeriodDays }) {
  const rows = [
    { name: uptimeTexts.all, series: view.monitor },
    ...view.pages.map(({ route, ...series }) => ({ name: route, series })),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section className="table-frame uptime-frame" tabIndex={0} aria-label={uptimeTexts.table}>
      <table className="uptime-table">
        <caption className="hidden">{uptimeTexts.table}</caption>
        <thead>
          <tr>
            <th scope="col">{uptimeTexts.page}</th>
            {PERIOD_DAYS.map(days => (
              <th key={days} scope="col" className="figure">
                {uptimeTexts.ranges[days]}
              </th>
            ))}
            <th scope="col" className="figure">
              {uptimeTexts.response}
            </th>
            <th scope="col">{uptimeTexts.charts(uptimeTexts.ranges[shown])}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, series }) => (
            <UptimeRow key={name} name={name} series={series} view={view} period={PERIODS[shown]} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface UptimeRowProps {
  name: string;
  series: UptimeSeries;
  view: UptimeView;
  period: keyof Availability;
}

function UptimeRow({ name, series, view, period }: UptimeRowProps) {
  const { uptime, responseMs, slowestMs } = series[period];
  const [up, response] = [uptimeTexts.uptime(uptime), uptimeTexts.responseTime(responseMs)];
  return (
    <tr>
      <th scope="row">{name}</th>
      {PERIOD_DAYS.map(days => {
        const { uptime: share, checks } = series[PERIODS[days]];
        return (
          <td
            key={days}
            className={share !== null && share < 1 ? "figure had-downtime" : "figure"}
            title={uptimeTexts.checks(checks)}
          >
            {uptimeTexts.uptime(share)}
          </td>
        );
      })}
      <td className="figure" title={uptimeTexts.slowest(slowestMs)}>
        {response}
      </td>
      <td className="uptime-cell">
        <UptimeChart name={name} view={view} series={series} uptime={up} response={response} />
      </td>
    </tr>
  );
}
