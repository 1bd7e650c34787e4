import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { PreviewRule, RulePreview } from "../../../shared/contracts/noise/ignore-rules.ts";
import { cropAround } from "../../../shared/report/crop.ts";
import { api } from "../../api/client.ts";
import { ownLink } from "../../api/screenshot.ts";
import { Link } from "../../navigation.tsx";
import { commonTexts } from "../../texts/common.ts";
import { ignoreTexts, previewText } from "../../texts/ignore.ts";
import { Problem } from "../../ui/parts.tsx";
import { PartOfPage } from "../../ui/screenshots/page-thumbnail.tsx";
import { Time } from "../../ui/text/time.tsx";

/** A preview is computed once the reviewer stops typing. */
const SETTLE_MS = 250;
const SHOWN = 6;
const THUMBNAIL_PX = 96;

/** Shows what a rule would have hidden in the last runs. */
export function RulePreviewList({ rule }: { rule: PreviewRule | null }) {
  const settled = useSettled(rule);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["rule-preview", settled],
    queryFn: ({ signal }) => (settled ? api.previewRule(settled, signal) : Promise.resolve(null)),
    placeholderData: keepPreviousData,
  });
  const isStale = isFetching || JSON.stringify(rule) !== JSON.stringify(settled);
  return (
    <section className="rule-preview" aria-label={ignoreTexts.preview} aria-busy={isStale}>
      <h4>{ignoreTexts.preview}</h4>
      {error && <Problem error={error} what={ignoreTexts.previewThing} again={refetch} />}
      {!rule && <p className="quiet">{ignoreTexts.noRegion}</p>}
      {rule && !data && !error && <p className="quiet">{ignoreTexts.computing}</p>}
      {rule && data && <Preview preview={data} />}
    </section>
  );
}

function Preview({ preview }: { preview: RulePreview }) {
  const { data, approved, isComplete, compared, hidden, reduced } = preview;
  const others = hidden + reduced - Math.min(SHOWN, data.length);
  return (
    <>
      <p role="status">{previewText(preview)}</p>
      {approved > 0 && <p className="banner">{ignoreTexts.approved(approved)}</p>}
      {!isComplete && <p className="quiet">{ignoreTexts.partial(compared)}</p>}
      <ul>
        {data.slice(0, SHOWN).map(item => (
          <li key={item.id}>
            <Item item={item} />
          </li>
        ))}
      </ul>
      {others > 0 && <p className="quiet">{ignoreTexts.more(others)}</p>}
    </>
  );
}

function Item({ item }: { item: RulePreview["data"][number] }) {
  const { id, runId, at, image, imageWidth: width, imageHeight: height, outcome, pixels, review } = item;
  const crop = cropAround(item.regions[0], { width, height });
  return (
    <Link to={{ page: "review", id: runId, shot: id }}>
      <svg viewBox={`${crop.x} ${crop.y} ${crop.width} ${crop.height}`} aria-hidden="true">
        <PartOfPage image={ownLink(image)} width={width} height={height} crop={crop} shownPx={THUMBNAIL_PX} />
        {item.regions.map(region => (
          <rect key={`${region.x} ${region.y}`} {...region} />
        ))}
      </svg>
      <span>
        <span className="rule-preview-page">
          {pageName(item)} · {commonTexts.px(item.viewport)}
        </span>
        <span className="quiet">
          <Time iso={at} /> · {outcome === "unchanged" ? ignoreTexts.itemUnchanged : ignoreTexts.item(pixels)}
          {review !== null && ` · ${ignoreTexts.itemReview[review]}`}
        </span>
      </span>
    </Link>
  );
}

function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an equal value is the same
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
