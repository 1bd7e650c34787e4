import type { NoiseView } from "../../shared/contracts/noise.ts";
import { cropAround } from "../../shared/report/crop.ts";
import { api } from "../api/client.ts";
import { ownLink } from "../api/shot.ts";
import { Link } from "../location.tsx";
import { useMe } from "../session.tsx";
import { PageThumbnail } from "../ui/page-thumbnail.tsx";
import { Time } from "../ui/time.tsx";
import { observationsInWords, regionInWords } from "./noise-words.ts";
import { useNoiseChange } from "./queries.ts";

type Suggestion = NoiseView["suggestions"][number];

const SHOWN_PX = 320;
const ACCEPTED = { text: "Accepted. From the next run on, changes in it do not count." };
const DISMISSED = { text: "Dismissed. It is suggested again after three new observations." };

/** Regions that were noise three times in the same place, each to accept or to dismiss. */
export function Suggestions({ project, suggestions }: Pick<NoiseView, "project" | "suggestions">) {
  return (
    <section aria-labelledby="suggestions" className="section">
      <h2 id="suggestions">Suggested ignore regions</h2>
      <p className="about">
        Each was noise in the same place in three screenshots or more. Nothing is ignored until a reviewer
        accepts it.
      </p>
      {suggestions.length === 0 ? (
        <p className="empty">
          No suggestions. Reject a false alarm as noise in a review, or switch null reruns on, and regions
          that keep changing appear here.
        </p>
      ) : (
        <ul className="suggestions">
          {suggestions.map(suggestion => (
            <li key={keyOf(suggestion)}>
              <SuggestionCard project={project} suggestion={suggestion} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function SuggestionCard({ project, suggestion }: { project: string; suggestion: Suggestion }) {
  const { may } = useMe();
  const { route, viewport, x, y, width, height, screenshot, lastAt } = suggestion;
  const body = { project, route, viewport, x, y, width, height };
  const accepting = useNoiseChange(project, api.acceptRegion, ACCEPTED);
  const dismissing = useNoiseChange(project, api.dismissRegion, DISMISSED);
  const isPending = accepting.isPending || dismissing.isPending;
  return (
    <article className="card" aria-label={`${route} at ${viewport} px`}>
      {screenshot ? (
        <Link className="card-open" to={{ page: "review", id: screenshot.runId, shot: screenshot.id }}>
          <PageThumbnail
            image={ownLink(screenshot.image)}
            width={screenshot.width}
            height={screenshot.height}
            crop={cropAround(suggestion, screenshot)}
            regions={[suggestion]}
            shownPx={SHOWN_PX}
          />
          <h3 className="route">{route}</h3>
        </Link>
      ) : (
        <>
          <span className="thumb no-image">The screenshot is not stored any longer.</span>
          <h3 className="route">{route}</h3>
        </>
      )}
      <p className="card-line">
        <span>{viewport} px</span>
        <span>{regionInWords(suggestion)}</span>
      </p>
      <p className="quiet">
        {observationsInWords(suggestion)}, last <Time iso={lastAt} />
      </p>
      {may("reviewer") && (
        <div className="actions">
          <button type="button" disabled={isPending} onClick={() => accepting.mutate(body)}>
            Accept as ignore region
          </button>
          <button type="button" disabled={isPending} onClick={() => dismissing.mutate(body)}>
            Dismiss
          </button>
        </div>
      )}
    </article>
  );
}

function keyOf({ route, viewport, x, y, width, height }: Suggestion): string {
  return [viewport, x, y, width, height, route].join(" ");
}
