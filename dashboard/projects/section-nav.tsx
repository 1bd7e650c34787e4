import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { PROJECT_OF_ALL_MONITORS } from "../../shared/monitor-project.ts";
import { MONITOR_SECTIONS, PROJECT_SECTIONS, type ProjectSection } from "../configuration/sections.ts";
import { Link } from "../navigation.tsx";
import { configurationTexts } from "../texts/configuration.ts";
import { projectSettingTexts } from "../texts/project-settings.ts";

interface SectionNavProps {
  project: string;
  /** The section that the URL names. */
  current: ProjectSection | undefined;
}

/** Links the sections of a project's settings. A narrow window shows them in lines above the sections. */
export function SectionNav({ project, current }: SectionNavProps) {
  useOpenSection(current);
  const sections = project === PROJECT_OF_ALL_MONITORS ? MONITOR_SECTIONS : PROJECT_SECTIONS;
  return (
    <nav aria-label={configurationTexts.navigation} className="section-nav">
      {sections.map(section => (
        <Link
          key={section}
          to={{ page: "configuration", project, section }}
          aria-current={section === current ? "location" : undefined}
          // A link to the open section leads back to it, too.
          onClick={() => requestAnimationFrame(() => openSection(section))}
        >
          {projectSettingTexts.names[section]}
        </Link>
      ))}
    </nav>
  );
}

/** Scrolls to the section that the URL names, once everything above it has its height. */
function useOpenSection(section: ProjectSection | undefined): void {
  const isLoading = useIsFetching() > 0;
  const opened = useRef<ProjectSection | undefined>(undefined);
  useEffect(() => {
    if (section === undefined || isLoading || opened.current === section) return;
    opened.current = section;
    openSection(section);
  }, [section, isLoading]);
}

function openSection(section: ProjectSection): void {
  const heading = document.getElementById(section);
  if (!heading) return;
  heading.scrollIntoView();
  // The next Tab continues in the section.
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
