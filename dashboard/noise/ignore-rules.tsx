import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import type { IgnoreRegionView } from "../../shared/contracts/noise/ignore-rules.ts";
import { api } from "../api/client.ts";
import { Link } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { ignoreTexts } from "../texts/ignore.ts";
import { regionText } from "../texts/noise.ts";
import { fill } from "../ui/fill.ts";
import { More } from "../ui/more.tsx";
import { Loading, Problem } from "../ui/parts.tsx";
import { Time } from "../ui/text/time.tsx";
import { ExportRules } from "./export-rules.tsx";
import { ignoreRulesQuery, useNoiseChange } from "./queries.ts";
import { restoreRule } from "./restore-rule.ts";
import { RuleDialog } from "./rule-dialog.tsx";

/** Lists a project's ignore rules, to change, end and export them. */
export function IgnoreRules({ project }: { project: string }) {
  const [showsEnded, setShowsEnded] = useState(false);
  const [isExporting, setExporting] = useState(false);
  const { data: active } = useInfiniteQuery(ignoreRulesQuery(project, "active"));
  const hasRules = active?.pages.some(page => page.data.length > 0) ?? false;
  return (
    <section aria-labelledby="ignore-rules" className="section ignore-rules">
      <h2 id="ignore-rules">{ignoreTexts.rules}</h2>
      <p className="about">{ignoreTexts.rulesAbout}</p>
      <Rules project={project} state="active" label={ignoreTexts.rules} />
      <div className="actions">
        <button type="button" disabled={!hasRules} onClick={() => setExporting(true)}>
          {ignoreTexts.exportRules}
        </button>
        <button type="button" aria-expanded={showsEnded} onClick={() => setShowsEnded(!showsEnded)}>
          {ignoreTexts.showEnded}
        </button>
      </div>
      {showsEnded && <Rules project={project} state="ended" label={ignoreTexts.ended} />}
      {isExporting && <ExportRules project={project} onClose={() => setExporting(false)} />}
    </section>
  );
}

interface RulesProps {
  project: string;
  state: "active" | "ended";
  label: string;
}

function Rules({ project, state, label }: RulesProps) {
  const list = useInfiniteQuery(ignoreRulesQuery(project, state));
  const { data, error, refetch } = list;
  const rules = data?.pages.flatMap(page => page.data);
  return (
    <>
      {error && !rules && <Problem error={error} what={loadedThings.ignoreRules} again={refetch} />}
      {!rules && !error && <Loading what={loadedThings.ignoreRules} />}
      {rules?.length === 0 && (
        <p className="empty">{state === "active" ? ignoreTexts.noRules : ignoreTexts.noEnded}</p>
      )}
      {rules && rules.length > 0 && (
        <ul className="rows" aria-label={label}>
          {rules.map(rule => (
            <Row key={rule.id} project={project} rule={rule} />
          ))}
        </ul>
      )}
      <More list={list}>{ignoreTexts.older}</More>
    </>
  );
}

function Row({ project, rule }: { project: string; rule: IgnoreRegionView }) {
  const { may } = useMe();
  const [isEditing, setEditing] = useState(false);
  const { appliesTo, viewport, threshold, reason, acceptedBy, acceptedAt, expiresAt } = rule;
  const what = threshold === null ? regionText(rule) : ignoreTexts.raisedTo(threshold);
  const name = { name: acceptedBy, time: <Time iso={acceptedAt} /> };
  return (
    <li>
      <span className="row-what">
        {appliesTo === "project" ? (
          <strong>{ignoreTexts.allPages}</strong>
        ) : (
          <Link to={{ page: "history", project, ...pickPage(rule) }}>{pageName(rule)}</Link>
        )}
        <span className="quiet">
          {appliesTo !== "project" && `${ignoreTexts.scopes[appliesTo](viewport)} · `}
          {what}
          {reason !== null && ` · ${reason}`}
        </span>
      </span>
      <span className="quiet">
        {expiresAt === null
          ? fill(ignoreTexts.madeBy, name)
          : fill(rule.isActive ? ignoreTexts.until : ignoreTexts.endedAt, {
              ...name,
              until: <Time iso={expiresAt} />,
            })}
      </span>
      {may("reviewer") && <Actions project={project} rule={rule} onEdit={() => setEditing(true)} />}
      {isEditing && <RuleDialog project={project} rule={rule} onClose={() => setEditing(false)} />}
    </li>
  );
}

interface ActionsProps {
  project: string;
  rule: IgnoreRegionView;
  onEdit: () => void;
}

function Actions({ project, rule, onEdit }: ActionsProps) {
  const what = rule.appliesTo === "project" ? ignoreTexts.allPages : commonTexts.pageAt(rule);
  const restoring = useNoiseChange(project, () => restoreRule(project, rule));
  const reviving = useNoiseChange(project, () => api.changeRule(rule.id, { expiresAt: rule.expiresAt }));
  const ending = useNoiseChange(
    project,
    () => api.changeRule(rule.id, { expiresAt: new Date().toISOString() }),
    {
      text: ignoreTexts.endedNow,
      action: { label: commonTexts.undo, run: () => reviving.mutate(undefined) },
    },
  );
  const removing = useNoiseChange(project, api.removeRegion, {
    text: ignoreTexts.removed,
    action: { label: commonTexts.undo, run: () => restoring.mutate(undefined) },
  });
  if (!rule.isActive)
    return (
      <button
        type="button"
        aria-label={ignoreTexts.removeLabel(what)}
        disabled={removing.isPending}
        onClick={() => removing.mutate({ id: rule.id })}
      >
        {ignoreTexts.remove}
      </button>
    );
  return (
    <span className="rule-actions">
      <button type="button" aria-label={ignoreTexts.editLabel(what)} onClick={onEdit}>
        {ignoreTexts.edit}
      </button>
      <button
        type="button"
        aria-label={ignoreTexts.endLabel(what)}
        disabled={ending.isPending}
        onClick={() => ending.mutate(undefined)}
      >
        {ignoreTexts.end}
      </button>
    </span>
  );
}
