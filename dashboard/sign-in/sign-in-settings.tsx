import { useQuery } from "@tanstack/react-query";
import type { TeamView } from "../../shared/contracts/teams/people.ts";
import { signInApi, signInKey } from "../api/sign-in.ts";
import { loadedThings } from "../texts/common.ts";
import { signInSettingsTexts as texts } from "../texts/sign-in.ts";
import { Loading, Problem } from "../ui/parts.tsx";
import { ProviderSection } from "./provider-section.tsx";
import { ProvisioningSection } from "./provisioning-section.tsx";
import { RoleRules } from "./role-rules.tsx";

/** Shows a team's identity provider, and the roles of its groups. */
export function SignInSettings({ team }: { team: TeamView }) {
  const { data, error, refetch } = useQuery({
    queryKey: signInKey(team.id),
    queryFn: () => signInApi.settings(team.id),
  });
  return (
    <>
      <h1>{texts.title}</h1>
      <p className="detail">{texts.about}</p>
      {error && !data && <Problem error={error} what={loadedThings.signIn} again={refetch} />}
      {!data && !error && <Loading what={loadedThings.signIn} />}
      {data && <ProviderSection team={team} settings={data} />}
      {data?.provider && (
        <RoleRules
          key={JSON.stringify([data.defaultRole, data.groupRoles, data.enforced])}
          team={team}
          settings={data}
        />
      )}
      {data?.provider && <ProvisioningSection scimUrl={data.scimUrl} />}
    </>
  );
}
