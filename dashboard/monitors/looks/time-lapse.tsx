import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { Look } from "../../../shared/contracts/comparisons/looks.ts";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { ownLink } from "../../api/screenshot.ts";
import { navigate } from "../../navigation.tsx";
import { commonTexts } from "../../texts/common.ts";
import { moment as momentText } from "../../texts/format.ts";
import { looksTexts } from "../../texts/runs/looks.ts";
import { Loading, Problem } from "../../ui/parts.tsx";
import { SmallScreenshot } from "../../ui/screenshots/small-screenshot.tsx";
import { driftQuery } from "../queries.ts";
import { LookFacts } from "./look-facts.tsx";
import type { Moment } from "./moment.ts";
import { looksQuery } from "./queries.ts";

/** Long enough to see what changed. */
const FRAME_MS = 1_200;
const SHOWN_PX = 640;
const STRIP_PX = 72;
const DAYS = 90;

interface TimeLapseProps {
  monitor: MonitorView;
  /** The page and look of a link. */
  moment: Moment | undefined;
  /** The page that the chart shows in front. */
  chosen: ScreenshotKey | null;
}

/** Shows how a page of the monitor looked over time, to step through and to play. */
export function TimeLapse({ monitor, moment, chosen }: TimeLapseProps) {
  const last = monitor.lastCheck?.id ?? null;
  const { data: drift } = useQuery(driftQuery(monitor.id, DAYS, last));
  const pages = drift?.pages.map(pickPage) ?? [];
  const wanted = moment ?? chosen;
  const page = wanted ? pickPage(wanted) : pages[0];
  if (last === null || !page) return null;
  const options = pages.some(each => keyOf(each) === keyOf(page)) ? pages : [page, ...pages];
  const show = (next: Moment) =>
    navigate({ page: "monitor", id: monitor.id, isEdited: false, moment: next }, "replace");
  return (
    <section aria-labelledby="looks" className="section time-lapse">
      <div className="page-head">
        <h2 id="looks">{looksTexts.title}</h2>
        {options.length > 1 && (
          <select
            aria-label={looksTexts.page}
            value={keyOf(page)}
            onChange={({ currentTarget: { value } }) => {
              const next = options.find(each => keyOf(each) === value);
              if (next) show(next);
            }}
          >
            {options.map(each => (
              <option key={keyOf(each)} value={keyOf(each)}>
                {commonTexts.pageAt(each)}
              </option>
            ))}
          </select>
        )}
      </div>
      <p className="about">{looksTexts.about}</p>
      <Looks
        key={keyOf(page)}
        monitorId={monitor.id}
        page={page}
        last={last}
        lookId={moment?.look}
        show={show}
      />
    </section>
  );
}

interface LooksProps {
  monitorId: string;
  page: ScreenshotKey;
  last: string;
  lookId: string | undefined;
  show: (moment: Moment) => void;
}

function Looks({ monitorId, page, last, lookId, show }: LooksProps) {
  const { data, error, refetch } = useQuery(looksQuery(monitorId, page, last));
  const [isPlaying, setPlaying] = useState(false);
  const looks = data?.looks ?? [];
  const found = looks.findIndex(({ id }) => id === lookId);
  const at = found === -1 ? looks.length - 1 : found;
  const go = (index: number) => {
    const look = looks[(index + looks.length) % looks.length];
    if (look) show({ ...page, look: look.id });
  };
  useEffect(() => {
    if (!isPlaying || looks.length < 2) return;
    const timer = setTimeout(() => go(at + 1), FRAME_MS);
    return () => clearTimeout(timer);
  });
  if (error && !data) return <Problem error={error} what={looksTexts.subject} again={refetch} />;
  if (!data) return <Loading what={looksTexts.subject} />;
  const look = looks[at];
  if (!look) return <p className="empty">{looksTexts.empty}</p>;
  const step = (by: number) => {
    setPlaying(false);
    go(at + by);
  };
  return (
    <>
      <div className="time-lapse-tools">
        <button type="button" disabled={looks.length < 2} onClick={() => step(-1)}>
          {looksTexts.previous}
        </button>
        <button type="button" disabled={looks.length < 2} onClick={() => setPlaying(!isPlaying)}>
          {isPlaying ? looksTexts.pause : looksTexts.play}
        </button>
        <button type="button" disabled={looks.length < 2} onClick={() => step(1)}>
          {looksTexts.next}
        </button>
        <span className="quiet" role="status">
          {looksTexts.position(at + 1, looks.length)}
        </span>
      </div>
      <div className="time-lapse-look">
        <SmallScreenshot
          className="time-lapse-picture"
          image={ownLink(look.image)}
          width={look.width}
          height={look.height}
          shownPx={SHOWN_PX}
        />
        <LookFacts look={look} before={looks[at - 1]} />
      </div>
      {looks.length > 1 && <Strip looks={looks} page={page} at={at} onChoose={index => step(index - at)} />}
    </>
  );
}

interface StripProps {
  looks: readonly Look[];
  page: ScreenshotKey;
  at: number;
  onChoose: (index: number) => void;
}

/** Lists all looks of the page, oldest first. */
function Strip({ looks, page, at, onChoose }: StripProps) {
  return (
    <ol className="time-lapse-strip" aria-label={looksTexts.looks}>
      {looks.map(({ id, image, width, height, from }, index) => (
        <li key={id}>
          <button
            type="button"
            aria-current={index === at}
            aria-label={looksTexts.lookOf(commonTexts.pageAt(page), momentText(new Date(from)))}
            onClick={() => onChoose(index)}
          >
            <SmallScreenshot
              className="entry-picture"
              image={ownLink(image)}
              {...{ width, height }}
              shownPx={STRIP_PX}
            />
            <span className="quiet">{momentText(new Date(from))}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
