import type { AppLocation } from "../app-location.ts";
import { Link } from "../navigation.tsx";
import { baselinesTexts } from "../texts/baselines.ts";
import { configurationTexts } from "../texts/configuration.ts";
import { overviewTexts } from "../texts/runs/overview.ts";

interface ProjectLinksProps {
  project: string;
  /** The page that shows the links. */
  on: "baselines" | "overview" | "noise" | "configuration";
}

/** Links the other pages of a project, in the same order on each of them. */
export function ProjectLinks({ project, on }: ProjectLinksProps) {
  const pages: { to: AppLocation; name: string; title?: string }[] = [
    { to: { page: "overview", project }, name: overviewTexts.title },
    { to: { page: "noise", project }, name: baselinesTexts.viewNoise, title: baselinesTexts.viewNoiseTitle },
    { to: { page: "configuration", project }, name: configurationTexts.open },
  ];
  return pages
    .filter(({ to }) => to.page !== on)
    .map(({ to, name, title }) => (
      <Link key={name} className="button" to={to} title={title}>
        {name}
      </Link>
    ));
}
