import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { api } from "../api/client.ts";
import { sessionQuery, signInMethodsQuery } from "../api/queries.ts";
import { rememberTeam } from "../api/request.ts";
import { locationAfterSignIn, urlOf } from "../app-location.ts";
import { navigate } from "../navigation.tsx";
import { Mark } from "../shell.tsx";
import { signInTexts } from "../texts/shell.ts";
import { fill } from "../ui/fill.ts";
import { Field, useTitle } from "../ui/parts.tsx";
import { messageOf } from "../ui/toast.tsx";

/** Signs in with the code host if available, or with an API key. Then opens the requested page. */
export function SignInPage({ next }: { next: string }) {
  useTitle(signInTexts.title);
  const client = useQueryClient();
  const { data: methods, error: methodsFailure } = useQuery(signInMethodsQuery);
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
  const hasOtherWay = methods?.codeHost || methods?.provider;
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
      {methods?.provider && (
        <a className="button primary" href={`auth/oidc/${methods.provider.id}${nextPath}`}>
          {signInTexts.withProvider(methods.provider.name)}
        </a>
      )}
      {methods?.codeHost && (
        <a className={methods.provider ? "button" : "button primary"} href={`auth/login${nextPath}`}>
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
