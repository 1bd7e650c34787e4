import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import type { BaselineView } from "../../shared/contracts/runs/baselines.ts";
import { cropAround } from "../../shared/report/crop.ts";
import { ownLink, uniqueEnvironments, uniqueWidths } from "../api/screenshot.ts";
import { Link } from "../navigation.tsx";
import { baselinesTexts } from "../texts/baselines.ts";
import { commonTexts } from "../texts/common.ts";
import { fill } from "../ui/fill.ts";
import { EnvironmentChips, WidthChips } from "../ui/filter-chips.tsx";
import { useBox } from "../ui/hooks/use-box.ts";
import { PageThumbnail } from "../ui/screenshots/page-thumbnail.tsx";
import { PageName } from "../ui/text/page-name.tsx";
import { Time } from "../ui/text/time.tsx";
import { type BaselineRow, rowsOf } from "./baseline-rows.ts";

const MIN_CELL_PX = 200;
/** Limits the size of thumbnails with only a few widths. */
const MAX_CELL_PX = 460;
const GAP_PX = 16;
/** Height of a row without its 16:9 thumbnails: the route, and the text under the thumbnails. */
const ROW_TEXT_PX = 112;
/** Loads more rows when this few are left below. */
const ROWS_AHEAD = 4;

interface BaselineGridProps {
  baselines: readonly BaselineView[];
  /** Loads more; null if there are none, if they are loading, or if loading failed. */
  onEnd: (() => void) | null;
}

/** Shows pages as rows and widths as columns. Renders only the visible rows. */
export function BaselineGrid({ baselines, onEnd }: BaselineGridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { width, top } = useBox(frame);
  const [viewport, setViewport] = useState<number | null>(null);
  const widths = useMemo(() => uniqueWidths(baselines), [baselines]);
  const [environment, setEnvironment] = useState<string | null>(null);
  const environments = useMemo(() => uniqueEnvironments(baselines), [baselines]);
  const rows = useMemo(
    () => rowsOf(baselines, { viewport, environment }),
    [baselines, viewport, environment],
  );
  const most = viewport === null ? widths.length : 4;
  const columns = Math.max(1, Math.min(most, Math.floor((width + GAP_PX) / (MIN_CELL_PX + GAP_PX))));
  const cellWidth = Math.min(MAX_CELL_PX, (width - (columns - 1) * GAP_PX) / columns);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: index =>
      Math.ceil((rows[index]?.baselines.length ?? 1) / columns) * ((cellWidth * 9) / 16 + 56) +
      ROW_TEXT_PX -
      56,
    getItemKey: index => `${columns} ${rows[index]?.name}`,
    overscan: 2,
    scrollMargin: top,
  });
  const items = virtualizer.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - ROWS_AHEAD;
  useEffect(() => {
    if (isNearEnd) onEnd?.();
  }, [isNearEnd, onEnd]);
  return (
    <>
      <WidthChips className="width-chips" widths={widths} chosen={viewport} onChoose={setViewport} />
      <EnvironmentChips
        className="width-chips"
        environments={environments}
        chosen={environment}
        onChoose={setEnvironment}
      />
      <div ref={frame} className="grid-frame" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          return (
            row && (
              <section
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className="grid-row baseline-row"
                style={{ transform: `translateY(${start - top}px)` }}
                aria-label={row.name}
              >
                <Row row={row} columns={columns} cellWidth={cellWidth} />
              </section>
            )
          );
        })}
      </div>
    </>
  );
}

interface RowProps {
  row: BaselineRow;
  columns: number;
  cellWidth: number;
}

function Row({ row: { name, baselines }, columns, cellWidth }: RowProps) {
  return (
    <>
      <h2 title={name}>{baselines[0] && <PageName page={baselines[0]} />}</h2>
      <div className="cells" style={{ gridTemplateColumns: `repeat(${columns}, ${cellWidth}px)` }}>
        {baselines.map(baseline => (
          <Cell key={baseline.id} baseline={baseline} shownPx={cellWidth} />
        ))}
      </div>
    </>
  );
}

function Cell({ baseline, shownPx }: { baseline: BaselineView; shownPx: number }) {
  const { project, viewport, image, width, height, approvedBy, approvedAt } = baseline;
  const size = { width: width ?? viewport, height: height ?? viewport };
  return (
    <Link className="card-open" to={{ page: "history", project, ...pickPage(baseline), entry: baseline.id }}>
      <PageThumbnail
        image={ownLink(image)}
        {...size}
        crop={cropAround(undefined, size)}
        regions={[]}
        shownPx={shownPx}
      />
      <span className="baseline-width">
        <strong>{commonTexts.px(viewport)}</strong>{" "}
        <span className="quiet">{baselinesTexts.height(size.height)}</span>
      </span>
      <span className="quiet baseline-by">
        {fill(baselinesTexts.approvedBy, {
          names: approvedBy.join(", ") || baselinesTexts.approved,
          time: <Time iso={approvedAt} />,
        })}
      </span>
    </Link>
  );
}
