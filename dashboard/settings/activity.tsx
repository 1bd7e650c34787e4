import { useInfiniteQuery } from "@tanstack/react-query";
import type { TeamView } from "../../shared/contracts/teams/people.ts";
import { api } from "../api/client.ts";
import { Link } from "../navigation.tsx";
import { loadedThings } from "../texts/common.ts";
import { activityTexts, activityVerbs } from "../texts/settings/settings.ts";
import { More } from "../ui/more.tsx";
import { Loading, Problem } from "../ui/parts.tsx";
import { Time } from "../ui/text/time.tsx";
import { type ActivityEntry, detailsOf, targetOf } from "./activity-target.ts";

const NO_CURSOR: string | null = null;

export function Activity({ team }: { team: TeamView }) {
  const list = useInfiniteQuery({
    queryKey: ["activity", team.id],
    initialPageParam: NO_CURSOR,
    queryFn: ({ pageParam }) => api.activity(team.id, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const { data, error, refetch } = list;
  const entries = data?.pages.flatMap(page => page.data);
  return (
    <section aria-labelledby="activity" className="section">
      <h2 id="activity">{activityTexts.title}</h2>
      {error && !entries && <Problem error={error} what={loadedThings.activity} again={refetch} />}
      {!entries && !error && <Loading what={loadedThings.activity} />}
      {entries?.length === 0 && <p className="empty">{activityTexts.empty}</p>}
      {entries && entries.length > 0 && (
        <ul className="rows" aria-label={activityTexts.title}>
          {entries.map(entry => (
            <li key={entry.id}>
              <span className="row-what">
                <span>
                  <strong>{entry.actor.name}</strong> {activityVerbs[entry.type] ?? entry.type}{" "}
                  <ActivityTarget entry={entry} />
                </span>
                <span className="quiet">{detailsOf(entry)}</span>
              </span>
              <span className="quiet">
                <Time iso={entry.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <More list={list}>{activityTexts.older}</More>
    </section>
  );
}

function ActivityTarget({ entry }: { entry: ActivityEntry }) {
  const target = targetOf(entry);
  if (target === null) return null;
  return target.location ? <Link to={target.location}>{target.name}</Link> : <span>{target.name}</span>;
}
