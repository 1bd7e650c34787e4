import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { keyOf, pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import type { OverviewView } from "../../shared/contracts/runs/overview.ts";
import { percent } from "../../shared/text/format.ts";
import { api } from "../api/client.ts";
import { ProjectName, useProjectName } from "../monitors/project-name.tsx";
import { Link } from "../navigation.tsx";
import { ProjectLinks } from "../projects/project-links.tsx";
import { commonTexts } from "../texts/common.ts";
import { number } from "../texts/format.ts";
import { overviewTexts } from "../texts/runs/overview.ts";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import "./overview.css";
import { Trends } from "./trends.tsx";

const PERIODS = [7, 30, 90];
const FIRST_PERIOD = 30;

/** Shows how a project's runs develop, and which of its pages need attention. */
export function OverviewPage({ project }: { project: string }) {
  useTitle(overviewTexts.titleOf(useProjectName(project)));
  const [days, setDays] = useState(FIRST_PERIOD);
  const { data, error, refetch } = useQuery({
    queryKey: ["overview", project, days],
    queryFn: () => api.overview(project, days),
    placeholderData: before => before,
  });
  return (
    <>
      <p className="project">
        <Link to={{ page: "baselines", project }}>
          <ProjectName project={project} />
        </Link>
      </p>
      <div className="page-head">
        <h1>{overviewTexts.title}</h1>
        <div className="actions">
          <ProjectLinks project={project} on="overview" />
        </div>
      </div>
      <fieldset className="chips overview-period">
        <legend className="hidden">{overviewTexts.range}</legend>
        {PERIODS.map(period => (
          <button key={period} type="button" aria-pressed={period === days} onClick={() => setDays(period)}>
            {overviewTexts.days(period)}
          </button>
        ))}
      </fieldset>
      {error && !data && <Problem error={error} what={overviewTexts.thing} again={refetch} />}
      {!data && !error && <Loading what={overviewTexts.thing} />}
      {data && <Figures overview={data} />}
    </>
  );
}

function Figures({ overview }: { overview: OverviewView }) {
  const { project, totals, slowest, flakiest } = overview;
  const { facts } = overviewTexts;
  const shown: [label: string, value: string][] = [
    [facts.runs, number(totals.runs)],
    [facts.changed, overviewTexts.share(totals.changed, totals.runs)],
    [facts.failed, overviewTexts.share(totals.failed, totals.runs)],
    [facts.screenshots, number(totals.screenshots)],
    [facts.median, overviewTexts.time(totals.medianMs)],
    [facts.flaky, overviewTexts.rate(totals.noisyCaptures, totals.captures)],
  ];
  return (
    <>
      <dl className="overview-facts">
        {shown.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {totals.runs === 0 ? <p className="empty">{overviewTexts.none}</p> : <Trends overview={overview} />}
      <div className="overview-pages">
        <PageList
          title={overviewTexts.slowest}
          about={overviewTexts.slowestAbout}
          none={overviewTexts.noneSlow}
          project={project}
          pages={slowest.map(page => ({
            page,
            value: overviewTexts.time(page.ms),
            more: overviewTexts.captures(page.captures),
          }))}
        />
        <PageList
          title={overviewTexts.flakiest}
          about={overviewTexts.flakiestAbout}
          none={overviewTexts.noneFlaky}
          project={project}
          pages={flakiest.map(page => ({ page, value: percent(page.score) }))}
        >
          {flakiest.length > 0 && (
            <p>
              <Link to={{ page: "noise", project }}>{overviewTexts.viewNoise}</Link>
            </p>
          )}
        </PageList>
      </div>
    </>
  );
}

interface PageListProps {
  title: string;
  about: string;
  none: string;
  project: string;
  pages: {
    page: OverviewView["flakiest"][number] | OverviewView["slowest"][number];
    value: string;
    more?: string;
  }[];
  children?: React.ReactNode;
}

function PageList({ title, about, none, project, pages, children }: PageListProps) {
  return (
    <section className="section" aria-label={title}>
      <h2>{title}</h2>
      <p className="about">{about}</p>
      {pages.length === 0 ? (
        <p className="empty">{none}</p>
      ) : (
        <ul className="rows">
          {pages.map(({ page, value, more }) => (
            <li key={keyOf(page)}>
              <span className="row-what">
                <Link to={{ page: "history", project, ...pickPage(page) }}>{pageName(page)}</Link>
                <span className="quiet">
                  {commonTexts.px(page.viewport)}
                  {more && ` · ${more}`}
                </span>
              </span>
              <strong>{value}</strong>
            </li>
          ))}
        </ul>
      )}
      {children}
    </section>
  );
}
