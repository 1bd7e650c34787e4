import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { api } from "../api/client.ts";
import { sessionQuery, signInMethodsQuery, teamSignInQuery } from "../api/queries.ts";
import { rememberTeam } from "../api/request.ts";
import { locationAfterSignIn, urlOf } from "../app-location.ts";
import { navigate } from "../navigation.tsx";
import { Mark } from "../shell.tsx";
import { signInTexts } from "../texts/shell.ts";
import { fill } from "../ui/fill.ts";
import { Field, useTitle } from "../ui/parts.tsx";
import { messageOf } from "../ui/toast.tsx";

/**
 * Signs in with a provider or the code host if available, or with an API key. Then opens the requested page.
 * @param team that was used last, or that the link names. Its own provider comes first
 */
export function SignInPage({ next, team }: { next: string; team: string | null }) {
  useTitle(signInTexts.title);
  const client = useQueryClient();
  const { data: methods, error: methodsFailure } = useQuery(signInMethodsQuery);
  const { data: ofTeam } = useQuery(teamSignInQuery(team));
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const after = locationAfterSignIn(next);

  const signIn = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key") ?? "").trim();
    if (key === "") {
      setFailure(signInTexts.apiKeyMissing);
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      const session = await api.signIn(key);
      rememberTeam(null);
      client.clear();
      client.setQueryData(sessionQuery.queryKey, session);
      navigate(after, "replace");
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  };

  const nextPath = `?next=${encodeURIComponent(`/${urlOf(after)}`)}`;
  const shared = methods?.provider ?? null;
  const own = ofTeam?.provider && ofTeam.provider.id !== shared?.id ? ofTeam.provider : null;
  const providers = [own, shared].filter(provider => provider !== null);
  const hasOtherWay = methods?.codeHost || providers.length > 0;
  return (
    <main className="sign-in">
      <h1>
        <Mark />
        {signInTexts.heading}
      </h1>
      {methodsFailure && (
        <p className="fault" role="alert">
          {messageOf(methodsFailure)}
        </p>
      )}
      {providers.map(({ id, name }, index) => (
        <a key={id} className={index === 0 ? "button primary" : "button"} href={`auth/oidc/${id}${nextPath}`}>
          {signInTexts.withProvider(name)}
        </a>
      ))}
      {methods?.codeHost && (
        <a className={providers.length > 0 ? "button" : "button primary"} href={`auth/login${nextPath}`}>
          {signInTexts.withCodeHost}
        </a>
      )}
      {hasOtherWay && <p className="or">{signInTexts.or}</p>}
      <form onSubmit={signIn}>
        <Field label={signInTexts.apiKey} hint={signInTexts.apiKeyHint} failure={failure ?? undefined}>
          <input name="key" type="password" autoComplete="current-password" spellCheck={false} />
        </Field>
        <button type="submit" className={hasOtherWay ? "" : "primary"} disabled={isBusy}>
          {signInTexts.withApiKey}
        </button>
      </form>
      <p className="quiet">{fill(signInTexts.firstKey, { docs: <a href="docs">{signInTexts.docs}</a> })}</p>
    </main>
  );
}
