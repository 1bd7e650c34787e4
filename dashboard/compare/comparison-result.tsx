import { useEffect, useMemo, useRef } from "react";
import type { ComparedPair, ComparisonView } from "../../shared/contracts/comparisons/comparisons.ts";
import { describeFirstCause } from "../../shared/report/describe-explanation.ts";
import { MODES } from "../../shared/report/page/modes.js";
import type { AppLocation } from "../app-location.ts";
import { Link, navigate } from "../navigation.tsx";
import "../review/review.css";
import { ScreenshotStage } from "../review/stage/screenshot-stage.tsx";
import { useStageState } from "../review/stage/use-stage-state.ts";
import { useKeys } from "../review/use-keys.ts";
import { Difference } from "../run/remarks.tsx";
import { commonTexts } from "../texts/common.ts";
import { compareTexts } from "../texts/runs/compare.ts";
import { ExplanationList } from "../ui/explanation-list.tsx";
import { Status, statusOf } from "../ui/status.tsx";
import { CodeText } from "../ui/text/code-text.tsx";
import { PageName } from "../ui/text/page-name.tsx";
import { Time } from "../ui/text/time.tsx";
import { type ComparedSection, screenshotOf, sectionsOf } from "./compared-screenshot.ts";

interface ComparisonResultProps {
  comparison: ComparisonView;
  location: Extract<AppLocation, { page: "compare" }>;
}

/** Shows a comparison: its pages by cause, and the two images of one of them. */
export function ComparisonResult({ comparison, location }: ComparisonResultProps) {
  const { base, head, data, counts, progress, status } = comparison;
  const sections = useMemo(() => sectionsOf(comparison), [comparison]);
  const ordered = sections.flatMap(({ pairs }) => pairs);
  const chosen = ordered.find(({ id }) => id === location.shot) ?? ordered[0];
  const choose = (pair: ComparedPair | undefined) => {
    if (pair) navigate({ ...location, shot: pair.id }, "replace");
  };
  if (!chosen) return <p className="empty">{compareTexts.noPages}</p>;
  const isIdentical = counts.unchanged === data.length && counts.minor === 0;
  return (
    <>
      <p className="compare-line" role="status">
        <strong>
          <Side side={head} />
        </strong>{" "}
        · {compareTexts.base}: <Side side={base} /> ·{" "}
        {status === "comparing"
          ? compareTexts.comparing(progress.compared, progress.total)
          : isIdentical
            ? compareTexts.identical(data.length)
            : countsText(counts)}
      </p>
      <div className="history compare-result">
        <section className="history-look" aria-label={compareTexts.screenshot}>
          <PairStage
            pair={chosen}
            baseLabel={base.label}
            location={location}
            isAlone={ordered.length === 1}
            onStep={by => choose(ordered[ordered.indexOf(chosen) + by])}
          />
        </section>
        <nav className="compare-list" aria-label={compareTexts.pages}>
          {sections.map(section => (
            <Section key={section.key} section={section} chosen={chosen} onChoose={choose} />
          ))}
        </nav>
      </div>
    </>
  );
}

/** Names a side. Two runs of one branch differ only in their times. */
function Side({ side: { runId, label, at } }: { side: ComparisonView["base"] }) {
  return (
    <>
      {runId === null ? label : <Link to={{ page: "run", id: runId }}>{label}</Link>}
      {at !== null && (
        <>
          , <Time iso={at} />
        </>
      )}
    </>
  );
}

function countsText({ comparing: _comparing, unchanged, ...counts }: ComparisonView["counts"]): string {
  const shown = { ...counts, unchanged: unchanged - counts.minor };
  const names = ["changed", "added", "removed", "failed", "minor", "unchanged"] as const;
  return names
    .filter(name => shown[name] > 0)
    .map(name => `${shown[name]} ${compareTexts.counts[name]}`)
    .join(", ");
}

interface PairStageProps {
  pair: ComparedPair;
  baseLabel: string;
  location: Extract<AppLocation, { page: "compare" }>;
  isAlone: boolean;
  onStep: (by: number) => void;
}

function PairStage({ pair, baseLabel, location, isAlone, onStep }: PairStageProps) {
  const shot = useMemo(() => screenshotOf(pair, baseLabel), [pair, baseLabel]);
  const first = MODES.find(mode => mode === location.mode) ?? "side";
  const stageState = useStageState(shot, first);
  useKeys({ ...stageState.actions, next: () => onStep(1), previous: () => onStep(-1) });
  const { wanted } = stageState;
  const at = useRef(location);
  at.current = location;
  useEffect(() => {
    // Without a choice, the link stays short.
    if (wanted !== (at.current.mode ?? "side")) navigate({ ...at.current, mode: wanted }, "replace");
  }, [wanted]);
  return (
    <>
      <div className="compare-head">
        <h2>
          <PageName page={pair} /> <span className="quiet">{commonTexts.px(pair.viewport)}</span>
        </h2>
        <p className="quiet">
          <Status {...statusOf(shot)} /> <Difference shot={shot} />
        </p>
        {pair.error !== null && <p className="fault">{pair.error}</p>}
        {pair.explanation && pair.explanation.causes.length > 0 && (
          <details className="compare-why">
            <summary>
              <CodeText text={describeFirstCause(pair.explanation) ?? ""} />
            </summary>
            <ExplanationList explanation={pair.explanation} />
          </details>
        )}
      </div>
      <ScreenshotStage shot={shot} stageState={stageState} sides={compareTexts.sides} isAlone={isAlone} />
    </>
  );
}

interface SectionProps {
  section: ComparedSection;
  chosen: ComparedPair;
  onChoose: (pair: ComparedPair) => void;
}

/** Lists the pages of a section. Unchanged ones are folded. */
function Section({ section: { name, cause, pairs }, chosen, onChoose }: SectionProps) {
  const title = (
    <>
      {cause === null ? compareTexts.sections[name] : <CodeText text={cause} />}{" "}
      <span className="quiet">{pairs.length}</span>
    </>
  );
  const list = (
    <ul>
      {pairs.map(pair => (
        <li key={pair.id}>
          <button
            type="button"
            aria-current={pair.id === chosen.id}
            data-standing={statusOf(screenshotOf(pair, "")).name}
            onClick={() => onChoose(pair)}
          >
            <span className="compare-name">
              <PageName page={pair} />
            </span>
            <span className="quiet">{commonTexts.px(pair.viewport)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
  if (name === "unchanged" || name === "minor")
    return (
      <details open={pairs.includes(chosen)}>
        <summary>{title}</summary>
        {list}
      </details>
    );
  return (
    <section>
      <h3>{title}</h3>
      {list}
    </section>
  );
}
