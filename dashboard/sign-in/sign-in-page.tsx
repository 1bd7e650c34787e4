import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { api } from "../api/client.ts";
import { sessionQuery, waysInQuery } from "../api/queries.ts";
import { rememberTeam } from "../api/request.ts";
import { goTo } from "../location.tsx";
import { addressOf, placeAfterSignIn } from "../place.ts";
import { Mark } from "../shell.tsx";
import { signInTexts } from "../texts/shell.ts";
import { fill } from "../ui/fill.ts";
import { Field, useTitle } from "../ui/parts.tsx";
import { wordsOf } from "../ui/say.tsx";

/** Signs in with the code host if available, or with an API key. Then opens the requested page. */
export function SignInPage({ next }: { next: string }) {
  useTitle(signInTexts.title);
  const client = useQueryClient();
  const { data: ways, error: waysFailure } = useQuery(waysInQuery);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const after = placeAfterSignIn(next);

  const signIn = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key") ?? "").trim();
    if (key === "") {
      setFault(signInTexts.apiKeyMissing);
      return;
    }
    setBusy(true);
    setFault(null);
    try {
      const session = await api.signIn(key);
      rememberTeam(null);
      client.clear();
      client.setQueryData(sessionQuery.queryKey, session);
      goTo(after, "replace");
    } catch (error) {
      setFault(wordsOf(error));
      setBusy(false);
    }
  };

  const login = `auth/login?next=${encodeURIComponent(`/${addressOf(after)}`)}`;
  return (
    <main className="sign-in">
      <h1>
        <Mark />
        {signInTexts.heading}
      </h1>
      {waysFailure && (
        <p className="fault" role="alert">
          {wordsOf(waysFailure)}
        </p>
      )}
      {ways?.codeHost && (
        <>
          <a className="button primary" href={login}>
            {signInTexts.withCodeHost}
          </a>
          <p className="or">{signInTexts.or}</p>
        </>
      )}
      <form onSubmit={signIn}>
        <Field label={signInTexts.apiKey} hint={signInTexts.apiKeyHint} fault={fault ?? undefined}>
          <input name="key" type="password" autoComplete="current-password" spellCheck={false} />
        </Field>
        <button type="submit" className={ways?.codeHost ? "" : "primary"} disabled={isBusy}>
          {signInTexts.withApiKey}
        </button>
      </form>
      <p className="quiet">{fill(signInTexts.firstKey, { docs: <a href="docs">{signInTexts.docs}</a> })}</p>
    </main>
  );
}
