import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import type { SessionList } from "../../shared/contracts/teams/sessions.ts";
import { api } from "../api/client.ts";
import { NoticePreferences } from "../people/notice-preferences.tsx";
import { useMe } from "../session.tsx";
import { loadedThings } from "../texts/common.ts";
import { accountTexts } from "../texts/settings/settings.ts";
import { fill } from "../ui/fill.ts";
import { More } from "../ui/more.tsx";
import { Loading, Problem } from "../ui/parts.tsx";
import { Time } from "../ui/text/time.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { OwnTeams } from "./own-teams.tsx";
import { ThemeSetting } from "./theme-setting.tsx";

const NO_CURSOR: string | null = null;
const SESSIONS = ["sessions"];

/** Shows the sessions and the teams of the signed-in account. */
export function AccountPage() {
  const { session } = useMe();
  const { actor, signedInWith } = session;
  const wayIn = signedInWith === "provider" ? accountTexts.withProvider : accountTexts.withCodeHost;
  return (
    <>
      <h1>{actor.name}</h1>
      <p className="detail">{actor.kind === "key" ? accountTexts.withKey : wayIn}</p>
      <NoticePreferences />
      <OwnSessions />
      <OwnTeams />
      <ThemeSetting />
    </>
  );
}

function OwnSessions() {
  const client = useQueryClient();
  const showToast = useToast();
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
    onError: failure => showToast({ text: messageOf(failure), isFailure: true }),
  });
  const sessions = data?.pages.flatMap(page => page.data);
  return (
    <section aria-labelledby="sessions" className="section">
      <div className="page-head">
        <h2 id="sessions">{accountTexts.sessions}</h2>
        {sessions?.some(({ current }) => !current) && (
          <button type="button" disabled={isPending} onClick={() => mutate(api.closeOtherSessions)}>
            {accountTexts.signOutOthers}
          </button>
        )}
      </div>
      {error && !sessions && <Problem error={error} what={loadedThings.sessions} again={refetch} />}
      {!sessions && !error && <Loading what={loadedThings.sessions} />}
      {sessions && (
        <ul className="rows" aria-label={accountTexts.sessions}>
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
      <More list={list}>{accountTexts.more}</More>
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
  const called = browser ?? accountTexts.unknownBrowser;
  return (
    <li>
      <span className="row-what">
        <strong>{called}</strong>
        <span className="quiet">
          {fill(accountTexts.sessionTimes, {
            created: <Time iso={createdAt} />,
            expires: <Time iso={expiresAt} />,
          })}
        </span>
      </span>
      <span className="quiet">{fill(accountTexts.used, { time: <Time iso={usedAt} /> })}</span>
      {current ? (
        <strong>{accountTexts.thisBrowser}</strong>
      ) : (
        <button type="button" disabled={isOff} onClick={onEnd}>
          {accountTexts.signOut}
          <span className="hidden"> {called}</span>
        </button>
      )}
    </li>
  );
}
