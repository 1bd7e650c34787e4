import { useQuery } from "@tanstack/react-query";
import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../shared/contracts/runs/screenshots.ts";
import { ownLink } from "../api/screenshot.ts";
import { loadedThings } from "../texts/common.ts";
import { trialTexts } from "../texts/configuration.ts";
import { DiagnosticsList } from "../ui/diagnostics-list.tsx";
import { Icon } from "../ui/icon.tsx";
import { Problem } from "../ui/parts.tsx";
import { trialQuery } from "./queries.ts";

/** Follows a trial, and shows its screenshots with their steps and diagnostics. */
export function TrialResult({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(trialQuery(id));
  return (
    <div className="trial">
      <p role="status">{data ? describe(data) : trialTexts.waiting}</p>
      {error && <Problem error={error} what={loadedThings.run} again={refetch} />}
      {data?.screenshots.map(screenshot => (
        <TrialScreenshot key={screenshot.id} screenshot={screenshot} />
      ))}
    </div>
  );
}

function describe({ run, screenshots }: { run: RunView; screenshots: ScreenshotView[] }): string {
  if (run.completedAt === null) return run.startedAt === null ? trialTexts.waiting : trialTexts.capturing;
  if (run.status === "canceled") return trialTexts.canceled;
  const failed = screenshots.filter(({ status }) => status === "failed").length;
  return failed > 0 ? trialTexts.failed(failed) : trialTexts.captured(screenshots.length);
}

function TrialScreenshot({ screenshot }: { screenshot: ScreenshotView }) {
  const { width, height, error, steps = [], diagnostics } = screenshot;
  const [image, failureImage] = [screenshot.images.current, screenshot.images.failure ?? null].map(ownLink);
  const name = pageName(screenshot);
  return (
    <article className="trial-screenshot">
      <h3>{name}</h3>
      {error !== null && (
        <p className="fault" role="alert">
          {error}
        </p>
      )}
      {image && width !== null && height !== null && (
        <>
          <a className="trial-image" href={image}>
            <img src={image} width={width} height={height} alt={trialTexts.screenshotOf(name)} />
          </a>
          <p className="quiet">{trialTexts.size(width, height)}</p>
        </>
      )}
      {failureImage && (
        <a className="trial-image" href={failureImage}>
          <img src={failureImage} alt={trialTexts.failureOf(name)} />
        </a>
      )}
      {steps.length > 0 && (
        <>
          <h4>{trialTexts.steps}</h4>
          <ol className="trial-steps">
            {steps.map(step => (
              <li key={step.name} data-outcome={step.outcome}>
                <Icon name={step.outcome === "done" ? "approved" : "failed"} />
                <span>{step.name}</span>
                <span className="quiet">
                  {step.outcome === "done" ? trialTexts.done : trialTexts.stepFailed} ·{" "}
                  {trialTexts.ms(step.ms)}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
      <h4>{trialTexts.diagnostics}</h4>
      {diagnostics ? (
        <div className="diagnostics">
          <DiagnosticsList diagnostics={diagnostics} />
        </div>
      ) : (
        <p className="quiet">{trialTexts.quiet}</p>
      )}
    </article>
  );
}
