import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { MemberView, TeamView } from "../../shared/contracts/teams/people.ts";
import { api } from "../api/client.ts";
import { channelsQuery, signInMethodsQuery } from "../api/queries.ts";
import { signInApi } from "../api/sign-in.ts";
import { Link } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { loadedThings, roleNames } from "../texts/common.ts";
import { membersChanged, teamTexts } from "../texts/settings/settings.ts";
import { signInSettingsTexts } from "../texts/sign-in.ts";
import { fill } from "../ui/fill.ts";
import { textIn } from "../ui/form-values.ts";
import { More } from "../ui/more.tsx";
import { Field, Loading, Problem } from "../ui/parts.tsx";
import { Time } from "../ui/text/time.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { Activity } from "./activity/activity.tsx";
import { LinkSettings } from "./link-settings.tsx";
import { RenameTeam } from "./rename-team.tsx";
import { ReviewSettings } from "./review-settings.tsx";
import { RoleSelect, roleOf } from "./role-select.tsx";

const NO_CURSOR: string | null = null;

/** Shows the team's members, invitations, settings, and activity. */
export function TeamPage({ team }: { team: TeamView }) {
  const { may } = useMe();
  const list = useInfiniteQuery({
    queryKey: ["members", team.id],
    initialPageParam: NO_CURSOR,
    queryFn: ({ pageParam }) => api.members(team.id, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const { data: methods } = useQuery(signInMethodsQuery);
  const canInvite = methods && (methods.codeHost || methods.provider !== null);
  const { data, error, refetch } = list;
  const members = data?.pages.flatMap(page => page.data);
  return (
    <>
      <h1>{team.name}</h1>
      <section aria-labelledby="members" className="section">
        <h2 id="members">{teamTexts.members}</h2>
        {may("admin") && canInvite && <AddMember team={team} />}
        {canInvite === false && <NoCodeHost />}
        {error && !members && <Problem error={error} what={loadedThings.members} again={refetch} />}
        {!members && !error && <Loading what={loadedThings.members} />}
        {members?.length === 0 && canInvite && <p className="empty">{teamTexts.noMembers}</p>}
        {members && members.length > 0 && (
          <ul className="rows" aria-label={teamTexts.members}>
            {members.map(member => (
              <MemberRow key={member.id} team={team} member={member} />
            ))}
          </ul>
        )}
        <More list={list}>{teamTexts.more}</More>
      </section>
      {may("admin") && <Invitations team={team} />}
      <ReviewSettings team={team} />
      <LinkSettings team={team} />
      {may("admin") && <RenameTeam team={team} />}
      <Activity team={team} />
    </>
  );
}

/** Explains why admins can't invite members, and what to do instead. */
function NoCodeHost() {
  const { may } = useMe();
  return (
    <p className="about">
      {fill(teamTexts.cantInvite, {
        how: may("admin")
          ? fill(teamTexts.createKey, {
              link: <Link to={{ page: "settings", setting: "keys" }}>{teamTexts.apiKey}</Link>,
            })
          : teamTexts.adminsCreateKeys,
      })}
    </p>
  );
}

/** Returns a mutation that adds, changes, and removes members, and reports the result. */
function useManaging(team: TeamView) {
  const client = useQueryClient();
  const showToast = useToast();
  const { data: channels } = useQuery(channelsQuery);
  return useMutation({
    mutationFn: api.manageTeam,
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
    onSuccess(managed) {
      showToast({ text: membersChanged(managed, channels?.email ?? false) });
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
      <Field label={teamTexts.login}>
        <input name="who" required autoComplete="off" />
      </Field>
      <RoleSelect />
      <button type="submit" className="primary" disabled={isPending}>
        {teamTexts.add}
      </button>
    </form>
  );
}

function MemberRow({
  team,
  member: { id, login, name, role, managedBy, readOnlyBecause, joinedAt },
}: {
  team: TeamView;
  member: MemberView;
}) {
  const { may } = useMe();
  const { mutate, isPending } = useManaging(team);
  const [isConfirming, setConfirming] = useState(false);
  const called = login ?? name ?? teamTexts.unknownMember;
  return (
    <li>
      <span className="row-what">
        <strong>{called}</strong>
        <span className="quiet">
          {name && name !== called ? `${name} · ` : ""}
          {roleNames[role]}
          {managedBy === "provider" && ` · ${signInSettingsTexts.managed}`}
          {managedBy === "scim" && ` · ${signInSettingsTexts.managedByScim}`}
        </span>
        {readOnlyBecause && <span className="quiet">{readOnlyBecause}</span>}
      </span>
      <span className="quiet">{fill(teamTexts.joined, { time: <Time iso={joinedAt} /> })}</span>
      {may("admin") && <SignOutMember team={team} member={id} called={called} />}
      {may("admin") && (
        <button
          type="button"
          className={isConfirming ? "danger" : ""}
          disabled={isPending}
          onBlur={() => setConfirming(false)}
          onClick={() => (isConfirming ? mutate({ teamId: team.id, remove: [id] }) : setConfirming(true))}
        >
          {isConfirming ? teamTexts.confirmRemove(called) : teamTexts.remove}
          <span className="hidden"> {called}</span>
        </button>
      )}
    </li>
  );
}

function SignOutMember({ team, member, called }: { team: TeamView; member: string; called: string }) {
  const showToast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => signInApi.signOutMember(team.id, member),
    onSuccess: () => showToast({ text: signInSettingsTexts.signedOut(called) }),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
  });
  return (
    <button type="button" disabled={isPending} onClick={() => mutate()}>
      {signInSettingsTexts.signOutMember}
      <span className="hidden"> {called}</span>
    </button>
  );
}

function Invitations({ team }: { team: TeamView }) {
  const client = useQueryClient();
  const showToast = useToast();
  const queryKey = ["invitations", team.id];
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => api.invitations(team.id) });
  const { mutate } = useMutation({
    mutationFn: (id: string) => api.revokeInvitation(team.id, id),
    onSuccess: () => client.invalidateQueries({ queryKey }),
    onError: failure => showToast({ text: messageOf(failure), isFailure: true }),
  });
  if (error && !data) return <Problem error={error} what={loadedThings.invitations} again={refetch} />;
  if (!data || data.data.length === 0) return null;
  return (
    <section aria-labelledby="invitations" className="section">
      <h2 id="invitations">{teamTexts.invitations}</h2>
      <p className="about">{teamTexts.invitationsAbout}</p>
      <ul className="rows" aria-label={teamTexts.invitations}>
        {data.data.map(({ id, login, email, role, invitedBy, expiresAt }) => (
          <li key={id}>
            <span className="row-what">
              <strong>{login ?? email}</strong>
              <span className="quiet">{teamTexts.invitedBy(roleNames[role], invitedBy)}</span>
            </span>
            <span className="quiet">{fill(teamTexts.expires, { time: <Time iso={expiresAt} /> })}</span>
            <button type="button" onClick={() => mutate(id)}>
              {teamTexts.revokeInvitation}
              <span className="hidden"> {login ?? email}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
