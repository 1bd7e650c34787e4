import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import type { BaselineEntry } from "../../shared/contracts/baselines.ts";
import { api } from "../api/client.ts";
import { goTo, Link } from "../location.tsx";
import { ProjectName } from "../monitors/project-name.tsx";
import type { Place } from "../place.ts";
import { useMe } from "../session.tsx";
import { More } from "../ui/more.tsx";
import { Problem, useTitle, Waiting } from "../ui/parts.tsx";
import { useSay, wordsOf } from "../ui/say.tsx";
import "./baselines.css";
import { CompareStage } from "./compare-stage.tsx";
import { scopeInShort } from "./comparison.ts";
import { historyQuery } from "./queries.ts";
import { Timeline } from "./timeline.tsx";

type HistoryAt = Extract<Place, { page: "history" }>;

/** Every approval of one page at one width, each beside the one before it. */
export function HistoryPage({ place }: { place: HistoryAt }) {
  const { project, route, viewport } = place;
  useTitle(`${route} at ${viewport} px`);
  const list = useInfiniteQuery(historyQuery({ project, route, viewport }));
  const { data, error, refetch } = list;
  const entries = data?.pages.flatMap(page => page.data);
  const chosen = entries?.find(({ id }) => id === place.entry) ?? entries?.[0];
  return (
    <>
      <p className="project">
        <Link to={{ page: "baselines", project }}>
          <ProjectName project={project} />
        </Link>
      </p>
      <div className="page-head">
        <h1 className="history-title">
          {route} <span className="quiet">{viewport} px</span>
        </h1>
      </div>
      {error && !entries && <Problem error={error} what="The history" again={refetch} />}
      {!entries && !error && <Waiting what="the history" />}
      {entries?.length === 0 && (
        <p className="empty">
          This page was not approved at this width, or its approvals were taken back.{" "}
          <Link to={{ page: "baselines", project }}>See what is</Link>
        </p>
      )}
      {entries && chosen && (
        <div className="history">
          <section className="history-look" aria-label="Approved screenshot">
            <CompareStage
              entries={entries}
              entry={chosen}
              onStep={by => {
                const next = entries[entries.indexOf(chosen) + by];
                if (next) goTo({ ...place, entry: next.id }, "replace");
              }}
            />
          </section>
          <section className="history-list" aria-labelledby="approvals">
            <h2 id="approvals">Approvals</h2>
            <Timeline
              entries={entries}
              chosenId={chosen.id}
              onChoose={({ id }) => goTo({ ...place, entry: id }, "replace")}
              restore={entry => <RestoreButton entry={entry} entries={entries} />}
            />
            <More list={list}>Older approvals</More>
          </section>
        </div>
      )}
    </>
  );
}

/** Makes an earlier approval the baseline again, and back. */
function RestoreButton({ entry, entries }: { entry: BaselineEntry; entries: readonly BaselineEntry[] }) {
  const { may } = useMe();
  const client = useQueryClient();
  const say = useSay();
  const restoring = useMutation({
    mutationFn: api.restoreBaseline,
    onError: error => say({ text: `Nothing was changed. ${wordsOf(error)}`, isFault: true }),
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
        say({
          text: `It is the baseline of ${scopeInShort(entry)} again.`,
          ...(latest && { act: { label: "Undo", run: () => restoring.mutate(latest.id) } }),
        }),
    });
  return (
    <button type="button" disabled={restoring.isPending} onClick={restore}>
      {entry.removed ? "Hold the page as removed again" : "Make it the baseline again"}
    </button>
  );
}
