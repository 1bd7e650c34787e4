import { INCIDENT_TOOLS } from "../../../shared/contracts/monitors/monitor-channels.ts";
import type {
  ChangeMonitor,
  CreateMonitorInput,
  MonitorView,
} from "../../../shared/contracts/monitors/monitors.ts";
import { monitorFormTexts } from "../../texts/monitors/monitor-form.ts";
import { linesOf, numberIn, shareIn, textIn, widthsIn } from "../../ui/form-values.ts";

/** Builds the bodies of monitor forms. The service validates them. */

type Values = Omit<CreateMonitorInput, "alerts" | "paused" | "options" | "http"> & Pick<MonitorView, "http">;

/** Changes of channels: null removes one, a missing field keeps it. */
export type ChannelValues = NonNullable<ChangeMonitor["alerts"]>;

/** Changes of options: null removes one, a missing field keeps it. */
type OptionValues = NonNullable<ChangeMonitor["options"]>;

/** Reads the form's fields except for channels and options. */
function valuesOf(form: FormData): Required<Values> {
  const text = (name: string) => textIn(form, name);
  return {
    name: text("name"),
    url: text("url"),
    routes: linesOf(text("routes")),
    viewports: widthsIn(text("viewports")),
    intervalMinutes: numberIn(text("every")) * Number(text("unit") || "1"),
    alertThreshold: shareIn(text("threshold")),
    tags: tagsIn(text("tags")),
    regions: tagsIn(text("regions")),
    agree: numberIn(text("agree") || "1"),
    http: httpIn(form),
  };
}

/** Reads the settings of the HTTP check. Null if it is off. */
function httpIn(form: FormData): MonitorView["http"] {
  if (!form.has("http")) return null;
  const [max, text] = [textIn(form, "http-max"), textIn(form, "http-text")];
  return {
    maxResponseMs: max === "" ? null : numberIn(max),
    requiredText: text === "" ? null : text,
    regions: tagsIn(textIn(form, "http-regions")),
    agree: numberIn(textIn(form, "http-agree") || "1"),
  };
}

/** Returns the tags in a list, as the service stores them. */
function tagsIn(text: string): string[] {
  const tags = linesOf(text.replaceAll(",", "\n")).map(tag => tag.toLowerCase());
  return [...new Set(tags)];
}

/** Reads the channels. Empty fields keep the current values, unless they are marked for removal. */
export function channelsOf(form: FormData, before: MonitorView["alerts"] | null): ChannelValues {
  const [slack, pagerduty] = [textIn(form, "slack"), textIn(form, "pagerduty")];
  const [url, secret] = [textIn(form, "webhook-url"), textIn(form, "webhook-secret")];
  const emails = linesOf(textIn(form, "email").replaceAll(/[,;]/g, "\n"));
  const areOthers = emails.join("\n") !== (before?.email ?? []).join("\n");
  const incidents = incidentsIn(form, before);
  const webhook = { ...(url && { url }), ...(secret && { secret }) };
  return {
    ...(form.has("slack-away") ? { slack: null } : slack && { slack }),
    ...(areOthers && { email: emails.length === 0 ? null : emails }),
    ...(form.has("pagerduty-away") ? { pagerduty: null } : pagerduty && { pagerduty }),
    ...(form.has("incidents-away") ? { incidents: null } : incidents && { incidents }),
    ...(form.has("webhook-away") ? { webhook: null } : Object.keys(webhook).length > 0 && { webhook }),
  };
}

/** Reads another incident service. Undefined if it stays: its URL and key are secret, so a change names both. */
function incidentsIn(form: FormData, before: MonitorView["alerts"] | null): ChannelValues["incidents"] {
  const tool = INCIDENT_TOOLS.find(name => name === textIn(form, "incidents-tool"));
  const [url, key] = [textIn(form, "incidents-url"), textIn(form, "incidents-key")];
  const isKept = tool === before?.incidents?.tool && url === "" && key === "";
  return tool && !isKept ? { tool, url, key } : undefined;
}

