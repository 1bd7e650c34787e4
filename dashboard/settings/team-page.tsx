import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { MemberView, TeamView } from "../../shared/contracts/people.ts";
import { api } from "../api/client.ts";
import { channelsQuery, waysInQuery } from "../api/queries.ts";
import { Link } from "../location.tsx";
import { useMe } from "../session.tsx";
import { textIn } from "../ui/form-values.ts";
import { More } from "../ui/more.tsx";
import { Field, Problem, Waiting } from "../ui/parts.tsx";
import { useSay, wordsOf } from "../ui/say.tsx";
import { Time } from "../ui/time.tsx";
import { Activity } from "./activity.tsx";
import { LinkSettings } from "./link-settings.tsx";
import { managedWords } from "./managed-words.ts";
import { RenameTeam } from "./rename-team.tsx";
import { ReviewSettings } from "./review-settings.tsx";
import { RoleSelect, roleOf } from "./role-select.tsx";

const NO_CURSOR: string | null = null;

/** Who is in the team, who was invited, and what was changed in it. */
export function TeamPage({ team }: { team: TeamView }) {
  const { may } = useMe();
  const list = useInfiniteQuery({
    queryKey: ["members", team.id],
    initialPageParam: NO_CURSOR,
    queryFn: ({ pageParam }) => api.members(team.id, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const { data: ways } = useQuery(waysInQuery);
  const { data, error, refetch } = list;
  const members = data?.pages.flatMap(page => page.data);
  return (
    <>
      <h1>{team.name}</h1>
      <section aria-labelledby="members" className="section">
        <h2 id="members">Members</h2>
        {may("admin") && ways?.codeHost && <AddMember team={team} />}
        {ways?.codeHost === false && <NobodySignsIn />}
        {error && !members && <Problem error={error} what="The members" again={refetch} />}
        {!members && !error && <Waiting what="the members" />}
        {members?.length === 0 && ways?.codeHost && (
          <p className="empty">
            Nobody has signed in to this team with the code host; it is used with API keys.
          </p>
        )}
        {members && members.length > 0 && (
          <ul className="rows" aria-label="Members">
            {members.map(member => (
              <MemberRow key={member.id} team={team} member={member} />
            ))}
          </ul>
        )}
        <More list={list}>More members</More>
      </section>
      {may("admin") && <Invitations team={team} />}
      <ReviewSettings team={team} />
      <LinkSettings team={team} />
      {may("admin") && <RenameTeam team={team} />}
      <Activity team={team} />
    </>
  );
}

/** Why nobody can be invited, and what to do instead. */
function NobodySignsIn() {
  const { may } = useMe();
  return (
    <p className="about">
      Nobody can be invited: people come in by signing in with the code host, and this service has none set
      up.{" "}
      {may("admin") ? (
        <>
          Give each of them an <Link to={{ page: "settings", setting: "keys" }}>API key</Link> to sign in
          with.
        </>
      ) : (
        "They sign in with API keys, which admins of the team make."
      )}
    </p>
  );
}

/** Changes who is in the team, and says what the service says. */
function useManaging(team: TeamView) {
  const client = useQueryClient();
  const say = useSay();
  const { data: channels } = useQuery(channelsQuery);
  return useMutation({
    mutationFn: api.manageTeam,
    onError: error => say({ text: wordsOf(error), isFault: true }),
    onSuccess(managed) {
      say({ text: managedWords(managed, channels?.email ?? false) });
      for (const name of ["members", "invitations", "activity"])
        void client.invalidateQueries({ queryKey: [name, team.id] });
    },
  });
}

function AddMember({ team }: { team: TeamView }) {
  const { mutate, isPending } = useManaging(team);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const who = textIn(fields, "who");
    const named = who.includes("@") ? { email: who } : { login: who };
    const body = { teamId: team.id, add: [{ ...named, role: roleOf(fields) }] };
    mutate(body, { onSuccess: () => form.reset() });
  };
  return (
    <form className="line-form" onSubmit={submit}>
      <Field label="Login or e-mail address">
        <input name="who" required autoComplete="off" />
      </Field>
      <RoleSelect />
      <button type="submit" className="primary" disabled={isPending}>
        Add or invite
      </button>
    </form>
  );
}

function MemberRow({
  team,
  member: { login, name, role, readOnlyBecause, joinedAt },
}: {
  team: TeamView;
  member: MemberView;
}) {
  const { may } = useMe();
  const { mutate, isPending } = useManaging(team);
  const [isAsked, setAsked] = useState(false);
  const called = login ?? name ?? "somebody whose login is not known any more";
  return (
    <li>
      <span className="row-what">
        <strong>{called}</strong>
        <span className="quiet">
          {name && name !== called ? `${name} · ` : ""}
          {role}
        </span>
        {readOnlyBecause && <span className="quiet">{readOnlyBecause}</span>}
      </span>
      <span className="quiet">
        joined <Time iso={joinedAt} />
      </span>
      {may("admin") && login !== null && (
        <button
          type="button"
          className={isAsked ? "danger" : ""}
          disabled={isPending}
          onBlur={() => setAsked(false)}
          onClick={() => (isAsked ? mutate({ teamId: team.id, remove: [login] }) : setAsked(true))}
        >
          {isAsked ? `Yes, remove ${called}` : "Remove"}
          <span className="hidden"> {called}</span>
        </button>
      )}
    </li>
  );
}

function Invitations({ team }: { team: TeamView }) {
  const client = useQueryClient();
  const say = useSay();
  const queryKey = ["invitations", team.id];
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => api.invitations(team.id) });
  const { mutate } = useMutation({
    mutationFn: (id: string) => api.revokeInvitation(team.id, id),
    onSuccess: () => client.invalidateQueries({ queryKey }),
    onError: fault => say({ text: wordsOf(fault), isFault: true }),
  });
  if (error && !data) return <Problem error={error} what="The invitations" again={refetch} />;
  if (!data || data.data.length === 0) return null;
  return (
    <section aria-labelledby="invitations" className="section">
      <h2 id="invitations">Invitations</h2>
      <p className="about">They hold until they expire. Whoever is named comes in by signing in.</p>
      <ul className="rows" aria-label="Invitations">
        {data.data.map(({ id, login, email, role, invitedBy, expiresAt }) => (
          <li key={id}>
            <span className="row-what">
              <strong>{login ?? email}</strong>
              <span className="quiet">
                {role} · by {invitedBy}
              </span>
            </span>
            <span className="quiet">
              until <Time iso={expiresAt} />
            </span>
            <button type="button" onClick={() => mutate(id)}>
              Take back
              <span className="hidden"> the invitation of {login ?? email}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
