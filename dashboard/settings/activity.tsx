import { useInfiniteQuery } from "@tanstack/react-query";
import type { ActivityType, TeamView } from "../../shared/contracts/people.ts";
import { api } from "../api/client.ts";
import { Link } from "../location.tsx";
import { More } from "../ui/more.tsx";
import { Problem, Waiting } from "../ui/parts.tsx";
import { Time } from "../ui/time.tsx";
import { type Act, detailsOf, targetOf } from "./activity-words.ts";

/** What each act is said as, after the name of who did it. */
const WORDS: Record<ActivityType, string> = {
  "team.created": "created the team",
  "team.renamed": "renamed the team",
  "team.settings": "changed what the team asks of reviews:",
  "team.deleted": "deleted the team",
  "team.restored": "restored the team",
  "member.joined": "joined",
  "member.changed": "changed the role of",
  "member.removed": "removed",
  "member.left": "left",
  "invitation.made": "invited",
  "invitation.revoked": "took back the invitation of",
  "key.created": "made the key",
  "key.lowered": "lowered the key",
  "key.revoked": "revoked the key",
  "session.opened": "signed in",
  "run.approved": "approved in",
  "run.rejected": "rejected in",
  "run.dismissed": "dismissed reviews in",
  "run.canceled": "canceled",
  "run.links_revoked": "revoked the links of",
  "baseline.restored": "restored a baseline, approved in",
  "project.changed": "changed the project",
  "region.accepted": "accepted an ignore region in",
  "region.dismissed": "dismissed a suggested ignore region in",
  "region.removed": "removed an ignore region from",
  "monitor.created": "made the monitor",
  "monitor.changed": "changed the monitor",
  "monitor.deleted": "deleted the monitor",
  "monitor.snoozed": "snoozed the monitor",
  "monitor.unsnoozed": "lifted the snooze of the monitor",
  "monitor.unsubscribed": "ended the mails of the monitor",
  "plan.changed": "changed the plan",
  "payment.failed": "says that a payment failed",
  "usage.noticed": "says how much of the plan is used",
};

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
      <h2 id="activity">Activity</h2>
      {error && !acts && <Problem error={error} what="The activity" again={refetch} />}
      {!acts && !error && <Waiting what="the activity" />}
      {acts?.length === 0 && <p className="empty">Nothing was changed yet.</p>}
      {acts && acts.length > 0 && (
        <ul className="rows" aria-label="Activity">
          {acts.map(act => (
            <li key={act.id}>
              <span className="row-what">
                <span>
                  <strong>{act.actor.name}</strong> {WORDS[act.type] ?? act.type}{" "}
                  <WhatItWasDoneTo act={act} />
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
      <More list={list}>Older</More>
    </section>
  );
}

function WhatItWasDoneTo({ act }: { act: Act }) {
  const target = targetOf(act);
  if (target === null) return null;
  return target.place ? <Link to={target.place}>{target.name}</Link> : <span>{target.name}</span>;
}
