import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import type { Stage } from "../../../shared/report/page/stage.js";
import { api } from "../../api/client.ts";
import type { Screenshot } from "../../api/screenshot.ts";
import { Link } from "../../navigation.tsx";
import { commonTexts } from "../../texts/common.ts";
import { ignoreTexts, savedText } from "../../texts/ignore.ts";
import { textIn } from "../../ui/form-values.ts";
import { Field } from "../../ui/parts.tsx";
import { messageOf, useToast } from "../../ui/toast.tsx";
import { pickRegion, showPins } from "../comments/pins.ts";
import "./ignore.css";
import { draftOf, type IgnoreChoice, type RuleDraft, ruleOf } from "./rule-draft.rule.ts";
import { RulePreviewList } from "./rule-preview.tsx";

const SIDES = ["x", "y", "width", "height"] as const;
const DAY_CHARS = 10;

interface IgnorePanelProps {
  run: RunView;
  shot: Screenshot;
  stage: RefObject<Stage | null>;
  /** Changes when the stage shows other images. */
  stageKey: string;
  /** Index of the current changed region, which a new rule starts with. */
  region: number;
  onClose: () => void;
}

/** Makes an ignore rule beside the stage: what to ignore, and what that would have hidden before. */
export function IgnorePanel({ run, shot, stage, stageKey, region: current, onClose }: IgnorePanelProps) {
  const [draft, setDraft] = useState(() => draftOf(shot.regions[current], shot.diffRatio));
  const change = (part: Partial<RuleDraft>) => setDraft(before => ({ ...before, ...part }));
  const [isDrawing, setDrawing] = useState(draft.region === null);
  const isOfRegion = draft.choice !== "threshold";
  useEffect(() => {
    if (!isDrawing || !stage.current) return;
    return pickRegion(stage.current, picked => {
      setDrawing(false);
      if (picked) setDraft(before => ({ ...before, region: picked }));
    });
  }, [isDrawing, stage]);
  const drawn = isOfRegion ? JSON.stringify(draft.region) : "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: the region is drawn again on other images
  useEffect(() => {
    if (!stage.current || !draft.region || !isOfRegion) return;
    const pin = { id: "", region: draft.region, label: "", isResolved: true };
    return showPins(stage.current, [pin], () => {});
  }, [stage, stageKey, drawn]);
  const rule = ruleOf(run.project, shot, draft);
  const saving = useSaving(run, onClose);
  const form = useRef<HTMLFormElement>(null);
  // Enter saves what is suggested, and Tab reaches the rest.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("input:checked")?.focus({ preventScroll: true });
  }, []);
  return (
    <aside
      className="comments ignore-panel"
      aria-label={ignoreTexts.title}
      onKeyDown={event => {
        if (event.key !== "Escape" || isDrawing) return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div className="comments-head">
        <h3>{ignoreTexts.title}</h3>
        <button type="button" onClick={onClose}>
          {commonTexts.close}
        </button>
      </div>
      <AppliedRules project={run.project} shot={shot} />
      <form
        ref={form}
        className="form"
        onSubmit={event => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          const [reason, day] = [textIn(fields, "name"), textIn(fields, "expires")];
          if (!rule || saving.isPending) return;
          saving.mutate({
            ...rule,
            ...{ runId: run.id },
            ...(reason !== "" && { reason }),
            ...(day !== "" && { expiresAt: new Date(`${day}T23:59:59.999Z`).toISOString() }),
          });
        }}
      >
        <Choices draft={draft} viewport={shot.viewport} change={change} />
        {isOfRegion ? (
          <RegionFields draft={draft} change={change} isDrawing={isDrawing} setDrawing={setDrawing} />
        ) : (
          <ThresholdFields draft={draft} change={change} />
        )}
        <RulePreviewList rule={rule} />
        <Field label={ignoreTexts.name} hint={ignoreTexts.nameHint}>
          <input name="name" maxLength={500} autoComplete="off" />
        </Field>
        <Field label={ignoreTexts.expires}>
          <input name="expires" type="date" min={new Date().toISOString().slice(0, DAY_CHARS)} />
        </Field>
        <div className="form-end">
          <button type="submit" className="primary" disabled={!rule || saving.isPending}>
            {saving.isPending ? ignoreTexts.saving : ignoreTexts.save}
          </button>
        </div>
      </form>
    </aside>
  );
}

