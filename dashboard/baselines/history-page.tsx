import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import type { BaselineEntry } from "../../shared/contracts/runs/baselines.ts";
import { api } from "../api/client.ts";
import type { AppLocation } from "../app-location.ts";
import { ProjectName } from "../monitors/project-name.tsx";
import { Link, navigate } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { historyTexts } from "../texts/baselines.ts";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { fill } from "../ui/fill.ts";
import { More } from "../ui/more.tsx";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import "./baselines.css";
import { CompareStage } from "./compare-stage.tsx";
import { scopeInShort } from "./comparison.ts";
import { historyQuery } from "./queries.ts";
import { Timeline } from "./timeline.tsx";

type HistoryAt = Extract<AppLocation, { page: "history" }>;

/** Shows every approval of a page at one width, each beside the previous one. */
export function HistoryPage({ location }: { location: HistoryAt }) {
  const { project } = location;
  useTitle(commonTexts.pageAt(location));
  const list = useInfiniteQuery(historyQuery({ project, ...pickPage(location) }));
  const { data, error, refetch } = list;
  const entries = data?.pages.flatMap(page => page.data);
  const chosen = entries?.find(({ id }) => id === location.entry) ?? entries?.[0];
  return (
    <>
      <p className="project">
        <Link to={{ page: "baselines", project }}>
          <ProjectName project={project} />
        </Link>
      </p>
      <div className="page-head">
        <h1 className="history-title">
          {pageName(location)} <span className="quiet">{commonTexts.px(location.viewport)}</span>
        </h1>
      </div>
      {error && !entries && <Problem error={error} what={loadedThings.history} again={refetch} />}
      {!entries && !error && <Loading what={loadedThings.history} />}
      {entries?.length === 0 && (
        <p className="empty">
          {fill(historyTexts.empty, {
            link: <Link to={{ page: "baselines", project }}>{historyTexts.viewBaselines}</Link>,
          })}
        </p>
      )}
      {entries && chosen && (
        <div className="history">
          <section className="history-look" aria-label={historyTexts.screenshot}>
            <CompareStage
              entries={entries}
              entry={chosen}
              onStep={by => {
                const next = entries[entries.indexOf(chosen) + by];
                if (next) navigate({ ...location, entry: next.id }, "replace");
              }}
            />
          </section>
          <section className="history-list" aria-labelledby="approvals">
            <h2 id="approvals">{historyTexts.approvals}</h2>
            <Timeline
              entries={entries}
              chosenId={chosen.id}
              onChoose={({ id }) => navigate({ ...location, entry: id }, "replace")}
              restore={entry => <RestoreButton entry={entry} entries={entries} />}
            />
            <More list={list}>{historyTexts.older}</More>
          </section>
        </div>
      )}
    </>
  );
}

/** Restores an earlier approval as the baseline, with an undo. */
function RestoreButton({ entry, entries }: { entry: BaselineEntry; entries: readonly BaselineEntry[] }) {
  const { may } = useMe();
  const client = useQueryClient();
  const showToast = useToast();
  const restoring = useMutation({
    mutationFn: api.restoreBaseline,
    onError: error => showToast({ text: commonTexts.notSaved(messageOf(error)), isFailure: true }),
    onSettled: () =>
      Promise.all(
        ["history", "baselines"].map(queryKey => client.invalidateQueries({ queryKey: [queryKey] })),
      ),
  });
  if (entry.inForce || !may("reviewer")) return null;
  const latest = entries.find(
    ({ inForce, branch, pr }) => inForce && branch === entry.branch && pr === entry.pr,
  );
  const restore = () =>
    restoring.mutate(entry.id, {
      onSuccess: () =>
        showToast({
          text: historyTexts.restored(scopeInShort(entry)),
          ...(latest && { action: { label: commonTexts.undo, run: () => restoring.mutate(latest.id) } }),
        }),
    });
  return (
    <button type="button" disabled={restoring.isPending} onClick={restore}>
      {entry.removed ? historyTexts.restoreRemoval : historyTexts.restore}
    </button>
  );
}
