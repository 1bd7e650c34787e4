import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import type { StatusPageBody, StatusPageView } from "../../shared/contracts/monitors/status-pages.ts";
import { ApiProblem } from "../api/request.ts";
import { statusPagesApi } from "../api/status-pages.ts";
import { allMonitorsQuery } from "../monitors/queries.ts";
import { loadedThings } from "../texts/common.ts";
import { statusPageTexts } from "../texts/monitors/status-pages.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { textIn } from "../ui/form-values.ts";
import { Field, Loading, Problem } from "../ui/parts.tsx";
import { useToast } from "../ui/toast.tsx";
import "./status-pages.css";

/** Creates or changes a status page. @param page null for a new one */
export function StatusPageForm({ page, onClose }: { page: StatusPageView | null; onClose: () => void }) {
  const client = useQueryClient();
  const showToast = useToast();
  const [isProtected, setProtected] = useState(page?.hasPassword ?? false);
  const monitors = useQuery(allMonitorsQuery);
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: FormData) => {
      const body = bodyOf(form, page);
      return page ? statusPagesApi.change(page.id, body) : statusPagesApi.create(body);
    },
    onSuccess() {
      void client.invalidateQueries({ queryKey: ["status-pages"] });
      showToast({ text: statusPageTexts.saved });
      onClose();
    },
  });
  const failures = error instanceof ApiProblem ? error.fields : [];
  const failureIn = (path: string) => failures.find(failure => failure.path.startsWith(path))?.message;
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(new FormData(event.currentTarget));
  };
  return (
    <Dialog title={page ? page.title : statusPageTexts.create} onClose={onClose}>
      <form className="form" onSubmit={submit} noValidate>
        <Field label={statusPageTexts.name} failure={failureIn("title")}>
          <input
            name="title"
            defaultValue={page?.title}
            placeholder={statusPageTexts.namePlaceholder}
            autoComplete="off"
          />
        </Field>
        <Field
          label={statusPageTexts.slug}
          hint={statusPageTexts.slugHint(new URL("status/", document.baseURI).href)}
          failure={failureIn("slug")}
        >
          <input name="slug" defaultValue={page?.slug} autoComplete="off" spellCheck={false} />
        </Field>
        <Field label={statusPageTexts.access}>
          <select
            name="access"
            value={isProtected ? "protected" : "public"}
            onChange={event => setProtected(event.currentTarget.value === "protected")}
          >
            <option value="public">{statusPageTexts.isPublic}</option>
            <option value="protected">{statusPageTexts.isProtected}</option>
          </select>
        </Field>
        {isProtected && (
          <Field
            label={statusPageTexts.password}
            failure={failureIn("password")}
            {...(page?.hasPassword && { hint: statusPageTexts.keepPassword })}
          >
            <input name="password" type="password" autoComplete="new-password" />
          </Field>
        )}
        <fieldset className="shown-monitors">
          <legend className="field-label">{statusPageTexts.monitors}</legend>
          <p className="hint">{statusPageTexts.monitorsHint}</p>
          <MonitorRows page={page} monitors={monitors.data ?? []} />
          {monitors.isPending && <Loading what={loadedThings.monitors} />}
          {monitors.isLoadingError && (
            <Problem error={monitors.error} what={loadedThings.monitors} again={monitors.refetch} />
          )}
          {failureIn("components") && (
            <p className="fault" role="alert">
              {failureIn("components")}
            </p>
          )}
        </fieldset>
        <FormEnd
          save={statusPageTexts.save}
          isPending={isPending || !monitors.data}
          error={failures.length === 0 ? error : null}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

interface MonitorRowsProps {
  page: StatusPageView | null;
  monitors: readonly MonitorView[];
}

/** The page's own monitors come first, in its order, which saving keeps. */
function MonitorRows({ page, monitors }: MonitorRowsProps) {
  const names = new Map(page?.components.map(({ monitorId, name }) => [monitorId, name]));
  const shown = [...names.keys()];
  const placeOf = ({ id }: MonitorView) => (names.has(id) ? shown.indexOf(id) : shown.length);
  return monitors
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map(({ id, name }) => (
      <div key={id} className="shown-monitor">
        <label className="check">
          <input type="checkbox" name="monitor" value={id} defaultChecked={names.has(id)} />
          {name}
        </label>
        <input
          name={`name ${id}`}
          aria-label={statusPageTexts.shownName(name)}
          defaultValue={names.get(id) ?? name}
          maxLength={100}
          autoComplete="off"
        />
      </div>
    ));
}

/** Returns the request of the form. The service validates it. */
function bodyOf(form: FormData, page: StatusPageView | null): StatusPageBody {
  const password = textIn(form, "password");
  const isKept = page?.hasPassword === true && password === "";
  const components = form.getAll("monitor").map(String);
  return {
    title: textIn(form, "title"),
    slug: textIn(form, "slug"),
    components: components.map(monitorId => ({ monitorId, name: textIn(form, `name ${monitorId}`) })),
    ...(textIn(form, "access") === "public" ? { password: null } : !isKept && { password }),
  };
}
