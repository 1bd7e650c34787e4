import type { ChangeMonitor, CreateMonitorInput, MonitorView } from "../../shared/contracts/monitors.ts";

/** What a form says of a monitor; the service judges it. */

type Values = Omit<CreateMonitorInput, "alerts" | "paused">;

/** What is to become of a channel: null takes it away, absent leaves it. */
export type ChannelValues = NonNullable<ChangeMonitor["alerts"]>;

/** Reads the form's fields but for the channels. */
function valuesOf(form: FormData): Required<Values> {
  const text = (name: string) => textIn(form, name);
  return {
    name: text("name"),
    url: text("url"),
    routes: lines(text("routes")),
    viewports: text("viewports")
      .split(/[\s,;]+/)
      .filter(width => width !== "")
      .map(Number),
    intervalMinutes: numberIn(text("every")) * Number(text("unit") || "1"),
    // In tenths of thousandths, so that 0.3 % is not 0.0029999.
    alertThreshold: Math.round(numberIn(text("threshold").replace(",", ".")) * 10_000) / 1_000_000,
  };
}

/** Reads the channels: what is left empty stays as it is, unless it is to be taken away. */
export function channelsOf(form: FormData, before: MonitorView["alerts"] | null): ChannelValues {
  const [slack, pagerduty] = [textIn(form, "slack"), textIn(form, "pagerduty")];
  const [url, secret] = [textIn(form, "webhook-url"), textIn(form, "webhook-secret")];
  const emails = lines(textIn(form, "email").replaceAll(/[,;]/g, "\n"));
  const areOthers = emails.join("\n") !== (before?.email ?? []).join("\n");
  const webhook = { ...(url && { url }), ...(secret && { secret }) };
  return {
    ...(form.has("slack-away") ? { slack: null } : slack && { slack }),
    ...(areOthers && { email: emails.length === 0 ? null : emails }),
    ...(form.has("pagerduty-away") ? { pagerduty: null } : pagerduty && { pagerduty }),
    ...(form.has("webhook-away") ? { webhook: null } : Object.keys(webhook).length > 0 && { webhook }),
  };
}

/** A new monitor's body. The service asks for whole channels, and says which part of one is missing. */
export function createBodyOf(form: FormData): CreateMonitorInput {
  const { slack, email, pagerduty, webhook } = channelsOf(form, null);
  const alerts = {
    ...(slack && { slack }),
    ...(email && { email }),
    ...(pagerduty && { pagerduty }),
    ...(webhook && { webhook: { url: webhook.url ?? "", secret: webhook.secret ?? "" } }),
  };
  return { ...valuesOf(form), ...(Object.keys(alerts).length > 0 && { alerts }) };
}

/** What the form says other than the monitor has it; null for nothing. */
export function changesOf(form: FormData, monitor: MonitorView): ChangeMonitor | null {
  const values = valuesOf(form);
  const { name, url, routes, viewports, intervalMinutes, alertThreshold } = values;
  const alerts = channelsOf(form, monitor.alerts);
  const changes: ChangeMonitor = {
    ...(name !== monitor.name && { name }),
    ...(url !== monitor.url && { url }),
    ...(routes.join("\n") !== monitor.routes.join("\n") && { routes }),
    ...(viewports.join() !== monitor.viewports.join() && { viewports }),
    ...(intervalMinutes !== monitor.intervalMinutes && { intervalMinutes }),
    ...(alertThreshold !== monitor.alertThreshold && { alertThreshold }),
    ...(Object.keys(alerts).length > 0 && { alerts }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

/** What is wrong where a number is asked for in other units than the service's, which would say it in its own. */
const IN_UNITS_OF_THE_FORM = new Map([
  ["alertThreshold", "must be a number from 0 to 100"],
  ["intervalMinutes", "must be from 5 minutes to a week, in whole minutes"],
]);

/** The fault of a field, also of a part of it. @param name as bodies have it, `alerts.webhook.url` */
export function faultOf(
  name: string,
  faults: readonly { path: string; message: string }[],
): string | undefined {
  const fault = faults.find(
    ({ path }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
  );
  return fault && (IN_UNITS_OF_THE_FORM.get(name) ?? fault.message);
}

/** NaN for what is none: nothing is not zero, which would be a threshold. */
function numberIn(text: string): number {
  return text === "" ? Number.NaN : Number(text);
}

function textIn(form: FormData, name: string): string {
  return String(form.get(name) ?? "").trim();
}

function lines(text: string): string[] {
  return text
    .split("\n")
    .map(line => line.trim())
    .filter(line => line !== "");
}