/** Saves a rule, reloads the run, and offers to undo it. */
function useSaving(run: RunView, onSaved: () => void) {
  const client = useQueryClient();
  const showToast = useToast();
  const reload = () =>
    Promise.all(
      [
        ["run", run.id],
        ["shots", run.id],
        ["ignore-regions", run.project],
      ].map(queryKey => client.invalidateQueries({ queryKey })),
    );
  const fail = (error: unknown) =>
    showToast({ text: commonTexts.notSaved(messageOf(error)), isFailure: true });
  return useMutation({
    mutationFn: api.acceptRegion,
    onError: fail,
    onSuccess: ({ id, recompared }) => {
      const undo = () =>
        api
          .removeRegion({ id, runId: run.id })
          .then(() => showToast({ text: ignoreTexts.undone }), fail)
          .finally(() => void reload());
      showToast({ text: savedText(recompared), action: { label: commonTexts.undo, run: () => void undo() } });
      onSaved();
      void reload();
    },
  });
}

function AppliedRules({ project, shot }: { project: string; shot: Screenshot }) {
  const hidden = (shot.ignored?.regions ?? []).filter(({ rule }) => rule !== undefined);
  const pixels = hidden.reduce((sum, region) => sum + region.pixels, 0);
  return (
    <p className="quiet">
      {hidden.length > 0 && <>{ignoreTexts.hereAlready(pixels)} </>}
      {shot.raised && <>{ignoreTexts.raised(shot.raised.from, shot.raised.to)} </>}
      <Link to={{ page: "configuration", project, section: "ignore-rules" }}>{ignoreTexts.manage}</Link>
    </p>
  );
}

interface DraftProps {
  draft: RuleDraft;
  change: (part: Partial<RuleDraft>) => void;
}

function Choices({ draft, change, viewport }: DraftProps & { viewport: number }) {
  const choices: [IgnoreChoice, string][] = [
    ["page", ignoreTexts.here(viewport)],
    ["widths", ignoreTexts.widths],
    ["project", ignoreTexts.project],
    ["threshold", ignoreTexts.raise],
  ];
  return (
    <fieldset className="ignore-choices">
      <legend>{ignoreTexts.where}</legend>
      {choices.map(([choice, label]) => (
        <label key={choice} className="check">
          <input
            type="radio"
            name="choice"
            checked={draft.choice === choice}
            onChange={() => change({ choice })}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

interface RegionFieldsProps extends DraftProps {
  isDrawing: boolean;
  setDrawing: (isDrawing: boolean) => void;
}

/** The numbers are the way to set a region without a pointer. */
function RegionFields({ draft: { region }, change, isDrawing, setDrawing }: RegionFieldsProps) {
  const of = region ?? { x: 0, y: 0, width: 0, height: 0 };
  return (
    <fieldset className="ignore-region">
      <legend>{ignoreTexts.region}</legend>
      <div className="ignore-sides">
        {SIDES.map(side => (
          <label key={side}>
            {ignoreTexts.sides[side]}
            <input
              type="number"
              step="1"
              min={side === "x" || side === "y" ? 0 : 1}
              value={region ? of[side] : ""}
              onChange={event =>
                change({ region: { ...of, [side]: event.currentTarget.valueAsNumber || 0 } })
              }
            />
          </label>
        ))}
      </div>
      <button type="button" aria-pressed={isDrawing} onClick={() => setDrawing(!isDrawing)}>
        {ignoreTexts.draw}
      </button>
      {isDrawing && <p role="status">{ignoreTexts.drawing}</p>}
      {!region && !isDrawing && <p className="quiet">{ignoreTexts.noRegion}</p>}
    </fieldset>
  );
}

function ThresholdFields({ draft, change }: DraftProps) {
  return (
    <>
      <Field label={ignoreTexts.threshold}>
        <input
          type="number"
          min="0.01"
          max="100"
          step="any"
          value={Number.isNaN(draft.percent) ? "" : draft.percent}
          onChange={event => change({ percent: event.currentTarget.valueAsNumber })}
        />
      </Field>
      <label className="check">
        <input
          type="checkbox"
          checked={draft.isAtAllWidths}
          onChange={event => change({ isAtAllWidths: event.currentTarget.checked })}
        />
        {ignoreTexts.atAllWidths}
      </label>
    </>
  );
}