/** Reads the options that changed. */
function optionsOf(form: FormData, before: MonitorView["options"]): OptionValues {
  const list = (name: string) => linesOf(textIn(form, name));
  const [hide, masks, headers] = [list("hide"), list("masks"), list("headers")];
  const waitForSelector = textIn(form, "wait-for");
  const threshold = textIn(form, "color-threshold").replace(",", ".");
  // Invalid numbers become -1, which the service refuses. NaN would be sent as null, which removes the option.
  const number = Number(threshold);
  const was = (list: string[] = []) => linesOf(list.join("\n")).join("\n");
  const colorThreshold = threshold === "" ? undefined : Number.isFinite(number) ? number : -1;
  return {
    ...(hide.join("\n") !== was(before.hide) && { hide: hide.length > 0 ? hide : null }),
    ...(masks.join("\n") !== was(before.masks) && { masks: masks.length > 0 ? masks : null }),
    ...(waitForSelector !== (before.waitForSelector ?? "").trim() && {
      waitForSelector: waitForSelector || null,
    }),
    ...(form.has("headers-away")
      ? { headers: null }
      : headers.length > 0 && { headers: Object.fromEntries(headers.map(headerOf)) }),
    ...(colorThreshold !== before.colorThreshold && { colorThreshold: colorThreshold ?? null }),
  };
}

/** A line without a colon may be a secret value. It gets no name, so the service refuses it. */
function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return colon === -1 ? ["", line] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

/** Builds the body of a new monitor. The service requires complete channels, and reports missing parts. */
export function createBodyOf(form: FormData): CreateMonitorInput {
  const { slack, email, pagerduty, incidents, webhook } = channelsOf(form, null);
  const alerts = {
    ...(slack && { slack }),
    ...(email && { email }),
    ...(pagerduty && { pagerduty }),
    ...(incidents && { incidents }),
    ...(webhook && { webhook: { url: webhook.url ?? "", secret: webhook.secret ?? "" } }),
  };
  const { hide, masks, waitForSelector, headers, colorThreshold } = optionsOf(form, {});
  const options = {
    ...(hide && { hide }),
    ...(masks && { masks }),
    ...(waitForSelector && { waitForSelector }),
    ...(headers && { headers }),
    ...(typeof colorThreshold === "number" && { colorThreshold }),
  };
  return {
    ...valuesOf(form),
    ...(Object.keys(alerts).length > 0 && { alerts }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

/** Returns the form's changes to the monitor; null if there are none. */
export function changesOf(form: FormData, monitor: MonitorView): ChangeMonitor | null {
  const values = valuesOf(form);
  const { name, url, routes, viewports, intervalMinutes, alertThreshold, tags, regions, agree, http } =
    values;
  const alerts = channelsOf(form, monitor.alerts);
  const options = optionsOf(form, monitor.options);
  const changes: ChangeMonitor = {
    ...(name !== monitor.name && { name }),
    // Headers are stored for the site in the form.
    ...((url !== monitor.url || options.headers) && { url }),
    ...(routes.join("\n") !== monitor.routes.join("\n") && { routes }),
    ...(viewports.join() !== monitor.viewports.join() && { viewports }),
    ...(intervalMinutes !== monitor.intervalMinutes && { intervalMinutes }),
    ...(alertThreshold !== monitor.alertThreshold && { alertThreshold }),
    ...(tags.join() !== monitor.tags.join() && { tags }),
    ...(regions.join() !== monitor.regions.join() && { regions }),
    ...(agree !== monitor.agree && { agree }),
    ...(!isSameHttp(http, monitor.http) && { http }),
    ...(Object.keys(alerts).length > 0 && { alerts }),
    ...(Object.keys(options).length > 0 && { options }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

function isSameHttp(one: MonitorView["http"], other: MonitorView["http"]): boolean {
  const textOf = (http: MonitorView["http"]) =>
    http && JSON.stringify([http.maxResponseMs, http.requiredText, http.regions, http.agree]);
  return textOf(one) === textOf(other);
}

/** Messages for numbers whose unit in the form differs from the service's. */
const IN_UNITS_OF_THE_FORM = new Map<string, string>(Object.entries(monitorFormTexts.invalid));

/** Returns the failure of a field or a part of it. @param name as in bodies, such as `alerts.webhook.url` */
export function failureIn(
  name: string,
  failures: readonly { path: string; message: string }[],
): string | undefined {
  const failure = failures.find(
    ({ path }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
  );
  return failure && (IN_UNITS_OF_THE_FORM.get(name) ?? failure.message);
}
