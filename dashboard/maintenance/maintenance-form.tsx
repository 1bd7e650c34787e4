import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { maintenanceApi } from "../api/maintenance.ts";
import { ApiProblem } from "../api/request.ts";
import { allMonitorsQuery } from "../monitors/queries.ts";
import { loadedThings } from "../texts/common.ts";
import { maintenanceTexts } from "../texts/monitors/maintenance.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { Field, Loading, Problem } from "../ui/parts.tsx";
import { useToast } from "../ui/toast.tsx";
import { maintenanceBodyOf } from "./maintenance-body.ts";

/** Plans a maintenance window. */
export function MaintenanceForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const showToast = useToast();
  const [isWeekly, setWeekly] = useState(false);
  const monitors = useQuery(allMonitorsQuery);
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: FormData) => maintenanceApi.create(maintenanceBodyOf(form)),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ["maintenance"] });
      showToast({ text: maintenanceTexts.planned });
      onClose();
    },
  });
  const failures = error instanceof ApiProblem ? error.fields : [];
  const failureIn = (path: string) => failures.find(failure => failure.path.startsWith(path))?.message;
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(new FormData(event.currentTarget));
  };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Dialog title={maintenanceTexts.plan} onClose={onClose}>
      <form className="form maintenance-form" onSubmit={submit} noValidate>
        <Field label={maintenanceTexts.name} failure={failureIn("title")}>
          <input name="title" placeholder={maintenanceTexts.namePlaceholder} autoComplete="off" />
        </Field>
        <Field label={maintenanceTexts.repeat}>
          <select
            name="repeat"
            value={isWeekly ? "weekly" : "once"}
            onChange={event => setWeekly(event.currentTarget.value === "weekly")}
          >
            <option value="once">{maintenanceTexts.once}</option>
            <option value="weekly">{maintenanceTexts.weekly}</option>
          </select>
        </Field>
        {isWeekly ? (
          <WeeklyFields zone={zone} failureIn={failureIn} />
        ) : (
          <>
            <Field
              label={maintenanceTexts.from}
              hint={maintenanceTexts.ownZone(zone)}
              failure={failureIn("schedule.from")}
            >
              <input name="from" type="datetime-local" />
            </Field>
            <Field label={maintenanceTexts.until} failure={failureIn("schedule.until")}>
              <input name="until" type="datetime-local" />
            </Field>
          </>
        )}
        <Field label={maintenanceTexts.mode}>
          <select name="mode">
            <option value="pause">{maintenanceTexts.modes.pause}</option>
            <option value="quiet">{maintenanceTexts.modes.quiet}</option>
          </select>
        </Field>
        <fieldset className="choices">
          <legend className="field-label">{maintenanceTexts.monitors}</legend>
          <p className="hint">{maintenanceTexts.monitorsHint}</p>
          {monitors.data?.map(({ id, name }) => (
            <label key={id} className="check">
              <input type="checkbox" name="monitor" value={id} />
              {name}
            </label>
          ))}
          {monitors.isPending && <Loading what={loadedThings.monitors} />}
          {monitors.isLoadingError && (
            <Problem error={monitors.error} what={loadedThings.monitors} again={monitors.refetch} />
          )}
        </fieldset>
        <FormEnd
          save={maintenanceTexts.save}
          isPending={isPending || !monitors.data}
          error={failures.length === 0 ? error : null}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

interface WeeklyFieldsProps {
  zone: string;
  failureIn: (path: string) => string | undefined;
}

function WeeklyFields({ zone, failureIn }: WeeklyFieldsProps) {
  const failure = failureIn("schedule.weekdays");
  return (
    <>
      <fieldset className="choices weekdays">
        <legend className="field-label">{maintenanceTexts.weekdays}</legend>
        {maintenanceTexts.weekdayNames.map((name, day) => (
          <label key={name} className="check">
            <input type="checkbox" name="weekday" value={day} />
            {name}
          </label>
        ))}
        {failure && (
          <p className="fault" role="alert">
            {failure}
          </p>
        )}
      </fieldset>
      <Field label={maintenanceTexts.start} failure={failureIn("schedule.start")}>
        <input name="start" type="time" defaultValue="02:00" />
      </Field>
      <Field label={maintenanceTexts.duration} failure={failureIn("schedule.durationMinutes")}>
        <input name="duration" inputMode="numeric" defaultValue="60" />
      </Field>
      <Field
        label={maintenanceTexts.zone}
        hint={maintenanceTexts.zoneHint}
        failure={failureIn("schedule.timeZone")}
      >
        <input name="zone" defaultValue={zone} list="time-zones" autoComplete="off" />
      </Field>
      <datalist id="time-zones">
        {Intl.supportedValuesOf("timeZone").map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
