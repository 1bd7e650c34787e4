import type { NoiseView } from "../../shared/contracts/noise/noise.ts";
import { cropAround } from "../../shared/report/crop.ts";
import { api } from "../api/client.ts";
import { ownLink } from "../api/screenshot.ts";
import { Link } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { commonTexts } from "../texts/common.ts";
import { noiseTexts, observationsText, regionText } from "../texts/noise.ts";
import { fill } from "../ui/fill.ts";
import { PageThumbnail } from "../ui/screenshots/page-thumbnail.tsx";
import { Time } from "../ui/text/time.tsx";
import { useNoiseChange } from "./queries.ts";

type Suggestion = NoiseView["suggestions"][number];

const SHOWN_PX = 320;
const ACCEPTED = { text: noiseTexts.accepted };
const DISMISSED = { text: noiseTexts.dismissed };

/** Lists regions that were noisy three times, to accept or dismiss. */
export function Suggestions({ project, suggestions }: Pick<NoiseView, "project" | "suggestions">) {
  return (
    <section aria-labelledby="suggestions" className="section">
      <h2 id="suggestions">{noiseTexts.suggestions}</h2>
      <p className="about">{noiseTexts.suggestionsAbout}</p>
      {suggestions.length === 0 ? (
        <p className="empty">{noiseTexts.noSuggestions}</p>
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
  const { route, state, environment, viewport, x, y, width, height, screenshot, lastAt } = suggestion;
  const body = { project, route, state, environment, viewport, x, y, width, height };
  const accepting = useNoiseChange(project, api.acceptRegion, ACCEPTED);
  const dismissing = useNoiseChange(project, api.dismissRegion, DISMISSED);
  const isPending = accepting.isPending || dismissing.isPending;
  return (
    <article className="card" aria-label={commonTexts.pageAt(suggestion)}>
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
          <span className="thumb no-image">{noiseTexts.screenshotGone}</span>
          <h3 className="route">{route}</h3>
        </>
      )}
      <p className="card-line">
        <span>{commonTexts.px(viewport)}</span>
        <span>{regionText(suggestion)}</span>
      </p>
      <p className="quiet">
        {fill(noiseTexts.observed, {
          observations: observationsText(suggestion),
          time: <Time iso={lastAt} />,
        })}
      </p>
      {may("reviewer") && (
        <div className="actions">
          <button type="button" disabled={isPending} onClick={() => accepting.mutate(body)}>
            {noiseTexts.accept}
          </button>
          <button type="button" disabled={isPending} onClick={() => dismissing.mutate(body)}>
            {noiseTexts.dismiss}
          </button>
        </div>
      )}
    </article>
  );
}

function keyOf({ route, state, environment, viewport, x, y, width, height }: Suggestion): string {
  return [viewport, x, y, width, height, JSON.stringify([route, state, environment])].join(" ");
}
