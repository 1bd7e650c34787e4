import { queryOptions, useQuery } from "@tanstack/react-query";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { api } from "../api/client.ts";
import { type AppLocation, parseAddress } from "../app-location.ts";
import { subjectOf } from "../runs/run-row.tsx";
import { useSavedFilters } from "../saved-filters/stored-filters.ts";
import { useMe } from "../session.tsx";
import { settingsOf } from "../settings/open-settings.rule.ts";
import { configurationTexts } from "../texts/configuration.ts";
import { incidentTexts } from "../texts/monitors/incidents.ts";
import { maintenanceTexts } from "../texts/monitors/maintenance.ts";
import { statusPageTexts } from "../texts/monitors/status-pages.ts";
import { paletteTexts } from "../texts/palette.ts";
import { compareTexts } from "../texts/runs/compare.ts";
import { overviewTexts } from "../texts/runs/overview.ts";
import { shellTexts } from "../texts/shell.ts";
import { outcomeOf } from "../ui/status.tsx";
import type { Command } from "./match-commands.rule.ts";

const RUNS = 100;
const STALE_MS = 30_000;

const foundQuery = queryOptions({
  queryKey: ["palette"],
  queryFn: async () => {
    const [projects, runs] = await Promise.all([api.projects({}, null), api.runs({}, RUNS, null)]);
    return { projects: projects.data.map(({ name }) => name), runs: runs.data };
  },
  staleTime: STALE_MS,
});

/** Returns all commands of the reader: actions, pages, projects, and the latest runs. */
export function useCommands(text: string): Command[] {
  const me = useMe();
  const { may } = me;
  const { data } = useQuery(foundQuery);
  const saved = useSavedFilters(me.session.team?.id ?? "");
  const names = shellTexts.pages;
  const pages: [string, AppLocation][] = [
    [names.inbox, { page: "inbox" }],
    [names.runs, { page: "runs", filters: {} }],
    [paletteTexts.needsReview, { page: "runs", filters: { needsReview: "1" } }],
    [names.baselines, { page: "baselines" }],
    [names.monitors, { page: "monitors" }],
    [statusPageTexts.title, { page: "status-pages" }],
    [maintenanceTexts.title, { page: "maintenance" }],
    [incidentTexts.title, { page: "incidents", filter: "unresolved" }],
    [compareTexts.title, { page: "compare" }],
    ...settingsOf(me).map(({ name, to }): [string, AppLocation] => [name, to]),
  ];
  const actions: [string, AppLocation][] = may("reviewer")
    ? [
        [paletteTexts.startRun, { page: "runs", filters: {}, isStarting: true }],
        [paletteTexts.newMonitor, { page: "new-monitor" }],
      ]
    : [];
  return [
    ...runNamed(text),
    ...pages.map(([label, to]) => commandOf("page", label, to)),
    ...actions.map(([label, to]) => commandOf("action", label, to)),
    ...saved.map(({ name, address }) => commandOf("filter", name, parseAddress(address))),
    ...(data?.projects ?? []).flatMap(project => [
      commandOf("project", paletteTexts.runsOf(project), { page: "runs", filters: { project } }),
      commandOf("project", paletteTexts.baselinesOf(project), { page: "baselines", project }),
      commandOf("project", overviewTexts.titleOf(project), { page: "overview", project }),
      commandOf("project", configurationTexts.titleOf(project), { page: "configuration", project }),
    ]),
    ...(data?.runs ?? []).map(commandOfRun),
  ];
}

function commandOf(kind: Command["kind"], label: string, to: AppLocation): Command {
  return { id: `${kind} ${label}`, kind, label, detail: "", to };
}

function commandOfRun(run: RunView): Command {
  const detail = `${subjectOf(run)} · ${outcomeOf(run).word}`;
  return { id: run.id, kind: "run", label: run.project, detail, to: { page: "run", id: run.id } };
}

/** Returns a command for a typed or pasted id, also of an older run. */
function runNamed(text: string): Command[] {
  const id = text.trim();
  if (!/^run_[0-9a-z]{26}$/.test(id)) return [];
  return [{ ...commandOf("run", paletteTexts.openRun(id), { page: "run", id }), id: `open ${id}` }];
}
