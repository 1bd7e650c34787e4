import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { keyOf } from "../shared/contracts/capture/screenshot-key.ts";
import { useLive } from "./api/live.ts";
import { queryClient, sessionQuery } from "./api/queries.ts";
import { ApiProblem, chosenTeam, offerTeam } from "./api/request.ts";
import type { AppLocation } from "./app-location.ts";
import { InboxPage } from "./inbox/inbox-page.tsx";
import { Link, navigate, useLocation } from "./navigation.tsx";
import { CommandPalette } from "./palette/command-palette.tsx";
import { RunPage } from "./run/run-page.tsx";
import { RunsPage } from "./runs/runs-page.tsx";
import { SessionContext } from "./session.tsx";
import { SettingsStart } from "./settings/settings-nav.tsx";
import { Shell } from "./shell.tsx";
import { SignInPage } from "./sign-in/sign-in-page.tsx";
import { loadedThings } from "./texts/common.ts";
import { signInTexts } from "./texts/shell.ts";
import { ErrorBoundary } from "./ui/error-boundary.tsx";
import { IconSprite } from "./ui/icon.tsx";
import { Loading, Problem } from "./ui/parts.tsx";
import { ToastProvider } from "./ui/toast.tsx";
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
const OverviewPage = lazy(async () => ({
  default: (await import("./overview/overview-page.tsx")).OverviewPage,
}));
const NoisePage = lazy(async () => ({ default: (await import("./noise/noise-page.tsx")).NoisePage }));
const ConfigurationPage = lazy(async () => ({
  default: (await import("./configuration/configuration-page.tsx")).ConfigurationPage,
}));
const ComparePage = lazy(async () => ({ default: (await import("./compare/compare-page.tsx")).ComparePage }));
const MonitorPages = lazy(async () => ({
  default: (await import("./monitors/monitor-pages.tsx")).MonitorPages,
}));
const BillingPage = lazy(async () => ({
  default: (await import("./settings/usage/usage-page.tsx")).UsagePage,
}));

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <IconSprite />
      <ToastProvider>
        <Pages />
      </ToastProvider>
    </QueryClientProvider>
  );
}

/** The team requires another sign-in. */
const isForbidden = (error: Error) => error instanceof ApiProblem && error.status === 403;

function Pages() {
  const { location, address } = useLocation();
  const {
    data: session,
    error,
    refetch,
  } = useQuery({
    ...sessionQuery,
    enabled: location.page !== "sign-in",
  });
  const isSignIn = location.page === "sign-in";
  useLive(isSignIn ? null : (session?.team?.id ?? null));
  useEffect(() => {
    if (document.hasFocus()) offerTeam();
    addEventListener("focus", offerTeam);
    return () => removeEventListener("focus", offerTeam);
  }, []);
  useEffect(() => {
    if (session === null && !isSignIn) navigate({ page: "sign-in", next: address }, "replace");
  }, [session, isSignIn, address]);
  if (isSignIn) return <SignInPage next={location.next} team={location.team ?? chosenTeam()} />;
  if (error && session === undefined)
    return (
      <main className="page">
        <Problem
          error={error}
          what={loadedThings.session}
          again={refetch}
          {...(isForbidden(error) && {
            exitLink: <Link to={{ page: "sign-in", next: address }}>{signInTexts.again}</Link>,
          })}
        />
      </main>
    );
  if (!session) return null;
  return (
    <SessionContext value={session}>
      <CommandPalette />
      {location.page === "review" ? (
        <ErrorBoundary>
          <Suspense fallback={<Loading what={loadedThings.run} />}>
            <ReviewPage key={location.id} location={location} />
          </Suspense>
        </ErrorBoundary>
      ) : (
        <Shell location={location}>
          <ErrorBoundary key={location.page}>
            <Suspense fallback={<Loading what={loadedThings.page} />}>
              <PageOf location={location} />
            </Suspense>
          </ErrorBoundary>
        </Shell>
      )}
    </SessionContext>
  );
}

function PageOf({ location }: { location: Exclude<AppLocation, { page: "review" | "sign-in" }> }) {
  switch (location.page) {
    case "inbox":
      return <InboxPage location={location} />;
    case "runs":
      return <RunsPage key={String(location.isStarting)} location={location} />;
    case "run":
      return <RunPage key={location.id} location={location} />;
    case "baselines":
      return <BaselinesPage location={location} />;
    case "history":
      return <HistoryPage key={`${location.project} ${keyOf(location)}`} location={location} />;
    case "noise":
      return <NoisePage key={location.project} project={location.project} />;
    case "overview":
      return <OverviewPage key={location.project} project={location.project} />;
    case "configuration":
      return (
        <ConfigurationPage key={location.project} project={location.project} section={location.section} />
      );
    case "monitors":
    case "new-monitor":
    case "monitor":
    case "incidents":
    case "incident":
    case "maintenance":
    case "status-pages":
      return <MonitorPages location={location} />;
    case "compare":
      return <ComparePage location={location} />;
    case "settings":
      return <SettingsPage setting={location.setting} created={location.created} />;
    case "settings-start":
      return <SettingsStart />;
    case "billing":
      return <BillingPage checkout={location.checkout} />;
    case "unknown":
      return <UnknownPage />;
  }
}
