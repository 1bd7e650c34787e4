import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { useLive } from "./api/live.ts";
import { queryClient, sessionQuery } from "./api/queries.ts";
import { offerTeam } from "./api/request.ts";
import { goTo, useHere } from "./location.tsx";
import type { Place } from "./place.ts";
import { RunPage } from "./run/run-page.tsx";
import { RunsPage } from "./runs/runs-page.tsx";
import { SessionContext } from "./session.tsx";
import { Shell } from "./shell.tsx";
import { SignInPage } from "./sign-in/sign-in-page.tsx";
import { loadedThings } from "./texts/common.ts";
import { ErrorBoundary } from "./ui/error-boundary.tsx";
import { IconSprite } from "./ui/icon.tsx";
import { Problem, Waiting } from "./ui/parts.tsx";
import { Sayings } from "./ui/say.tsx";
import { UnknownPage } from "./unknown-page.tsx";

// Loaded lazily: not everyone starts here.
const ReviewPage = lazy(async () => ({ default: (await import("./review/review-page.tsx")).ReviewPage }));
const SettingsPage = lazy(async () => ({
  default: (await import("./settings/settings-page.tsx")).SettingsPage,
}));

const BaselinesPage = lazy(async () => ({
  default: (await import("./baselines/baselines-page.tsx")).BaselinesPage,
}));
const HistoryPage = lazy(async () => ({
  default: (await import("./baselines/history-page.tsx")).HistoryPage,
}));
const NoisePage = lazy(async () => ({ default: (await import("./noise/noise-page.tsx")).NoisePage }));
const MonitorPages = lazy(async () => ({
  default: (await import("./monitors/monitor-pages.tsx")).MonitorPages,
}));
const BillingPage = lazy(async () => ({ default: (await import("./settings/usage-page.tsx")).UsagePage }));

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <IconSprite />
      <Sayings>
        <Pages />
      </Sayings>
    </QueryClientProvider>
  );
}

function Pages() {
  const { place, address } = useHere();
  const {
    data: session,
    error,
    refetch,
  } = useQuery({
    ...sessionQuery,
    enabled: place.page !== "sign-in",
  });
  const isSignIn = place.page === "sign-in";
  useLive(isSignIn ? null : (session?.team?.id ?? null));
  useEffect(() => {
    if (document.hasFocus()) offerTeam();
    addEventListener("focus", offerTeam);
    return () => removeEventListener("focus", offerTeam);
  }, []);
  useEffect(() => {
    if (session === null && !isSignIn) goTo({ page: "sign-in", next: address }, "replace");
  }, [session, isSignIn, address]);
  if (isSignIn) return <SignInPage next={place.next} />;
  if (error && session === undefined)
    return (
      <main className="page">
        <Problem error={error} what={loadedThings.session} again={refetch} />
      </main>
    );
  if (!session) return null;
  return (
    <SessionContext value={session}>
      {place.page === "review" ? (
        <ErrorBoundary>
          <Suspense fallback={<Waiting what={loadedThings.run} />}>
            <ReviewPage key={place.id} place={place} />
          </Suspense>
        </ErrorBoundary>
      ) : (
        <Shell place={place}>
          <ErrorBoundary key={place.page}>
            <Suspense fallback={<Waiting what={loadedThings.page} />}>
              <PageOf place={place} />
            </Suspense>
          </ErrorBoundary>
        </Shell>
      )}
    </SessionContext>
  );
}

function PageOf({ place }: { place: Exclude<Place, { page: "review" | "sign-in" }> }) {
  switch (place.page) {
    case "runs":
      return <RunsPage filters={place.filters} />;
    case "run":
      return <RunPage key={place.id} place={place} />;
    case "baselines":
      return <BaselinesPage place={place} />;
    case "history":
      return <HistoryPage key={`${place.project} ${place.viewport} ${place.route}`} place={place} />;
    case "noise":
      return <NoisePage key={place.project} project={place.project} />;
    case "monitors":
    case "new-monitor":
    case "monitor":
      return <MonitorPages place={place} />;
    case "settings":
      return <SettingsPage setting={place.setting} created={place.created} />;
    case "billing":
      return <BillingPage checkout={place.checkout} />;
    case "unknown":
      return <UnknownPage />;
  }
}
