import { useQuery } from "@tanstack/react-query";
import { INBOX_COUNT_LIMIT } from "../../shared/contracts/reviews/inbox.ts";
import { useMe } from "../session.tsx";
import { inboxTexts } from "../texts/people.ts";
import "./inbox.css";
import { inboxCountQuery } from "./queries.ts";

/** Shows how much waits for the reader. */
export function InboxCount() {
  const { session } = useMe();
  const { data } = useQuery({ ...inboxCountQuery, enabled: session.team !== null });
  const waiting = data?.mine ?? 0;
  if (waiting === 0) return null;
  return (
    <span className="nav-count" title={inboxTexts.waiting(waiting)}>
      {waiting >= INBOX_COUNT_LIMIT ? inboxTexts.many : waiting}
    </span>
  );
}
