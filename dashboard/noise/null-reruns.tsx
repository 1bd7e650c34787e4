import type { NoiseView } from "../../shared/contracts/noise.ts";
import { monitorOfProject } from "../../shared/monitor-project.ts";
import { count } from "../../shared/report/words.ts";
import { api } from "../api/client.ts";
import { Link } from "../location.tsx";
import { useMe } from "../session.tsx";
import { Time } from "../ui/time.tsx";
import { rateInWords, rerunInWords } from "./noise-words.ts";
import { useNoiseChange } from "./queries.ts";

/** Runs that are repeated to count false alarms: their switch, their rate, and the last of them. */
export function NullReruns({ noise }: { noise: NoiseView }) {
  const { project, nullReruns } = noise;
  if (monitorOfProject(project)) return null;
  const { compared, falseAlarms, rate, history } = nullReruns;
  return (
    <section aria-labelledby="reruns" className="section">
      <h2 id="reruns">Null reruns</h2>
      <p className="about">
        Once a day, vrs repeats a run of the default branch and compares it with that run's own screenshots.
        If the deployment is the same, every difference is a false alarm. Reruns count toward the plan's
        usage. They report to no pull request and change no baseline.
      </p>
      <Switch noise={noise} />
      <dl className="usage">
        <div>
          <dt>False-alarm rate, last 30 days</dt>
          <dd>
            <strong>{rateInWords(rate)}</strong>{" "}
            <span className="quiet">
              {compared === 0
                ? "nothing compared yet"
                : `${count(falseAlarms, "false alarm")} in ${count(compared, "screenshot")}`}
            </span>
          </dd>
        </div>
      </dl>
      {history.length > 0 && (
        <ul className="rows" aria-label="Null reruns">
          {history.map(rerun => (
            <li key={rerun.runId}>
              <span className="row-what">{rerunInWords(rerun)}</span>
              <span className="quiet">
                <Time iso={rerun.at} />
              </span>
              {rerun.kept && <Link to={{ page: "run", id: rerun.runId }}>Open the rerun</Link>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Switch({ noise: { project, projectId, nullReruns } }: { noise: NoiseView }) {
  const { may } = useMe();
  const switching = useNoiseChange(project, (isOn: boolean) =>
    api.changeProject(projectId, { nullReruns: isOn }),
  );
  const isOn = switching.isPending ? switching.variables : nullReruns.enabled;
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isOn}
        disabled={!may("admin") || switching.isPending}
        onChange={event => switching.mutate(event.currentTarget.checked)}
      />
      Repeat a run of the default branch once a day
      {!may("admin") && <span className="quiet">Admins can change this.</span>}
    </label>
  );
}
