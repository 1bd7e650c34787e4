import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { TeamView } from "../../../shared/contracts/teams/people.ts";
import { type ActivityFilter, api } from "../../api/client.ts";
import { Link } from "../../navigation.tsx";
import { loadedThings } from "../../texts/common.ts";
import { activityTexts, activityVerbs } from "../../texts/settings/settings.ts";
import { More } from "../../ui/more.tsx";
import { Loading, Problem } from "../../ui/parts.tsx";
import { Time } from "../../ui/text/time.tsx";
import { FilterFields } from "./activity-filter.tsx";
import { type ActivityEntry, detailsOf, targetOf } from "./activity-target.ts";

const NO_CURSOR: string | null = null;
const ALL: ActivityFilter = { type: "", from: "", to: "" };

/** Lists a team's activity, with filters. Admins can export it. */
export function Activity({ team }: { team: TeamView }) {
  const [filter, setFilter] = useState(ALL);
  const isFiltered = Object.values(filter).some(value => value !== "");
  const list = useInfiniteQuery({
    queryKey: ["activity", team.id, filter],
    initialPageParam: NO_CURSOR,
    queryFn: ({ pageParam }) => api.activity(team.id, filter, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const { data, error, refetch } = list;
  const entries = data?.pages.flatMap(page => page.data);
  return (
    <section aria-labelledby="activity" className="section">
      <h2 id="activity">{activityTexts.title}</h2>
      <FilterFields team={team} filter={filter} onChange={setFilter} />
      {error && !entries && <Problem error={error} what={loadedThings.activity} again={refetch} />}
      {!entries && !error && <Loading what={loadedThings.activity} />}
      {entries?.length === 0 && (
        <p className="empty">{isFiltered ? activityTexts.noMatch : activityTexts.empty}</p>
      )}
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
