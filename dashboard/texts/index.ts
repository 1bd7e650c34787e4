/**
 * All texts of the dashboard, one file per area. Components import the file of their area. Tests and
 * translators import this one. docs/contributing/writing.md has the rules for texts.
 */
export * as baselines from "./baselines.ts";
export * as commands from "./commands.ts";
export * as comments from "./comments.ts";
export * as common from "./common.ts";
export * as configuration from "./configuration.ts";
export * as format from "./format.ts";
export * as channels from "./monitors/channels.ts";
export * as incidents from "./monitors/incidents.ts";
export * as maintenance from "./monitors/maintenance.ts";
export * as monitorForm from "./monitors/monitor-form.ts";
export * as monitors from "./monitors/monitors.ts";
export * as statusPages from "./monitors/status-pages.ts";
export * as uptime from "./monitors/uptime.ts";
export * as noise from "./noise.ts";
export * as palette from "./palette.ts";
export * as people from "./people.ts";
export * as review from "./review.ts";
export * as compare from "./runs/compare.ts";
export * as looks from "./runs/looks.ts";
export * as run from "./runs/run.ts";
export * as runs from "./runs/runs.ts";
export * as codeHost from "./settings/code-host.ts";
export * as nodes from "./settings/nodes.ts";
export * as notifications from "./settings/notifications.ts";
export * as repositories from "./settings/repositories.ts";
export * as settings from "./settings/settings.ts";
export * as transfer from "./settings/transfer.ts";
export * as usage from "./settings/usage.ts";
export * as shell from "./shell.ts";
export * as signIn from "./sign-in.ts";
