import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import type { SessionList } from "../../shared/contracts/people.ts";
import { api } from "../api/client.ts";
import { useMe } from "../session.tsx";
import { More } from "../ui/more.tsx";
import { Problem, Waiting } from "../ui/parts.tsx";
import { useSay, wordsOf } from "../ui/say.tsx";
import { Time } from "../ui/time.tsx";
import { OwnTeams } from "./own-teams.tsx";

const NO_CURSOR: string | null = null;
const SESSIONS = ["sessions"];

/** What belongs to whoever has signed in: the browsers, and the teams. */
export function AccountPage() {
  const { session } = useMe();
  const { actor } = session;
  return (
    <>
      <h1>{actor.name}</h1>
      <p className="detail">
        {actor.kind === "key"
          ? "Signed in with an API key: everybody who uses this key sees the same here."
          : "Signed in with the code host."}
      </p>
      <OwnSessions />
      <OwnTeams />
    </>
  );
}

function OwnSessions() {
  const client = useQueryClient();
  const say = useSay();
  const list = useInfiniteQuery({
    queryKey: SESSIONS,
    initialPageParam: NO_CURSOR,
    queryFn: ({ pageParam }) => api.sessions(pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const { data, error, refetch } = list;
  const { mutate, isPending } = useMutation({
    mutationFn: (end: () => Promise<null>) => end(),
    onSuccess: () => client.invalidateQueries({ queryKey: SESSIONS }),
    onError: fault => say({ text: wordsOf(fault), isFault: true }),
  });
  const sessions = data?.pages.flatMap(page => page.data);
  return (
    <section aria-labelledby="sessions" className="section">
      <div className="page-head">
        <h2 id="sessions">Where you are signed in</h2>
        {sessions?.some(({ current }) => !current) && (
          <button type="button" disabled={isPending} onClick={() => mutate(api.closeOtherSessions)}>
            Sign out everywhere else
          </button>
        )}
      </div>
      {error && !sessions && <Problem error={error} what="The sessions" again={refetch} />}
      {!sessions && !error && <Waiting what="the sessions" />}
      {sessions && (
        <ul className="rows" aria-label="Sessions">
          {sessions.map(session => (
            <SessionRow
              key={session.id}
              session={session}
              isOff={isPending}
              onEnd={() => mutate(() => api.closeSession(session.id))}
            />
          ))}
        </ul>
      )}
      <More list={list}>More sessions</More>
    </section>
  );
}

interface SessionRowProps {
  session: SessionList["data"][number];
  isOff: boolean;
  onEnd: () => void;
}

function SessionRow({ session, isOff, onEnd }: SessionRowProps) {
  const { browser, current, createdAt, usedAt, expiresAt } = session;
  const called = browser ?? "A browser that did not say which";
  return (
    <li>
      <span className="row-what">
        <strong>{called}</strong>
        <span className="quiet">
          signed in <Time iso={createdAt} /> · ends <Time iso={expiresAt} /> unless it is used
        </span>
      </span>
      <span className="quiet">
        used <Time iso={usedAt} />
      </span>
      {current ? (
        <strong>this browser</strong>
      ) : (
        <button type="button" disabled={isOff} onClick={onEnd}>
          Sign out
          <span className="hidden"> {called}</span>
        </button>
      )}
    </li>
  );
}
