import { useMe } from "../session.tsx";
import { commands } from "../texts/commands.ts";
import { runsTexts } from "../texts/runs/runs.ts";
import { Copyable } from "../ui/parts.tsx";
import { SubmitRunForm } from "./submit-run.tsx";

/** Shown to a team without a run. */
export function FirstRun() {
  const { may } = useMe();
  if (!may("reviewer")) return <p className="empty">{runsTexts.emptyForViewers}</p>;
  return (
    <div className="first-run">
      <section aria-labelledby="first-form">
        <h2 id="first-form">{runsTexts.firstRun}</h2>
        <p className="about">{runsTexts.firstRunAbout}</p>
        <SubmitRunForm />
      </section>
      <section aria-labelledby="first-command">
        <h2 id="first-command">{runsTexts.useApi}</h2>
        <p className="about">{runsTexts.replaceDots}</p>
        <Copyable text={commands.startRun(new URL("v1/run", document.baseURI))} />
        <p className="about">
          <a href="docs">{runsTexts.allFields}</a>
        </p>
      </section>
    </div>
  );
}
