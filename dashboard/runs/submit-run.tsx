import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SyntheticEvent } from "react";
import { api } from "../api/client.ts";
import { ApiProblem } from "../api/request.ts";
import { navigate } from "../navigation.tsx";
import { commonTexts } from "../texts/common.ts";
import { runFormTexts, runsTexts } from "../texts/runs/runs.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/parts.tsx";
import { messageOf } from "../ui/toast.tsx";
import { readRunForm } from "./run-body.ts";

/** Shows the form in a dialog. */
export function SubmitRun({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={runsTexts.startRun} onClose={onClose}>
      <SubmitRunForm onCancel={onClose} />
    </Dialog>
  );
}

/** Fields of the form that show their own failures. */
const FIELDS = new Set(["url", "routes", "viewports", "threshold", "project", "branch"]);

/** Returns the form's field of a path, such as `routes` of `routes[1]`. */
const fieldOf = (path: string): string => path.split(/[.[]/)[0] ?? "";

/** Submits a run and opens its page. The service validates the fields. */
export function SubmitRunForm({ onCancel }: { onCancel?: () => void }) {
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: api.submitRun,
    onSuccess({ id }) {
      void client.invalidateQueries({ queryKey: ["runs"] });
      navigate({ page: "run", id });
    },
  });
  const fields = error instanceof ApiProblem ? error.fields : [];
  // A failure beside its field isn't repeated below.
  const isShown = fields.length > 0 && fields.every(({ path }) => FIELDS.has(fieldOf(path)));
  const failureIn = (name: string) => fields.find(({ path }) => fieldOf(path) === name)?.message;
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(readRunForm(new FormData(event.currentTarget)));
  };
  return (
    <form className="form" onSubmit={submit}>
      <Field label={runFormTexts.url} failure={failureIn("url")}>
        <input
          name="url"
          type="text"
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          spellCheck={false}
          required
          placeholder="https://example.com"
        />
      </Field>
      <Field label={runFormTexts.pages} failure={failureIn("routes")}>
        <textarea name="routes" rows={3} defaultValue="/" spellCheck={false} />
      </Field>
      <Field label={runFormTexts.widths} failure={failureIn("viewports")}>
        <input name="viewports" defaultValue="375, 1280" inputMode="numeric" />
      </Field>
      <label className="check">
        <input name="partial" type="checkbox" />
        {runFormTexts.partial}
      </label>
      <Field
        label={runFormTexts.threshold}
        hint={runFormTexts.thresholdHint}
        failure={failureIn("threshold") && runFormTexts.thresholdFailure}
      >
        <input name="threshold" defaultValue="1" inputMode="decimal" />
      </Field>
      <Field label={runFormTexts.project} hint={runFormTexts.projectHint} failure={failureIn("project")}>
        <input name="project" autoComplete="off" />
      </Field>
      <Field label={runFormTexts.branch} hint={runFormTexts.branchHint} failure={failureIn("branch")}>
        <input name="branch" autoComplete="off" />
      </Field>
      {error && !isShown && (
        <p className="fault" role="alert">
          {messageOf(error)}
        </p>
      )}
      <div className="form-end">
        {onCancel && (
          <button type="button" onClick={onCancel}>
            {commonTexts.cancel}
          </button>
        )}
        <button type="submit" className="primary" disabled={isPending}>
          {isPending ? runFormTexts.starting : runFormTexts.start}
        </button>
      </div>
    </form>
  );
}
