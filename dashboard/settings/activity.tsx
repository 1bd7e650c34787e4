import { useInfiniteQuery } from "@tanstack/react-query";
import type { TeamView } from "../../shared/contracts/teams/people.ts";
import { api } from "../api/client.ts";
import { Link } from "../location.tsx";
import { loadedThings } from "../texts/common.ts";
import { activityTexts, activityVerbs } from "../texts/settings.ts";
import { More } from "../ui/more.tsx";
import { Problem, Waiting } from "../ui/parts.tsx";
import { Time } from "../ui/time.tsx";
import { type Act, detailsOf, targetOf } from "./activity-target.ts";

const NO_CURSOR: string | null = null;

export function Activity({ team }: { team: TeamView }) {
  const list = useInfiniteQuery({
    queryKey: ["activity", team.id],
    initialPageParam: NO_CURSOR,
    queryFn: ({ pageParam }) => api.activity(team.id, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const { data, error, refetch } = list;
  const acts = data?.pages.flatMap(page => page.data);
  return (
    <section aria-labelledby="activity" className="section">
      <h2 id="activity">{activityTexts.title}</h2>
      {error && !acts && <Problem error={error} what={loadedThings.activity} again={refetch} />}
      {!acts && !error && <Waiting what={loadedThings.activity} />}
      {acts?.length === 0 && <p className="empty">{activityTexts.empty}</p>}
      {acts && acts.length > 0 && (
        <ul className="rows" aria-label={activityTexts.title}>
          {acts.map(act => (
            <li key={act.id}>
              <span className="row-what">
                <span>
                  <strong>{act.actor.name}</strong> {activityVerbs[act.type] ?? act.type}{" "}
                  <ActTarget act={act} />
                </span>
                <span className="quiet">{detailsOf(act)}</span>
              </span>
              <span className="quiet">
                <Time iso={act.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <More list={list}>{activityTexts.older}</More>
    </section>
  );
}

function ActTarget({ act }: { act: Act }) {
  const target = targetOf(act);
  if (target === null) return null;
  return target.place ? <Link to={target.place}>{target.name}</Link> : <span>{target.name}</span>;
}
