import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { ProjectView } from "../../shared/contracts/runs/projects.ts";
import { api } from "../api/client.ts";
import { Link } from "../navigation.tsx";
import { projectQuery } from "../people/queries.ts";
import { ReviewerRules } from "../people/reviewer-rules.tsx";
import { useMe } from "../session.tsx";
import { projectSettingTexts as texts } from "../texts/project-settings.ts";
import { fill } from "../ui/fill.ts";
import { numberIn, textIn } from "../ui/form-values.ts";
import { Field, Loading, Problem } from "../ui/parts.tsx";
import { Notifications } from "./notification-section.tsx";
import { ReviewSection } from "./review-section.tsx";
import { SettingSection } from "./setting-section.tsx";
import { ThreadSection } from "./thread-section.tsx";
import { baseOf, useInherited } from "./use-inherited.ts";

/** Shows the settings of a project besides its stored configuration. Some need the project's first run. */
export function ProjectSettings({ project: name }: { project: string }) {
  const { data: project, error, refetch } = useQuery(projectQuery(name));
  const base = baseOf(name);
  return (
    <>
      {error && project === undefined && <Problem error={error} what={texts.thing} again={refetch} />}
      {project === undefined && !error && <Loading what={texts.thing} />}
      {project && <BranchSection project={project} />}
      {project && <ReviewSection project={project} />}
      {base === null ? <ReviewerRules project={name} /> : <RulesOfBase project={base} />}
      <Notifications project={name} />
      {project && <ThreadSection project={project} />}
      {project && <RetentionSection project={project} />}
      {project && <LinkSection project={project} />}
      {project === null && <p className="empty">{texts.noRun}</p>}
    </>
  );
}

function BranchSection({ project }: { project: ProjectView }) {
  const listId = useId();
  const { name, branches, defaultBranch } = project;
  return (
    <SettingSection
      section="branches"
      about={texts.branchesAbout}
      project={project}
      current={`${texts.defaultBranch}: ${defaultBranch}.`}
      read={form => ({ defaultBranch: textIn(form, "branch") })}
      more={
        branches.length === 0 ? (
          <p className="quiet">{texts.noBranches}</p>
        ) : (
          <ul className="rows" aria-label={texts.branchList}>
            {branches.map(branch => (
              <li key={branch}>
                <span className="row-what">
                  <code>{branch}</code>
                </span>
                {branch === defaultBranch && <span className="quiet">{texts.isDefault}</span>}
                <Link
                  to={{ page: "baselines", project: name, ...(branch !== defaultBranch && { branch }) }}
                  aria-label={`${texts.openBaselines}: ${branch}`}
                >
                  {texts.openBaselines}
                </Link>
              </li>
            ))}
          </ul>
        )
      }
    >
      {failureOf => (
        <>
          <Field
            label={texts.defaultBranch}
            hint={texts.defaultBranchHint}
            failure={failureOf("defaultBranch")}
          >
            <input
              key={defaultBranch}
              name="branch"
              autoComplete="off"
              spellCheck={false}
              list={listId}
              defaultValue={defaultBranch}
            />
          </Field>
          <datalist id={listId}>
            {branches.map(branch => (
              <option key={branch} value={branch} />
            ))}
          </datalist>
        </>
      )}
    </SettingSection>
  );
}

/** Links to the reviewer rules of a named build's project, which apply to all its builds. */
function RulesOfBase({ project }: { project: string }) {
  const link = (
    <Link to={{ page: "configuration", project, section: "reviewer-rules" }}>
      {texts.settingsOf(project)}
    </Link>
  );
  return (
    <section aria-labelledby="reviewer-rules" className="section">
      <h2 id="reviewer-rules">{texts.names["reviewer-rules"]}</h2>
      <p className="about">{fill(texts.rulesOfBase, { link })}</p>
    </section>
  );
}

function RetentionSection({ project }: { project: ProjectView }) {
  const { data: usage, error, refetch } = useQuery({ queryKey: ["usage"], queryFn: api.usage });
  const inherited = useInherited(project);
  if (error && !usage) return <Problem error={error} what={texts.thing} again={refetch} />;
  if (!usage || !inherited) return <Loading what={texts.thing} />;
  const { retentionDays } = usage;
  const usual = Math.min(retentionDays, inherited.retentionDays ?? retentionDays);
  const { retentionDays: own } = project;
  return (
    <SettingSection
      section="retention"
      about={texts.retentionAbout}
      project={project}
      current={texts.kept(Math.min(retentionDays, own ?? usual))}
      read={form => ({ retentionDays: daysIn(form) })}
    >
      {failureOf => (
        <Field
          label={texts.retention}
          hint={texts.retentionHint(retentionDays, inherited.from, usual)}
          failure={failureOf("retentionDays")}
        >
          <input
            key={own}
            name="days"
            inputMode="numeric"
            defaultValue={own ?? ""}
            placeholder={String(usual)}
          />
        </Field>
      )}
    </SettingSection>
  );
}

function LinkSection({ project }: { project: ProjectView }) {
  const { team } = useMe().session;
  const inherited = useInherited(project);
  if (!team || !inherited) return null;
  const { publicLinks } = team;
  const { from, linkDays } = inherited;
  const { linkDays: own } = project;
  return (
    <SettingSection
      section="links"
      about={
        <>
          {publicLinks ? texts.linksAbout : texts.membersOnly}{" "}
          <Link to={{ page: "settings", setting: "team" }}>{texts.teamLinks}</Link>
        </>
      }
      project={project}
      current={texts.expire(own ?? linkDays)}
      read={form => ({ linkDays: daysIn(form) })}
    >
      {failureOf => (
        <Field label={texts.links} hint={texts.linksHint(from, linkDays)} failure={failureOf("linkDays")}>
          <input
            key={own}
            name="days"
            inputMode="numeric"
            defaultValue={own ?? ""}
            placeholder={String(linkDays)}
          />
        </Field>
      )}
    </SettingSection>
  );
}

/** Returns the days that were entered, null for none. The service refuses 0, which stands for other text. */
function daysIn(form: FormData): number | null {
  const text = textIn(form, "days");
  return text === "" ? null : numberIn(text) || 0;
}
