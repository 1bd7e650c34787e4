import { useState } from "react";
import type { NoiseView } from "../../shared/contracts/noise/noise.ts";
import { monitorOfProject } from "../../shared/monitor-project.ts";
import { percent } from "../../shared/text/format.ts";
import { api } from "../api/client.ts";
import { Link } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { noiseTexts, rerunText } from "../texts/noise.ts";
import { Time } from "../ui/text/time.tsx";
import { useNoiseChange } from "./queries.ts";

/** Shows the runs that are repeated to measure false alarms: the setting, the rate, and the latest ones. */
export function NullReruns({ noise }: { noise: NoiseView }) {
  const { project, nullReruns } = noise;
  if (monitorOfProject(project)) return null;
  const { compared, falseAlarms, rate, history } = nullReruns;
  return (
    <section aria-labelledby="reruns" className="section">
      <h2 id="reruns">{noiseTexts.reruns}</h2>
      <p className="about">{noiseTexts.rerunsAbout}</p>
      <Switch noise={noise} />
      <dl className="usage">
        <div>
          <dt>{noiseTexts.rate}</dt>
          <dd>
            <strong>{rate === null ? noiseTexts.noRate : percent(rate)}</strong>{" "}
            <span className="quiet">
              {compared === 0 ? noiseTexts.nothingCompared : noiseTexts.falseAlarms(falseAlarms, compared)}
            </span>
          </dd>
        </div>
      </dl>
      {history.length > 0 && (
        <ul className="rows" aria-label={noiseTexts.reruns}>
          {history.map(rerun => (
            <li key={rerun.runId}>
              <span className="row-what">{rerunText(rerun)}</span>
              <span className="quiet">
                <Time iso={rerun.at} />
              </span>
              {rerun.kept && <Link to={{ page: "run", id: rerun.runId }}>{noiseTexts.openRerun}</Link>}
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
  // The mutation is pending a moment later. Until then, the checkbox would jump back.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const choose = (isOn: boolean) => {
    setChosen(isOn);
    switching.mutate(isOn, { onSettled: () => setChosen(null) });
  };
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={chosen ?? nullReruns.enabled}
        disabled={!may("admin") || chosen !== null}
        onChange={event => choose(event.currentTarget.checked)}
      />
      {noiseTexts.turnOnReruns}
      {!may("admin") && <span className="quiet">{noiseTexts.adminsOnly}</span>}
    </label>
  );
}
